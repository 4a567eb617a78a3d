"""The routes as people read them: names, fees by kind, and nothing that is cut off at any width or zoom."""

import re

from tests.portal.chromium import Page
from tests.portal.sizes import EVERY_WIDTH, fits
from tests.portal.stack import PortalService
from tests.portal.swap_box import BY_ACROSS, opened, routes

WIDTHS = (320, 390, 560, 768, 900, 1000, 1100, 1280, 1440)
# What is wider than its place: the table within its card, words within their cells.
CUT_OFF = """deepAll(".routes .scroll, #routes th, #routes td, .fees, .routes h2, .routes select" +
    ", #output, .course, .leg")
  .filter((e) => e.checkVisibility() && e.scrollWidth > e.clientWidth + 1)
  .map((e) => `${e.className} ${e.innerText.slice(0, 40)} ${e.scrollWidth} > ${e.clientWidth}`)"""


async def test_nothing_of_the_routes_is_cut_off(page: Page, portal_service: PortalService) -> None:
    """Nor at a zoom of 200 %, which leaves half of the width."""
    await opened(page, portal_service, "?from=HERE:USDC&to=THERE:USDC&amount=800")
    await routes(page)
    await page.click("#routes tbody .open")
    await page.until("!!deep('.detail')")
    for width in WIDTHS:
        for size in [(width, 900), (width // 2, 450)] if width >= 640 else [(width, 900)]:
            await page.look(*size)
            assert await page.evaluate(CUT_OFF) == [], size
            await fits(page, str(size))


async def test_tools_have_their_names(page: Page, portal_service: PortalService) -> None:
    await opened(page, portal_service, "?from=HERE:USDC&to=HERE:ETH&amount=100")
    keys = await routes(page)
    names = await page.evaluate("deepAll('#routes .pick').map((e) => e.innerText.trim())")
    named = dict(zip(keys, names, strict=True))
    assert named["ONCHAIN"] == "On-chain pools"
    assert named["OKX"] == "OKX DEX"
    assert await page.evaluate("deepAll('#routes .pick .logo').every((e) => e.src.startsWith(location.origin))")
    await page.click("tbody[data-adapter=ONCHAIN] .open")
    await page.until("deep('.course .venue')?.textContent === 'On-chain pools'")
    await page.see("by On-chain pools")
    assert await page.text(".signatures") == "You sign up to 1 approval and 1 transaction."


async def test_fees_are_one_line_for_each_kind(page: Page, portal_service: PortalService) -> None:
    await opened(page, portal_service, "?from=HERE:WETH&to=HERE:DAI&amount=300")
    await routes(page)
    await page.click("tbody[data-adapter=ONCHAIN] .open")
    await page.until("!!deep('.fees')")
    lines = await page.evaluate("deepAll('.fees th').map((e) => e.innerText)")
    assert len(lines) == len(set(lines)) == 4
    assert lines[-1] == "Price impact, within the price"
    liquidity = await page.evaluate("deepAll('.fees tr').find((e) => e.innerText.startsWith('Liquidity')).innerText")
    # In the input and in what is traded on the way.
    assert " WETH + " in liquidity
    assert "$" in liquidity


async def test_fees_stand_below_their_step(page: Page, portal_service: PortalService) -> None:
    await page.begin_with(BY_ACROSS)
    await opened(page, portal_service, "?from=HERE:DAI&to=THERE:WBTC&amount=500")
    await routes(page)
    several = "deepAll('#routes tbody').find((e) => +e.querySelector('[data-label=Steps]').innerText > 1)"
    await page.evaluate(f"{several}.querySelector('.open').click()")
    await page.until("!!deep('.fees .step')")
    steps = await page.evaluate("deepAll('.fees .step').map((e) => e.innerText)")
    assert [each.split(":")[0] for each in steps] == [f"Step {place + 1}" for place in range(len(steps))]
    assert any(each.endswith(": Across") for each in steps)


async def test_routes_of_one_tool_are_told_apart_and_drawn_whole(page: Page, portal_service: PortalService) -> None:
    """Each step of a plan, and the swaps before a bridge and on arrival that its transaction makes besides."""
    await page.begin_with(BY_ACROSS)
    await opened(page, portal_service, "?from=HERE:DAI&to=THERE:WBTC&amount=500")
    await routes(page)
    names = await page.evaluate("deepAll('#routes .pick').map((e) => e.innerText.trim())")
    assert len(names) > 2
    assert len(set(names)) == len(names)
    assert all(re.fullmatch(r"Across · via [A-Z, ]+( · \d steps?)?", name) for name in names), names
    seen = set()
    for place in range(1, len(names) + 1):
        await page.click(f"#routes tbody:nth-of-type({place}) .open")
        await page.until(f"!!deep('#routes tbody:nth-of-type({place}) .course .stop')")
        steps, stops, turns, hows, logos = await page.evaluate(
            f"(() => {{ const body = deep('#routes tbody:nth-of-type({place})');"
            "const all = (name) => [...body.querySelectorAll(name)];"
            "return [+body.querySelector('.steps').innerText.match(/[0-9]+/)[0], all('.course .stop').length,"
            "all('.course .turn').map((e) => e.innerText), all('.course .how').map((e) => e.innerText),"
            "all('.course .where img').map((e) => e.src)]; })()"
        )
        assert stops == len(hows) + 1
        assert turns == ([str(number + 1) for number in range(steps)] if steps > 1 else [])
        assert len(set(logos)) == 2, "one for each chain"
        assert len(logos) == stops
        seen.update(hows)
        for size in EVERY_WIDTH:
            await page.look(*size)
            assert await page.evaluate(CUT_OFF) == [], size
            await fits(page, str(size))
        await page.click(f"#routes tbody:nth-of-type({place}) .open")
    assert {"swap first, in the same transaction", "swap on arrival, nothing to sign", "one transaction"} <= seen
