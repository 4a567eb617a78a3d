"""Wallets that are locked, hang, break off, or become others in the middle of a transfer."""

from typing import Any

import pytest

from tests.portal.chromium import Page
from tests.portal.sizes import at_a_size, sound
from tests.portal.stack import PortalService
from tests.portal.swap_box import BUTTON, connect, opened, quoted, send, send_held
from tests.portal.wallet import TestWallet, WalletRefusal, always

SWAP = "?from=HERE:ETH&to=HERE:DAI&amount=0.05"


async def test_a_locked_wallet_is_to_be_unlocked(page: Page, portal_service: PortalService, wallet: TestWallet) -> None:
    """It shows no account first; unlocked, it is taken."""
    shown: list[str] = []
    wallet.answers |= {"eth_requestAccounts": always(shown), "eth_accounts": always(shown)}
    await opened(page, portal_service, "?amount=5")
    await page.click("#connect")
    await page.click("#wallet-list button")
    await page.see("The wallet shows no account: unlock it, then try again")
    shown.append(wallet.address)
    await page.click("#wallet-list button")
    await page.until("!!deep('#wallet-state')")


async def test_a_wallet_that_answers_late_does_not_push_out_the_one_that_was_chosen(
    page: Page, portal_service: PortalService, wallet: TestWallet, other_wallet: TestWallet
) -> None:
    """It hangs while it is asked for its account; the dialog can be closed, and it is asked once more."""
    hold = wallet.hold("eth_requestAccounts")
    await opened(page, portal_service, "?amount=5")
    await page.click("#connect")
    await page.click("#wallet-list button")
    await hold.reached()
    await page.press("Escape", 27)
    await page.until("!deep('#wallet-dialog')")
    del wallet.held["eth_requestAccounts"]
    await connect(page)
    wallet.answers["eth_requestAccounts"] = always([other_wallet.address])
    hold.set()
    await wallet.asked_for("eth_chainId", times=2)
    assert wallet.address[-4:] in await page.text("#wallet-state")


async def test_a_wallet_that_hangs_while_it_connects_can_be_left(
    page: Page, portal_service: PortalService, wallet: TestWallet
) -> None:
    """The dialog says whom it waits for; cancelled, it offers the list again, and a late answer is not taken."""
    hold = wallet.hold("eth_requestAccounts")
    await opened(page, portal_service, "?amount=5")
    await page.click("#connect")
    await page.click("#wallet-list button")
    await hold.reached()
    await page.see("Waiting for Sextant…")
    await page.until("focused()?.id === 'wallet-cancel'")
    await sound(page)
    await page.press("Enter", 13)
    await page.see("Sextant was not connected. What it answers now is not taken")
    hold.set()
    await page.until("!!deep('#wallet-list button') && !deep('#wallet-waiting')")
    del wallet.held["eth_requestAccounts"]
    assert not await page.evaluate("!!deep('#wallet-state')")
    await page.click("#wallet-list button")
    await page.until("!!deep('#wallet-state') && !deep('#wallet-dialog') && focused()?.id === 'disconnect'")


async def test_what_is_drawn_while_the_dialog_closes_does_not_open_it_again(
    page: Page, portal_service: PortalService, wallet: TestWallet
) -> None:
    """It would take the focus, and what is typed meanwhile would be lost."""
    await opened(page, portal_service)
    await page.click("#connect")
    await page.until("deep('#wallet-dialog')?.open")
    drawn = "const box = deep('rhumbline-swap'); box.requestUpdate(); await box.updateComplete"
    still = f"(async () => {{ deep('#wallet-dialog').close(); {drawn}; return !!deep('dialog[open]'); }})()"
    assert not await page.evaluate(still)
    await page.until("!deep('#wallet-dialog') && focused().id === 'connect'")
    await connect(page)


@pytest.mark.parametrize("method", ["eth_requestAccounts", "eth_chainId"])
async def test_a_wallet_that_fails_while_it_connects_says_so(
    page: Page, portal_service: PortalService, wallet: TestWallet, method: str
) -> None:
    wallet.refuse = lambda asked: asked == method
    await opened(page, portal_service, "?amount=5")
    await page.click("#connect")
    await page.click("#wallet-list button")
    await page.see("You declined in the wallet. Nothing was sent")
    wallet.refuse = lambda asked: False
    await page.click("#wallet-list button")
    await page.until("!!deep('#wallet-state')")


@at_a_size
async def test_a_wallet_that_hangs_can_be_left_and_what_it_sends_is_found(
    page: Page, portal_service: PortalService, wallet: TestWallet, size: tuple[int, int]
) -> None:
    await page.look(*size)
    await quoted(page, portal_service, SWAP)
    hold = await send_held(page, wallet)
    await page.see("If your wallet shows nothing, open it yourself")
    await page.click(".leave")
    await page.see("If you sign all the same, it appears here by itself")
    await page.until("deep('#amount').value === '' && !deep('.leave')")
    await page.fill("#amount", "0.01")
    await page.until(f"{BUTTON} === 'Swap'")
    hold.set()
    await page.see("DAI arrived")
    assert len(wallet.transactions()) == 1


async def test_what_a_left_wallet_refuses_in_the_end_was_never_sent(
    page: Page, portal_service: PortalService, wallet: TestWallet
) -> None:
    wallet.refuse = lambda method: method == "eth_sendTransaction"
    await quoted(page, portal_service, SWAP)
    hold = await send_held(page, wallet)
    await page.click(".leave")
    await page.until("deep('.progress').dataset.state === 'signing' && !deep('.leave')")
    hold.set()
    await page.until("!deep('.progress')")
    await page.click("#history")
    await page.see("Nothing yet")


async def test_a_wallet_that_hangs_over_its_chain_can_be_left(
    page: Page, portal_service: PortalService, wallet: TestWallet
) -> None:
    here, there = portal_service.sandbox.evm_chains
    wallet.chain_id = there.id
    hold = wallet.hold("wallet_switchEthereumChain")
    await quoted(page, portal_service, SWAP)
    await page.until(f"{BUTTON} === 'Switch to {here.name}'")
    await page.click("#go")
    await hold.reached()
    await page.click(".leave")
    await page.until(f"{BUTTON} === 'Switch to {here.name}'")
    hold.set()
    del wallet.held["wallet_switchEthereumChain"]
    await page.until(f"{BUTTON}.startsWith('Swap') || {BUTTON} === 'Switch to {here.name}'")
    assert wallet.transactions() == []


async def test_a_wallet_that_sends_and_says_it_failed(
    page: Page, portal_service: PortalService, wallet: TestWallet
) -> None:
    """As where the line to a phone breaks: nobody is told that nothing was sent, and it is found."""

    async def broken(params: list[Any]) -> str:
        await wallet.send_transaction(params[0])
        raise WalletRefusal(-32603, "Request expired")

    wallet.answers["eth_sendTransaction"] = broken
    await quoted(page, portal_service, SWAP)
    await send(page)
    await page.see("The wallet gave no clear answer (Request expired)")
    await page.see("DAI arrived")
    assert await page.evaluate("deep('#amount').value") == ""


async def test_a_wallet_that_has_lost_its_chain_sends_nothing(
    page: Page, portal_service: PortalService, wallet: TestWallet
) -> None:
    async def lost(_: list[Any]) -> str:
        raise WalletRefusal(4901, "Chain Disconnected")

    await quoted(page, portal_service, SWAP)
    await page.until(f"{BUTTON} === 'Swap'")
    wallet.answers["eth_chainId"] = lost
    await send(page)
    await page.see("The wallet has lost its connection to the chain. Nothing was sent")
    assert wallet.transactions() == []


@pytest.mark.parametrize(
    ("event", "value"), [("disconnect", {"code": 4900}), ("accountsChanged", [])], ids=["disconnects", "locks"]
)
async def test_a_wallet_that_goes_while_it_is_asked(
    page: Page, portal_service: PortalService, wallet: TestWallet, event: str, value: Any
) -> None:
    """The page waits no longer; what was signed all the same is found without it."""
    await quoted(page, portal_service, SWAP)
    hold = await send_held(page, wallet)
    await wallet.tell(page, event, value)
    await page.see("The wallet is locked or has lost its connection")
    await page.until("!!deep('#connect')")
    hold.set()
    await page.see("DAI arrived")


async def test_a_wallet_that_changes_its_account_is_asked_for_nothing_more(
    page: Page, portal_service: PortalService, wallet: TestWallet, other_wallet: TestWallet
) -> None:
    """Between approval and swap: the swap is signed once the account of before is back, and by it."""
    shown = [other_wallet.address]
    await quoted(page, portal_service, "?from=HERE:USDC&to=HERE:WETH&amount=17.75")
    hold = await send_held(page, wallet)
    wallet.answers["eth_accounts"] = always(shown)
    await wallet.tell(page, "accountsChanged", shown)
    await page.until(f"deep('#wallet-state').textContent.includes('{other_wallet.address[-4:]}')")
    hold.set()
    await page.see("The wallet is now on another account, so it was not asked to send")
    assert len(wallet.transactions()) == 1
    await page.click(".next")
    await page.see("This was begun with")
    shown[:] = [wallet.address]
    await wallet.tell(page, "accountsChanged", shown)
    await page.until(f"deep('#wallet-state').textContent.includes('{wallet.address[-4:]}')")
    await page.until("usable('.next')")
    await page.click(".next")
    await page.see("WETH arrived")
    assert len(wallet.transactions()) == 2
