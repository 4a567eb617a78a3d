"""What the swap box makes of an answer: its age, its loss, its minimum, and what the one button says to it."""

from decimal import Decimal

from tests.portal.chromium import Page
from tests.portal.sizes import at_a_size
from tests.portal.stack import PortalService
from tests.portal.swap_box import BUTTON, ROUTES, believed, connect, opened, routes, times_asked
from tests.portal.wallet import TestWallet, always

# Half a minute goes by at once.
AGES_AT_ONCE = """
const later = window.setTimeout;
window.setTimeout = (act, ms, ...more) => later(act, ms === 30000 ? 60 : ms, ...more);
window.jumped = 0;
const look = () => { if (window.deep?.('.skeleton')) window.jumped += 1; requestAnimationFrame(look); };
look();
"""
LOSING = """
const asked = window.fetch;
window.share = 95n;
window.fetch = async (url, options) => {
  const answer = await asked(url, options);
  if (!String(url).endsWith('ROUTES')) return answer;
  const found = await answer.json(), less = (raw) => String(BigInt(raw) * window.share / 100n);
  const routes = found.routes.map((each) => (
    {...each, outputAmount: less(each.outputAmount), minOutputAmount: less(each.minOutputAmount)}
  ));
  return new Response(JSON.stringify({...found, routes}), {status: answer.status});
};
""".replace("ROUTES", ROUTES)


@at_a_size
async def test_an_answer_is_asked_for_anew_and_in_the_end_no_more(
    page: Page, portal_service: PortalService, size: tuple[int, int]
) -> None:
    """Nothing jumps meanwhile, and what has the focus keeps it."""
    await page.look(*size)
    await opened(page, portal_service, "?amount=100")
    await routes(page)
    left = await page.text("#countdown")
    assert left.endswith("s")
    assert 0 < int(left.removesuffix("s")) <= 30
    await page.until(f"deep('#countdown').textContent !== '{left}'")
    await page.begin_with(AGES_AT_ONCE)
    before = times_asked(page)
    await opened(page, portal_service, "?amount=100")
    adapter = (await routes(page))[-1]
    await page.evaluate("jumped = 0")
    await page.click(f"tbody[data-adapter='{adapter}'] .open")
    await page.evaluate("deep('#go').focus()")
    await page.until("!!deep('#renew')")
    assert times_asked(page) - before == 11
    assert await page.evaluate(f"[focused().id, jumped, {BUTTON}]") == ["go", 0, "Connect wallet"]
    await believed(page)
    assert await page.evaluate("deep('.detail').closest('tbody').dataset.adapter") == adapter
    await page.evaluate("deep('#renew').focus()")
    await page.press("Enter", 13)
    await page.until("focused()?.id === 'go' && !!deep('#countdown')")


@at_a_size
async def test_a_loss_is_warned_of_and_a_tenth_takes_a_yes(
    page: Page, portal_service: PortalService, wallet: TestWallet, size: tuple[int, int]
) -> None:
    await page.look(*size)
    await page.begin_with(LOSING)
    await opened(page, portal_service, "?amount=20000")
    await connect(page)
    await routes(page)
    await page.until("!!deep('#loss.mind')")
    assert (await page.text("#loss")).startswith("You lose 5.")
    assert "(−5" in await page.text("#get-usd")
    assert await page.evaluate("deep('#agree')") is None
    await page.until(f"{BUTTON} === 'Approve and swap' && usable('#go')")
    await page.evaluate("window.share = 88n")
    await page.fill("#amount", "20001")
    await page.until(f"!!deep('#loss.bad') && {BUTTON} === 'Confirm the loss first' && !usable('#go')")
    await page.click("#agree")
    await page.until(f"{BUTTON} === 'Approve and swap' && usable('#go')")
    await page.fill("#amount", "20002")
    # The yes was to the other one.
    await page.until(f"!!deep('#routes') && {BUTTON} === 'Confirm the loss first'")
    await page.evaluate("window.share = 100n")
    await page.fill("#amount", "20003")
    await page.until(f"!!deep('#routes') && !deep('#loss') && {BUTTON} === 'Approve and swap'")


@at_a_size
async def test_slippage_is_what_may_be_lost(page: Page, portal_service: PortalService, size: tuple[int, int]) -> None:
    """A preset, one of one's own, none that can be; each is asked with, and the minimum follows."""
    await page.look(*size)
    await opened(page, portal_service, "?amount=500")
    await routes(page)
    assert await page.text("#settings summary") == "Slippage: auto"
    await page.click("#settings summary")
    share = "[deep('.chosen .net').textContent, deep('.chosen [data-label=\"At least\"]').innerText]"
    for choose, percent in (("[data-slippage='1']", "1"), ("", "5")):
        if choose:
            await page.click(choose)
        else:
            await page.fill("#slippage", percent)
        await page.until(f"deep('#settings summary').textContent === 'Slippage: {percent}%' && !!deep('#routes')")
        expected, least = await page.evaluate(share)
        kept = Decimal(least.split()[-1].replace(",", "")) / Decimal(expected.replace(",", ""))
        assert abs(kept - (1 - Decimal(percent) / 100)) < Decimal("0.001")
    for wrong in ("50", "0", "x"):
        await page.fill("#slippage", wrong)
        fault = "Write a percentage above 0 and below 50, such as 0.5"
        await page.until(f"deep('#slippage-fault').textContent === '{fault}'")
        assert await page.text("#go") == "Check the slippage"
        assert not await page.evaluate("usable('#go') || !!deep('#routes')")
    await page.click("[data-slippage='auto']")
    await routes(page)
    assert await page.evaluate("deep('#slippage').value") == ""


@at_a_size
async def test_the_one_button_says_what_is_missing(
    page: Page, portal_service: PortalService, wallet: TestWallet, size: tuple[int, int]
) -> None:
    await page.look(*size)
    here, there = portal_service.sandbox.evm_chains
    wallet.chain_id = there.id
    await opened(page, portal_service, "?from=HERE:USDC&to=HERE:WETH&amount=100")
    await routes(page)
    assert await page.text("#go") == "Connect wallet"
    await connect(page)
    await page.until(f"{BUTTON} === 'Switch to Sandbox A' && usable('#go')")
    await page.click("#go")
    await page.until(f"{BUTTON} === 'Approve and swap' && usable('#go')")
    assert wallet.chain_id == here.id
    await page.fill("#amount", "999999999999")
    await page.until(f"{BUTTON} === 'Not enough USDC' && !usable('#go')")
    wallet.answers["eth_getBalance"] = always(hex(10**9))
    await page.fill("#amount", "100")
    await page.until(f"{BUTTON}.startsWith('Not enough ETH for the network') && !usable('#go')")
    await page.fill("#amount", "")
    await page.until(f"{BUTTON} === 'Enter an amount' && !usable('#go')")
    await page.press("Enter", 13)
    assert wallet.orders() == []
