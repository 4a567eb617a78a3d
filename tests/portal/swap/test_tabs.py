"""Two tabs of one browser with the same transfers: neither sends twice, both show the same."""

import pytest

from tests.portal.chromium import Browser, Page
from tests.portal.sizes import PHONE
from tests.portal.stack import PortalService, Tell
from tests.portal.swap_box import connect, hashes, on_its_way, opened, quoted, send_held
from tests.portal.wallet import TestWallet

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
async def tabs(browser: Browser, page: Page, wallet: TestWallet) -> tuple[Page, Page]:
    """Two tabs of one profile, one of them a phone's size, with the wallet in both."""
    other = await browser.page(*PHONE, beside=page)
    await wallet.into(other)
    for each in (page, other):
        await each.begin_with(STEPS_HELD)
    return page, other


async def test_a_transfer_of_one_tab_is_in_the_others_history_and_ends_there_as_well(
    tabs: tuple[Page, Page], portal_service: PortalService, wallet: TestWallet, relay: Tell
) -> None:
    one, other = tabs
    await opened(other, portal_service)
    await other.click("#history")
    await other.see("Nothing yet")
    await on_its_way(one, portal_service, relay, "66")
    await other.see("On its way")
    await relay()
    await other.until("deep('.transfers .badge').textContent === 'Arrived'")
    await one.see("USDC arrived on Sandbox B")
    await other.click(".transfers summary")
    assert await hashes(one) == await hashes(other)
    assert len(wallet.transactions()) == 2


async def test_a_step_that_one_tab_is_at_is_not_signed_in_the_other(
    tabs: tuple[Page, Page], portal_service: PortalService, wallet: TestWallet
) -> None:
    """Both offer it; one asks for its transaction, the other may not, nor once it is sent."""
    one, other = tabs
    await quoted(one, portal_service, "?from=HERE:USDC&to=HERE:WETH&amount=23.5")
    hold = await send_held(one, wallet)
    await opened(one, portal_service)
    await opened(other, portal_service)
    hold.set()
    await wallet.receipt(await wallet.sent(1))
    for tab in tabs:
        await tab.until("usable('.next')")
    await one.evaluate("window.hold = true")
    await one.click(".next")
    await one.until("window.holding")
    await other.click(".next")
    await other.see("Another tab is working on this transfer")
    await one.evaluate("release()")
    await one.see("WETH arrived")
    await other.see("WETH arrived")
    assert not await other.evaluate("!!deep('.next')")
    assert len(wallet.transactions()) == 2


async def test_a_tab_that_is_closed_leaves_its_step_to_the_other(
    tabs: tuple[Page, Page], portal_service: PortalService, wallet: TestWallet
) -> None:
    """While the wallet is asked for an approval, the other tab waits; then it goes on, and asks for no second one."""
    one, other = tabs
    await quoted(one, portal_service, "?from=HERE:USDC&to=HERE:WETH&amount=23.5")
    hold = await send_held(one, wallet)
    await opened(other, portal_service)
    await other.see("Approve exactly 23.5 USDC in your wallet")
    assert not await other.evaluate("!!deep('.next')")
    await one.send("Page.close")
    await other.until("usable('.next')")
    hold.set()
    await wallet.receipt(await wallet.sent(1))
    await other.click(".next")
    await other.see("WETH arrived")
    assert len(wallet.transactions()) == 2


async def test_what_one_tab_removes_is_gone_from_the_other(
    tabs: tuple[Page, Page], portal_service: PortalService, wallet: TestWallet
) -> None:
    """A swap that is declined in the end was never begun, in either."""
    one, other = tabs
    wallet.refuse = lambda method: method == "eth_sendTransaction"
    await opened(one, portal_service, "?from=HERE:ETH&to=HERE:DAI&amount=0.04")
    await connect(one)
    hold = await send_held(one, wallet)
    await opened(other, portal_service)
    await other.see("Sign in your wallet")
    hold.set()
    await one.see("You declined in the wallet. Nothing was sent")
    await other.until("!deep('.progress')")
    await other.click("#history")
    await other.see("Nothing yet")
