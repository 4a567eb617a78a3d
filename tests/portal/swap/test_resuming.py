"""A reload at every moment of a transfer: everything is still there, and goes on."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest

from tests.portal.chromium import Page
from tests.portal.stack import PortalService
from tests.portal.story import OWNER, wallet_of
from tests.portal.swapping import connect, opened, routes, send, take
from tests.portal.wallet import TestWallet

SENT = ("eth_sendTransaction",)


@pytest.fixture
async def wallet(page: Page, portal_service: PortalService, session: aiohttp.ClientSession) -> TestWallet:
    found = wallet_of(portal_service, session, OWNER + 2)
    await found.into(page)
    return found


@pytest.fixture
async def behaving(portal_service: PortalService, session: aiohttp.ClientSession) -> AsyncIterator[None]:
    """The bridge behaves again afterwards."""
    yield
    await portal_service.tell(session, "RELAY")


def transactions(wallet: TestWallet) -> list[Any]:
    return [params[0] for method, params in wallet.seen if method in SENT]


async def begun(page: Page, portal_service: PortalService, amount: str) -> None:
    here = portal_service.sandbox.evm_chains[0]
    await opened(page, portal_service.base_url, f"?from={here.id}:USDC&to={here.id}:WETH&amount={amount}")
    await routes(page)
    await connect(page)
    await send(page)


async def test_an_approval_that_was_pending_is_taken_up_again(
    page: Page, portal_service: PortalService, wallet: TestWallet
) -> None:
    """The wallet was asked, the page is loaded anew, the approval is given meanwhile: it is not asked for twice."""
    wallet.held["eth_sendTransaction"] = asyncio.Event()
    await begun(page, portal_service, "321.5")
    await page.see("Approve exactly 321.5 USDC in your wallet")
    await opened(page, portal_service.base_url)
    wallet.held.pop("eth_sendTransaction").set()
    for _ in range(200):
        if transactions(wallet):
            break
        await asyncio.sleep(0.02)
    await page.click(".next")
    await page.see("WETH arrived", 30)
    selectors = [each["data"][:10] for each in transactions(wallet)]
    assert selectors.count("0x095ea7b3") == 1
    assert len(selectors) == 2


async def test_a_signature_that_was_pending_is_found(
    page: Page, portal_service: PortalService, wallet: TestWallet
) -> None:
    """The wallet sends it when the page that asked is long gone: the service tells that it was."""
    here = portal_service.sandbox.evm_chains[0]
    wallet.held["eth_sendTransaction"] = asyncio.Event()
    await opened(page, portal_service.base_url, f"?from={here.id}:ETH&to={here.id}:DAI&amount=0.05")
    await routes(page)
    await connect(page)
    await send(page)
    await page.see("Sign in your wallet")
    await opened(page, portal_service.base_url)
    await page.see("If you have signed already, it appears here by itself")
    wallet.held.pop("eth_sendTransaction").set()
    await page.see("DAI arrived", 30)
    assert len(transactions(wallet)) == 1


async def test_a_transfer_on_its_way_is_there_after_a_reload_and_in_another_tab(
    page: Page, portal_service: PortalService, session: aiohttp.ClientSession, wallet: TestWallet, behaving: None
) -> None:
    here, there = portal_service.sandbox.evm_chains
    await portal_service.tell(session, "RELAY", outcome="never")
    await opened(page, portal_service.base_url, f"?from={here.id}:USDC&to={there.id}:USDC&amount=77")
    await connect(page)
    await take(page, "RELAY")
    await send(page)
    await page.see("On its way to Sandbox B", 30)
    await opened(page, portal_service.base_url)
    await page.see("On its way to Sandbox B")
    await page.click("#history")
    await page.see("On its way")
    await portal_service.tell(session, "RELAY")
    await page.click(".transfers summary")
    await page.see("USDC arrived on Sandbox B", 40)
    await opened(page, portal_service.base_url)
    await page.click("#history")
    await page.until("deep('.transfers .badge').textContent === 'Arrived'")


async def test_a_refund_is_said_in_words(
    page: Page, portal_service: PortalService, session: aiohttp.ClientSession, wallet: TestWallet, behaving: None
) -> None:
    here, there = portal_service.sandbox.evm_chains
    await portal_service.tell(session, "RELAY", outcome="refund")
    await opened(page, portal_service.base_url, f"?from={here.id}:USDC&to={there.id}:USDC&amount=88")
    await connect(page)
    await take(page, "RELAY")
    await send(page)
    await page.see("RELAY could not deliver, and sent your USDC back to the wallet that paid", 40)


async def test_a_recovery_is_said_in_words(
    page: Page, portal_service: PortalService, session: aiohttp.ClientSession, wallet: TestWallet, behaving: None
) -> None:
    """A swap that failed where it was to arrive, as the service tells of it (tests/routing makes one fail)."""
    here, there = portal_service.sandbox.evm_chains
    await portal_service.tell(session, "RELAY", outcome="never")
    await opened(page, portal_service.base_url, f"?from={here.id}:USDC&to={there.id}:USDC&amount=66")
    await connect(page)
    await take(page, "RELAY")
    await send(page)
    await page.see("On its way to Sandbox B", 30)
    await page.evaluate(
        "(() => { const asked = window.fetch; window.fetch = async (url, ...more) => {"
        "const answer = await asked(url, ...more);"
        "if (!String(url).includes('/v1/status/') || !answer.ok) return answer;"
        "return new Response(JSON.stringify({...(await answer.json()), status: 'recovered'})); }; })()"
    )
    await page.see("the tokens were handed to the receiver in another form. Look in the receiving wallet", 40)
    await page.click("#history")
    await page.until("deep('.transfers .badge').textContent === 'Recovered'")


@pytest.mark.parametrize("storage", ["forbidden", "full"])
async def test_a_browser_that_keeps_nothing_swaps_all_the_same(
    page: Page, portal_service: PortalService, wallet: TestWallet, storage: str
) -> None:
    deny = "throw new DOMException('no', 'QuotaExceededError');"
    script = (
        f"Storage.prototype.setItem = () => {{ {deny} }};"
        if storage == "full"
        else f"Object.defineProperty(window, 'localStorage', {{get() {{ {deny} }}}});"
    )
    await page.send("Page.addScriptToEvaluateOnNewDocument", source=script)
    await begun(page, portal_service, "12.5")
    await page.see("WETH arrived", 30)
    await page.click("#history")
    await page.see("does not let the page keep anything")
    assert [fault for fault in page.faults if "/v1/status/" not in fault] == []


async def test_what_was_kept_by_a_stranger_breaks_nothing(page: Page, portal_service: PortalService) -> None:
    await opened(page, portal_service.base_url)
    await page.evaluate(
        "for (const [k, v] of Object.entries({a: '{', b: 'null', c: '{\"id\": \"c\"}', d: '[]'}))"
        "localStorage.setItem('rhumbline-swap/transfer/' + k, v)"
    )
    await opened(page, portal_service.base_url)
    await page.click("#history")
    await page.see("Nothing yet")
    assert page.faults == []


async def test_one_batch_where_the_wallet_makes_one(
    page: Page, portal_service: PortalService, wallet: TestWallet
) -> None:
    """EIP-5792: the wallet gets approval and swap as one; it sends both here, as a wallet of its own kind would."""
    batches: list[Any] = []

    async def capabilities(params: list[Any]) -> Any:
        return {hex(wallet.chain_id): {"atomic": {"status": "supported"}}}

    async def calls(params: list[Any]) -> Any:
        batches.append(params[0])
        for call in params[0]["calls"]:
            sent = await wallet.send_transaction({"from": wallet.address, **call})
            await wallet.receipt(sent)
        batches.append(sent)
        return {"id": "0xba7c4"}

    async def status(params: list[Any]) -> Any:
        assert params == ["0xba7c4"]
        return {"status": 200, "receipts": [{"transactionHash": batches[1]}]}

    wallet.answers |= {
        "wallet_getCapabilities": capabilities,
        "wallet_sendCalls": calls,
        "wallet_getCallsStatus": status,
    }
    await begun(page, portal_service, "45.25")
    await page.see("WETH arrived", 30)
    assert transactions(wallet) == []
    chain = portal_service.sandbox.evm_chains[0]
    assert [call["to"].lower() for call in batches[0]["calls"]] == [
        chain.tokens["USDC"].address.lower(),
        chain.contracts["diamond"].lower(),
    ]
    assert (batches[0]["atomicRequired"], batches[0]["chainId"]) == (True, hex(chain.id))
