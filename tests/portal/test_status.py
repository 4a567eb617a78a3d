"""The status page of the whole service, over HTTP and in a real Chromium."""

import asyncio
from typing import Any

import aiohttp

from rhumbline.devnet.evm.accounts import sandbox_account
from tests.patience import until
from tests.portal.chromium import Page
from tests.portal.sizes import sound
from tests.portal.stack import PortalService


async def test_it_tells_how_the_whole_service_is_doing(
    portal_service: PortalService, session: aiohttp.ClientSession
) -> None:
    async def told(path: str) -> dict[str, Any]:
        async with session.get(portal_service.base_url + path) as response:
            assert response.status == 200, await response.text()
            found: dict[str, Any] = await response.json()
            return found

    async def is_known() -> bool:
        """A service that has just begun has no heartbeat with heads yet."""
        await asyncio.sleep(0.5)
        chains = (await told("/status.json"))["chains"]
        return all(chain["followed"] and chain["behind"] is not None for chain in chains)

    await until(is_known)
    found, tools = await told("/status.json"), await told("/v1/tools")
    # What other tests have done to upstreams may be told as well.
    assert (found["store"], found["clock"], found["status"] in {"ok", "degraded"}) == (True, True, True)
    assert {chain["key"] for chain in found["chains"]} == {chain.key for chain in portal_service.sandbox.chains}
    assert all(chain["node"] == "answering" and chain["head"] > 0 for chain in found["chains"])
    assert {each["key"] for each in found["adapters"]} == {
        tool["key"] for tool in (*tools["exchanges"], *tools["bridges"])
    }
    assert {each["key"] for each in found["transfers"]} <= {tool["key"] for tool in tools["bridges"]}
    assert found["push"]["delivering"] is True


async def test_the_page_is_sound_at_every_size(
    page: Page, portal_service: PortalService, session: aiohttp.ClientSession
) -> None:
    """With the scorecards of what was just asked."""
    chain = portal_service.sandbox.evm_chains[0]
    asked = {
        "senderAddress": sandbox_account(5).address,
        "originChainId": str(chain.id), "destinationChainId": str(chain.id),
        "originCurrency": chain.tokens["USDC"].address, "destinationCurrency": chain.tokens["WETH"].address,
        "amount": "7000000",
    }  # fmt: skip
    async with session.get(f"{portal_service.base_url}/v1/quotes", params=asked) as response:
        adapter = (await response.json())["adapter"]

    async def is_scored() -> bool:
        async with session.get(f"{portal_service.base_url}/status.json") as response:
            return any(each["adapter"] == adapter for each in (await response.json())["scorecards"])

    await until(is_scored)
    await page.goto(f"{portal_service.base_url}/status")
    await page.see("Service status")
    assert "Scorecards of the last seven days" in await page.text()
    assert await page.evaluate("document.querySelectorAll('script').length") == 0
    await sound(page)
    assert page.faults == []
