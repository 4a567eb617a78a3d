"""A reload at every single moment: of a swap, of a transfer by a bridge, and of a route of several steps."""

from tests.portal.chromium import Page
from tests.portal.sizes import at_a_size
from tests.portal.stack import PortalService, Tell
from tests.portal.swap.blocks import Mining
from tests.portal.swap_box import by_relay, in_several_steps, opened, quoted, send, send_held
from tests.portal.wallet import TestWallet

STATE = "deep('.progress').dataset.state"
SIGNING = "If you have signed already, it appears here by itself"


async def approved(page: Page, portal_service: PortalService, wallet: TestWallet, mining: Mining) -> None:
    """From the first button to a mined approval, with a reload before it is signed, and one before it is mined."""
    hold = await send_held(page, wallet)
    await page.until(f"{STATE} === 'approving'")
    await opened(page, portal_service)
    await page.until("usable('.next')")
    hold.set()
    approval = await wallet.sent(1)
    await opened(page, portal_service)
    await page.until("usable('.next')")
    await mining.mine()
    await wallet.receipt(approval)
    # Mined, and nothing signed for the step itself yet.
    await opened(page, portal_service)
    await page.until("usable('.next')")


async def left(page: Page, portal_service: PortalService, wallet: TestWallet, mining: Mining) -> None:
    """From a mined approval to a mined transaction, with a reload before it is signed, and one before it is mined."""
    hold = wallet.hold("eth_sendTransaction")
    await page.click(".next")
    await hold.reached()
    await page.until(f"{STATE} === 'signing'")
    await opened(page, portal_service)
    await page.see(SIGNING)
    hold.set()
    await wallet.sent(2)
    await opened(page, portal_service)
    await page.see(SIGNING)
    assert not await page.evaluate("!!deep('.next')")
    await mining.mine()


async def ended(page: Page, portal_service: PortalService, wallet: TestWallet, transactions: int) -> None:
    await opened(page, portal_service)
    await page.click("#history")
    await page.until("deepAll('.transfers .badge').map((e) => e.textContent).join() === 'Arrived'")
    assert len(wallet.transactions()) == transactions


@at_a_size
async def test_a_swap(
    page: Page, portal_service: PortalService, wallet: TestWallet, mining: Mining, size: tuple[int, int]
) -> None:
    await page.look(*size)
    await quoted(page, portal_service, "?from=HERE:USDC&to=HERE:WETH&amount=41.5")
    await approved(page, portal_service, wallet, mining)
    await left(page, portal_service, wallet, mining)
    await page.see("WETH arrived")
    await ended(page, portal_service, wallet, 2)


async def test_a_swap_that_is_sent_and_not_mined(
    page: Page, portal_service: PortalService, wallet: TestWallet, mining: Mining
) -> None:
    """The page knows its hash: it says so after the reload."""
    await quoted(page, portal_service, "?from=HERE:ETH&to=HERE:DAI&amount=0.03")
    await send(page)
    await page.see("Sent, waiting to be confirmed")
    await opened(page, portal_service)
    await page.see("Sent, waiting to be confirmed")
    await mining.mine()
    await page.see("DAI arrived")
    await ended(page, portal_service, wallet, 1)


async def test_a_transfer_by_a_bridge(
    page: Page, portal_service: PortalService, wallet: TestWallet, relay: Tell, mining: Mining
) -> None:
    await relay(outcome="never")
    await by_relay(page, portal_service, "55")
    await approved(page, portal_service, wallet, mining)
    await left(page, portal_service, wallet, mining)
    await page.see("On its way to Sandbox B")
    await opened(page, portal_service)
    await page.see("On its way to Sandbox B")
    await mining.go_on()
    await relay()
    await page.see("USDC arrived on Sandbox B")
    await ended(page, portal_service, wallet, 2)


async def test_a_route_of_several_steps(
    page: Page, portal_service: PortalService, wallet: TestWallet, mining: Mining
) -> None:
    """Each moment of its first step, and of the others while they are signed and once they are sent."""
    await in_several_steps(page, portal_service, "450")
    await approved(page, portal_service, wallet, mining)
    await left(page, portal_service, wallet, mining)
    await mining.go_on()
    await page.until("deep('.next')?.textContent.startsWith('Next: ')")
    await opened(page, portal_service)
    done = f"{STATE} === 'done'"
    for number in range(3, 8):
        await page.until("usable('.next')")
        hold = wallet.hold("eth_sendTransaction")
        await page.click(".next")
        await hold.reached()
        await page.until(f"['approving', 'signing'].includes({STATE})")
        await opened(page, portal_service)
        hold.set()
        await wallet.receipt(await wallet.sent(number))
        await page.until(f"{done} || usable('.next')")
        if await page.evaluate(done):
            break
    await page.see("WBTC arrived")
    await ended(page, portal_service, wallet, number)
