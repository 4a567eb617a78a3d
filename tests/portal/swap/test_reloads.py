"""A reload at every single moment: of a swap, of a transfer by a bridge, and of a route of several steps."""

from collections.abc import AsyncIterator

import aiohttp
import pytest

from tests.portal.chromium import Page
from tests.portal.stack import PortalService
from tests.portal.story import OWNER, wallet_of
from tests.portal.swap.mining import Mining
from tests.portal.swap.test_steps import BY_ACROSS
from tests.portal.swapping import connect, opened, routes, send, take
from tests.portal.wallet import TestWallet

GO_ON = "!!deep('.next') && !deep('.next').disabled && deep('.next').ariaDisabled !== 'true'"
STATE = "deep('.progress').dataset.state"
SIGNING = "If you have signed already, it appears here by itself"
SIZES = pytest.mark.parametrize("size", [(1280, 900), (390, 844)], ids=["desktop", "phone"])


@pytest.fixture
async def wallet(page: Page, portal_service: PortalService, session: aiohttp.ClientSession) -> TestWallet:
    found = wallet_of(portal_service, session, OWNER + 2)
    await found.into(page)
    return found


@pytest.fixture
async def mining(portal_service: PortalService, session: aiohttp.ClientSession) -> AsyncIterator[Mining]:
    async with Mining.held(portal_service.sandbox.evm_chains[0].rpc_url, session) as held:
        yield held


@pytest.fixture
async def behaving(portal_service: PortalService, session: aiohttp.ClientSession) -> AsyncIterator[None]:
    """The bridge behaves again afterwards."""
    yield
    await portal_service.tell(session, "RELAY")


async def approved(page: Page, portal_service: PortalService, wallet: TestWallet, mining: Mining) -> None:
    """From the first button to a mined approval, with a reload before it is signed, and one before it is mined."""
    hold = wallet.hold("eth_sendTransaction")
    await send(page)
    await hold.reached.wait()
    await page.until(f"{STATE} === 'approving'")
    await opened(page, portal_service.base_url)
    await page.until(GO_ON)
    hold.set()
    approval = await wallet.sent(1)
    await opened(page, portal_service.base_url)
    await page.until(GO_ON)
    await mining.mine()
    await wallet.receipt(approval)
    # Mined, and nothing signed for the step itself yet.
    await opened(page, portal_service.base_url)
    await page.until(GO_ON)


async def left(page: Page, portal_service: PortalService, wallet: TestWallet, mining: Mining) -> None:
    """From a mined approval to a mined transaction, with a reload before it is signed, and one before it is mined."""
    hold = wallet.hold("eth_sendTransaction")
    await page.click(".next")
    await hold.reached.wait()
    await page.until(f"{STATE} === 'signing'")
    await opened(page, portal_service.base_url)
    await page.see(SIGNING)
    hold.set()
    await wallet.sent(2)
    await opened(page, portal_service.base_url)
    await page.see(SIGNING)
    assert not await page.evaluate("!!deep('.next')")
    await mining.mine()


async def ended(page: Page, portal_service: PortalService, wallet: TestWallet, transactions: int) -> None:
    await opened(page, portal_service.base_url)
    await page.click("#history")
    await page.until("deepAll('.transfers .badge').map((e) => e.textContent).join() === 'Arrived'")
    assert len(wallet.transactions()) == transactions


@SIZES
async def test_a_swap(
    page: Page, portal_service: PortalService, wallet: TestWallet, mining: Mining, size: tuple[int, int]
) -> None:
    await page.look(*size)
    here = portal_service.sandbox.evm_chains[0]
    await opened(page, portal_service.base_url, f"?from={here.id}:USDC&to={here.id}:WETH&amount=41.5")
    await routes(page)
    await connect(page)
    await approved(page, portal_service, wallet, mining)
    await left(page, portal_service, wallet, mining)
    await page.see("WETH arrived", 30)
    await ended(page, portal_service, wallet, 2)


async def test_a_swap_that_is_sent_and_not_mined(
    page: Page, portal_service: PortalService, wallet: TestWallet, mining: Mining
) -> None:
    """The page knows its hash: it says so after the reload."""
    here = portal_service.sandbox.evm_chains[0]
    await opened(page, portal_service.base_url, f"?from={here.id}:ETH&to={here.id}:DAI&amount=0.03")
    await routes(page)
    await connect(page)
    await send(page)
    await page.see("Sent, waiting until it is in a block")
    await opened(page, portal_service.base_url)
    await page.see("Sent, waiting until it is in a block")
    await mining.mine()
    await page.see("DAI arrived", 30)
    await ended(page, portal_service, wallet, 1)


async def test_a_transfer_by_a_bridge(
    page: Page,
    portal_service: PortalService,
    session: aiohttp.ClientSession,
    wallet: TestWallet,
    behaving: None,
    mining: Mining,
) -> None:
    here, there = portal_service.sandbox.evm_chains
    await portal_service.tell(session, "RELAY", outcome="never")
    await opened(page, portal_service.base_url, f"?from={here.id}:USDC&to={there.id}:USDC&amount=55")
    await connect(page)
    await take(page, "RELAY")
    await approved(page, portal_service, wallet, mining)
    await left(page, portal_service, wallet, mining)
    await page.see("On its way to Sandbox B", 30)
    await opened(page, portal_service.base_url)
    await page.see("On its way to Sandbox B")
    await mining.go_on()
    await portal_service.tell(session, "RELAY")
    await page.see("USDC arrived on Sandbox B", 40)
    await ended(page, portal_service, wallet, 2)


async def test_a_route_of_several_steps(
    page: Page, portal_service: PortalService, wallet: TestWallet, mining: Mining
) -> None:
    """Each moment of its first step, and of the others while they are signed and once they are sent."""
    here, there = portal_service.sandbox.evm_chains
    await page.send("Page.addScriptToEvaluateOnNewDocument", source=BY_ACROSS)
    await opened(page, portal_service.base_url, f"?from={here.id}:DAI&to={there.id}:WBTC&amount=450")
    await connect(page)
    await routes(page)
    several = "deepAll('#routes tbody').findIndex((e) => +e.querySelector('[data-label=Steps]').innerText > 1)"
    place = await page.evaluate(several)
    assert place >= 0
    await page.click(f"#routes tbody:nth-of-type({place + 1}) .pick")
    await approved(page, portal_service, wallet, mining)
    await left(page, portal_service, wallet, mining)
    await mining.go_on()
    await page.until("deep('.next')?.textContent.startsWith('Next: ')", 40)
    await opened(page, portal_service.base_url)
    done = f"{STATE} === 'done'"
    for number in range(3, 8):
        await page.until(GO_ON)
        hold = wallet.hold("eth_sendTransaction")
        await page.click(".next")
        await hold.reached.wait()
        await page.until(f"['approving', 'signing'].includes({STATE})")
        await opened(page, portal_service.base_url)
        hold.set()
        await wallet.receipt(await wallet.sent(number))
        await page.until(f"{done} || ({GO_ON})", 40)
        if await page.evaluate(done):
            break
    await page.see("WBTC arrived")
    await ended(page, portal_service, wallet, number)
