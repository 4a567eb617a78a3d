"""Wallets that are locked, hang, break off, or become others in the middle of a transfer."""

from typing import Any

import aiohttp
import pytest

from tests.portal.chromium import Page
from tests.portal.stack import PortalService
from tests.portal.story import OWNER, wallet_of
from tests.portal.swapping import connect, opened, routes, send
from tests.portal.wallet import TestWallet, WalletRefusal

BUTTON = "deep('#go').textContent"
GO_ON = "!!deep('.next') && !deep('.next').disabled && deep('.next').ariaDisabled !== 'true'"
SIZES = pytest.mark.parametrize("size", [(1280, 900), (390, 844)], ids=["desktop", "phone"])


@pytest.fixture
async def wallet(page: Page, portal_service: PortalService, session: aiohttp.ClientSession) -> TestWallet:
    found = wallet_of(portal_service, session, OWNER + 2)
    await found.into(page)
    return found


async def asked(
    page: Page, portal_service: PortalService, query: str = "?from=HERE:ETH&to=HERE:DAI&amount=0.05"
) -> None:
    here = portal_service.sandbox.evm_chains[0]
    await opened(page, portal_service.base_url, query.replace("HERE", str(here.id)))
    await routes(page)
    await connect(page)


async def test_a_locked_wallet_is_to_be_unlocked(page: Page, portal_service: PortalService, wallet: TestWallet) -> None:
    """It shows no account first; unlocked, it is taken."""
    locked = [True]

    async def accounts(_: list[Any]) -> list[str]:
        return [] if locked else [wallet.address]

    wallet.answers |= {"eth_requestAccounts": accounts, "eth_accounts": accounts}
    await opened(page, portal_service.base_url, "?amount=5")
    await page.click("#connect")
    await page.click("#wallet-list button")
    await page.see("The wallet shows no account: unlock it, then try again")
    locked.clear()
    await page.click("#wallet-list button")
    await page.until("!!deep('#wallet-state')")


async def test_a_wallet_that_answers_late_does_not_push_out_the_one_that_was_chosen(
    page: Page, portal_service: PortalService, session: aiohttp.ClientSession, wallet: TestWallet
) -> None:
    """It hangs while it is asked for its account; the dialog can be closed, and it is asked once more."""
    late = wallet_of(portal_service, session, OWNER + 3)
    hold = wallet.hold("eth_requestAccounts")

    async def accounts(_: list[Any]) -> list[str]:
        return [late.address]

    await opened(page, portal_service.base_url, "?amount=5")
    await page.click("#connect")
    await page.click("#wallet-list button")
    await hold.reached.wait()
    await page.press("Escape", 27)
    await page.until("!deep('#wallet-dialog')")
    del wallet.held["eth_requestAccounts"]
    await connect(page)
    wallet.answers["eth_requestAccounts"] = accounts
    hold.set()
    await wallet.asked_for("eth_chainId", times=2)
    assert wallet.address[-4:] in await page.text("#wallet-state")


@SIZES
async def test_a_wallet_that_hangs_can_be_left_and_what_it_sends_is_found(
    page: Page, portal_service: PortalService, wallet: TestWallet, size: tuple[int, int]
) -> None:
    await page.look(*size)
    hold = wallet.hold("eth_sendTransaction")
    await asked(page, portal_service)
    await send(page)
    await hold.reached.wait()
    await page.see("If your wallet shows nothing, open it yourself")
    await page.click(".leave")
    await page.see("If you sign all the same, it appears here by itself")
    await page.until("deep('#amount').value === '' && !deep('.leave')")
    await page.fill("#amount", "0.01")
    await page.until(f"{BUTTON} === 'Swap'", 30)
    hold.set()
    await page.see("DAI arrived", 30)
    assert len(wallet.transactions()) == 1


async def test_what_a_left_wallet_refuses_in_the_end_was_never_sent(
    page: Page, portal_service: PortalService, wallet: TestWallet
) -> None:
    hold = wallet.hold("eth_sendTransaction")
    wallet.refuse = lambda method: method == "eth_sendTransaction"
    await asked(page, portal_service)
    await send(page)
    await hold.reached.wait()
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
    await asked(page, portal_service)
    await page.until(f"{BUTTON} === 'Switch to {here.name}'", 30)
    await page.click("#go")
    await hold.reached.wait()
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
    await asked(page, portal_service)
    await send(page)
    await page.see("The wallet gave no clear answer (Request expired)")
    await page.see("DAI arrived", 30)
    assert await page.evaluate("deep('#amount').value") == ""


async def test_a_wallet_that_has_lost_its_chain_sends_nothing(
    page: Page, portal_service: PortalService, wallet: TestWallet
) -> None:
    async def lost(_: list[Any]) -> str:
        raise WalletRefusal(4901, "Chain Disconnected")

    await asked(page, portal_service)
    await page.until(f"{BUTTON} === 'Swap'", 30)
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
    hold = wallet.hold("eth_sendTransaction")
    await asked(page, portal_service)
    await send(page)
    await hold.reached.wait()
    await wallet.tell(page, event, value)
    await page.see("The wallet is locked or has lost its connection")
    await page.until("!!deep('#connect')")
    hold.set()
    await page.see("DAI arrived", 30)


async def test_a_wallet_that_changes_its_account_is_asked_for_nothing_more(
    page: Page, portal_service: PortalService, session: aiohttp.ClientSession, wallet: TestWallet
) -> None:
    """Between approval and swap: the swap is signed once the account of before is back, and by it."""
    other = wallet_of(portal_service, session, OWNER + 3)
    shown = [other.address]

    async def accounts(_: list[Any]) -> list[str]:
        return shown

    hold = wallet.hold("eth_sendTransaction")
    await asked(page, portal_service, "?from=HERE:USDC&to=HERE:WETH&amount=17.75")
    await send(page)
    await hold.reached.wait()
    wallet.answers["eth_accounts"] = accounts
    await wallet.tell(page, "accountsChanged", shown)
    await page.until(f"deep('#wallet-state').textContent.includes('{other.address[-4:]}')")
    hold.set()
    await page.see("The wallet is at another account by now, so it was not asked to send")
    assert len(wallet.transactions()) == 1
    await page.click(".next")
    await page.see("This was begun with")
    shown[:] = [wallet.address]
    await wallet.tell(page, "accountsChanged", shown)
    await page.until(f"deep('#wallet-state').textContent.includes('{wallet.address[-4:]}')")
    await page.until(GO_ON)
    await page.click(".next")
    await page.see("WETH arrived", 30)
    assert len(wallet.transactions()) == 2
