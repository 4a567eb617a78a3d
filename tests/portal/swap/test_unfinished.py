"""A reload at every moment of a transfer: everything is still there, and goes on."""

from typing import Any

from tests.portal.chromium import Page
from tests.portal.stack import PortalService, Tell
from tests.portal.swap_box import (
    STORAGE,
    by_relay,
    error,
    faults,
    keep_nothing,
    on_its_way,
    opened,
    otherwise,
    quoted,
    send,
    send_held,
)
from tests.portal.wallet import TestWallet, always


async def test_an_approval_that_was_pending_is_taken_up_again(
    page: Page, portal_service: PortalService, wallet: TestWallet
) -> None:
    """The wallet was asked, the page is loaded anew, the approval is given meanwhile: it is not asked for twice."""
    await quoted(page, portal_service, "?from=HERE:USDC&to=HERE:WETH&amount=321.5")
    hold = await send_held(page, wallet)
    await page.see("Approve exactly 321.5 USDC in your wallet")
    await opened(page, portal_service)
    hold.set()
    await wallet.receipt(await wallet.sent(1))
    await page.click(".next")
    await page.see("WETH arrived")
    selectors = [each["data"][:10] for each in wallet.transactions()]
    assert selectors.count("0x095ea7b3") == 1
    assert len(selectors) == 2


async def test_a_signature_that_was_pending_is_found(
    page: Page, portal_service: PortalService, wallet: TestWallet
) -> None:
    """The wallet sends it when the page that asked is long gone: the service tells that it was."""
    await quoted(page, portal_service, "?from=HERE:ETH&to=HERE:DAI&amount=0.05")
    hold = await send_held(page, wallet)
    await page.see("Sign in your wallet")
    await opened(page, portal_service)
    await page.see("If you have signed already, it appears here by itself")
    hold.set()
    await page.see("DAI arrived")
    assert len(wallet.transactions()) == 1


async def test_a_transfer_on_its_way_is_there_after_a_reload_and_in_another_tab(
    page: Page, portal_service: PortalService, wallet: TestWallet, relay: Tell
) -> None:
    await on_its_way(page, portal_service, relay, "77")
    assert (await page.text(".headline")).startswith("Waiting for Relay, usually ")
    await opened(page, portal_service)
    await page.see("On its way to Sandbox B")
    await page.click("#history")
    await page.see("On its way")
    await relay()
    await page.click(".transfers summary")
    await page.see("USDC arrived on Sandbox B")
    await opened(page, portal_service)
    await page.click("#history")
    await page.until("deep('.transfers .badge').textContent === 'Arrived'")


async def test_a_refund_is_said_in_words(
    page: Page, portal_service: PortalService, wallet: TestWallet, relay: Tell
) -> None:
    await relay(outcome="refund")
    await by_relay(page, portal_service, "88")
    await send(page)
    await page.see("Relay could not deliver, and sent your USDC back to the wallet that paid")


async def test_a_recovery_is_said_in_words(
    page: Page, portal_service: PortalService, wallet: TestWallet, relay: Tell
) -> None:
    """A swap that failed where it was to arrive, as the service tells of it (tests/routing makes one fail)."""
    await otherwise(page, "/stream", error("NOT_FOUND", 404))
    await on_its_way(page, portal_service, relay, "66")
    await page.evaluate(
        "(() => { const asked = window.fetch; window.fetch = async (url, ...more) => {"
        "const answer = await asked(url, ...more);"
        "if (!String(url).includes('/v1/status/') || !answer.ok) return answer;"
        "return new Response(JSON.stringify({...(await answer.json()), status: 'recovered'})); }; })()"
    )
    await page.see("the tokens were handed to the receiver in another form. Look in the receiving wallet")
    await page.click("#history")
    await page.until("deep('.transfers .badge').textContent === 'Recovered'")


@STORAGE
async def test_a_browser_that_keeps_nothing_swaps_all_the_same(
    page: Page, portal_service: PortalService, wallet: TestWallet, storage: str
) -> None:
    await keep_nothing(page, storage)
    await quoted(page, portal_service, "?from=HERE:USDC&to=HERE:WETH&amount=12.5")
    await send(page)
    await page.see("WETH arrived")
    await page.click("#history")
    await page.see("does not let the page keep anything")
    assert faults(page) == []


async def test_what_was_kept_by_a_stranger_breaks_nothing(page: Page, portal_service: PortalService) -> None:
    await opened(page, portal_service)
    await page.evaluate(
        "for (const [k, v] of Object.entries({a: '{', b: 'null', c: '{\"id\": \"c\"}', d: '[]'}))"
        "localStorage.setItem('rhumbline-swap/transfer/' + k, v)"
    )
    await opened(page, portal_service)
    await page.click("#history")
    await page.see("Nothing yet")
    assert page.faults == []


async def test_one_batch_where_the_wallet_makes_one(
    page: Page, portal_service: PortalService, wallet: TestWallet
) -> None:
    """EIP-5792: the wallet gets approval and swap as one; it sends both here, as a wallet of its own kind would."""
    batches: list[Any] = []

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
        "wallet_getCapabilities": always({hex(wallet.chain_id): {"atomic": {"status": "supported"}}}),
        "wallet_sendCalls": calls,
        "wallet_getCallsStatus": status,
    }
    await quoted(page, portal_service, "?from=HERE:USDC&to=HERE:WETH&amount=45.25")
    await send(page)
    await page.see("WETH arrived")
    assert wallet.transactions() == []
    chain = portal_service.sandbox.evm_chains[0]
    assert [call["to"].lower() for call in batches[0]["calls"]] == [
        chain.tokens["USDC"].address.lower(),
        chain.contracts["diamond"].lower(),
    ]
    assert (batches[0]["atomicRequired"], batches[0]["chainId"]) == (True, hex(chain.id))
