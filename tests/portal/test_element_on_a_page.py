"""The element on a page of another origin: three lines, attributes, colours, events, and no cookies."""

from collections.abc import AsyncIterator

import aiohttp
import pytest
from aiohttp import web

from rhumbline.devnet.hosts import hosted
from tests.portal.chromium import Page
from tests.portal.sizes import at_a_size
from tests.portal.stack import PortalService
from tests.portal.story import OWNER, wallet_of
from tests.portal.swap_box import choose, connect, faults, routes, send

ELSEWHERE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Elsewhere</title>
<link rel="icon" href="data:,">
<style>rhumbline-swap {{ --rhumbline-accent: rgb(120, 20, 90); }}</style>
<script type="module" src="{service}/rhumbline-swap.js"></script></head>
<body><h1>A site</h1>
<rhumbline-swap chains="{chain}" tokens="{chain}:USDC {chain}:ETH" integrator="acme"></rhumbline-swap>
<script>
window.told = [];
for (const name of ['quote', 'sent', 'done']) {{
  document.addEventListener('rhumbline-' + name, (event) => told.push([name, event.detail]));
}}
</script></body></html>"""


@pytest.fixture
async def elsewhere(portal_service: PortalService) -> AsyncIterator[str]:
    """The address of a page of another origin."""
    chain = portal_service.sandbox.evm_chains[0].id

    async def page(request: web.Request) -> web.Response:
        text = ELSEWHERE.format(service=portal_service.base_url, chain=chain)
        return web.Response(text=text, content_type="text/html", headers={"set-cookie": "site=1"})

    app = web.Application()
    app.router.add_get("/", page)
    async with hosted(app) as url:
        yield f"{url}/"


@at_a_size
async def test_the_element_swaps_on_another_site(
    page: Page, portal_service: PortalService, session: aiohttp.ClientSession, elsewhere: str, size: tuple[int, int]
) -> None:
    await page.look(*size)
    wallet = wallet_of(portal_service, session, OWNER + 2)
    await wallet.into(page)
    await page.goto(elsewhere)
    await page.until("usable('#get-token')")
    host = portal_service.base_url.removeprefix("http://")
    await page.see(f"Served by {host} for acme")
    await page.click("#get-token")
    await page.until("deepAll('#tokens [role=option]').length === 2")
    assert await page.evaluate("deepAll('[data-chain]').length") == 1
    await page.press("Escape", 27)
    await page.until("!deep('#search')")
    assert await page.evaluate("focused().id") == "get-token"
    await choose(page, "pay", "ETH")
    await choose(page, "get", "USDC")
    await page.fill("#amount", "0.2")
    await routes(page)
    await connect(page)
    await send(page)
    await page.see("USDC arrived")
    told = await page.until("told.length > 2 && told.some(([name]) => name === 'done') && told")
    names = [name for name, _ in told]
    assert names[0] == "quote"
    assert names[-2:] == ["sent", "done"]
    assert told[-1][1]["state"] == "done"
    assert told[-1][1]["transactionId"] == told[-2][1]["transactionId"]
    assert await page.evaluate("getComputedStyle(deep('#connect, #disconnect')).color") == "rgb(120, 20, 90)"
    asked = [
        headers
        for url, headers in zip(page.requests, page.headers, strict=True)
        if url.startswith(portal_service.base_url)
    ]
    assert asked
    assert not any(name.lower() == "cookie" for headers in asked for name in headers)
    assert faults(page) == []


async def test_only_chains_that_can_be_paid_from_are_offered(page: Page, portal_service: PortalService) -> None:
    """The service says which, on its own page and on others'."""
    async with aiohttp.ClientSession() as asking:
        async with asking.get(f"{portal_service.base_url}/rhumbline-swap.json") as response:
            assert response.headers["access-control-allow-origin"] == "*"
            payers = (await response.json())["payers"]
        async with asking.get(f"{portal_service.base_url}/rhumbline-swap.js") as response:
            assert response.headers["access-control-allow-origin"] == "*"
            assert response.headers["cache-control"] == "no-cache"
    assert payers == [chain.id for chain in portal_service.sandbox.chains]
    await page.goto(portal_service.base_url)
    shown = await page.until("deep('rhumbline-swap').getAttribute('payers')")
    assert shown == " ".join(map(str, payers))
