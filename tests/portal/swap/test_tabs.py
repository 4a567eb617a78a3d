"""Two tabs of one browser with the same transfers: neither sends twice, both show the same."""

from collections.abc import AsyncIterator

import aiohttp
import pytest

from tests.portal.chromium import Browser, Page
from tests.portal.stack import PortalService
from tests.portal.story import OWNER, wallet_of
from tests.portal.swapping import connect, hashes, opened, routes, send, take
from tests.portal.wallet import TestWallet

GO_ON = "!!deep('.next') && !deep('.next').disabled && deep('.next').ariaDisabled !== 'true'"
# Holds back the service's answer of a step until it is let go.
STEPS_HELD = """
const asked = window.fetch;
window.fetch = async (url, options) => {
  if (String(url).endsWith('/v1/advanced/stepTransaction') && window.hold) {
    window.holding = true;
    await new Promise((resolve) => { window.release = resolve; });
  }
  return asked(url, options);
};
"""


@pytest.fixture
async def wallet(portal_service: PortalService, session: aiohttp.ClientSession) -> TestWallet:
    return wallet_of(portal_service, session, OWNER + 2)


@pytest.fixture
async def tabs(browser: Browser, page: Page, wallet: TestWallet) -> tuple[Page, Page]:
    """Two tabs of one profile, one of them a phone's size, with the wallet in both."""
    other = await browser.page(390, 844, beside=page)
    for each in (page, other):
        await wallet.into(each)
        await each.send("Page.addScriptToEvaluateOnNewDocument", source=STEPS_HELD)
    return page, other


@pytest.fixture
async def behaving(portal_service: PortalService, session: aiohttp.ClientSession) -> AsyncIterator[None]:
    """The bridge behaves again afterwards."""
    yield
    await portal_service.tell(session, "RELAY")


async def swapping(page: Page, portal_service: PortalService) -> None:
    here = portal_service.sandbox.evm_chains[0]
    await opened(page, portal_service.base_url, f"?from={here.id}:USDC&to={here.id}:WETH&amount=23.5")
    await routes(page)
    await connect(page)
    await send(page)


async def test_a_transfer_of_one_tab_is_in_the_others_history_and_ends_there_as_well(
    tabs: tuple[Page, Page],
    portal_service: PortalService,
    session: aiohttp.ClientSession,
    wallet: TestWallet,
    behaving: None,
) -> None:
    one, other = tabs
    here, there = portal_service.sandbox.evm_chains
    await portal_service.tell(session, "RELAY", outcome="never")
    await opened(other, portal_service.base_url)
    await other.click("#history")
    await other.see("Nothing yet")
    await opened(one, portal_service.base_url, f"?from={here.id}:USDC&to={there.id}:USDC&amount=66")
    await connect(one)
    await take(one, "RELAY")
    await send(one)
    await other.see("On its way", 30)
    await portal_service.tell(session, "RELAY")
    await other.until("deep('.transfers .badge').textContent === 'Arrived'", 40)
    await one.see("USDC arrived on Sandbox B", 30)
    await other.click(".transfers summary")
    assert await hashes(one) == await hashes(other)
    assert len(wallet.transactions()) == 2


async def test_a_step_that_one_tab_is_at_is_not_signed_in_the_other(
    tabs: tuple[Page, Page], portal_service: PortalService, wallet: TestWallet
) -> None:
    """Both offer it; one asks for its transaction, the other may not, nor once it is sent."""
    one, other = tabs
    hold = wallet.hold("eth_sendTransaction")
    await swapping(one, portal_service)
    await hold.reached.wait()
    await opened(one, portal_service.base_url)
    await opened(other, portal_service.base_url)
    hold.set()
    await wallet.receipt(await wallet.sent(1))
    for tab in tabs:
        await tab.until(GO_ON)
    await one.evaluate("window.hold = true")
    await one.click(".next")
    await one.until("window.holding")
    await other.click(".next")
    await other.see("Another tab of this page is at this transfer")
    await one.evaluate("release()")
    await one.see("WETH arrived", 30)
    await other.see("WETH arrived", 30)
    assert not await other.evaluate("!!deep('.next')")
    assert len(wallet.transactions()) == 2


async def test_a_tab_that_is_closed_leaves_its_step_to_the_other(
    tabs: tuple[Page, Page], portal_service: PortalService, wallet: TestWallet
) -> None:
    """While the wallet is asked for an approval, the other tab waits; then it goes on, and asks for no second one."""
    one, other = tabs
    hold = wallet.hold("eth_sendTransaction")
    await swapping(one, portal_service)
    await hold.reached.wait()
    await opened(other, portal_service.base_url)
    await other.see("Approve exactly 23.5 USDC in your wallet")
    assert not await other.evaluate("!!deep('.next')")
    await one.goto("about:blank")
    await other.until(GO_ON)
    hold.set()
    await wallet.receipt(await wallet.sent(1))
    await other.click(".next")
    await other.see("WETH arrived", 30)
    assert len(wallet.transactions()) == 2


async def test_what_one_tab_removes_is_gone_from_the_other(
    tabs: tuple[Page, Page], portal_service: PortalService, wallet: TestWallet
) -> None:
    """A swap that is declined in the end was never begun, in either."""
    one, other = tabs
    here = portal_service.sandbox.evm_chains[0]
    hold = wallet.hold("eth_sendTransaction")
    wallet.refuse = lambda method: method == "eth_sendTransaction"
    await opened(one, portal_service.base_url, f"?from={here.id}:ETH&to={here.id}:DAI&amount=0.04")
    await connect(one)
    await send(one)
    await hold.reached.wait()
    await opened(other, portal_service.base_url)
    await other.see("Sign in your wallet")
    hold.set()
    await one.see("You declined in the wallet. Nothing was sent")
    await other.until("!deep('.progress')")
    await other.click("#history")
    await other.see("Nothing yet")
