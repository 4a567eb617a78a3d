"""The pools of an order that is split, drawn and listed: on a desktop, on a narrow phone and from right to left."""

import re

from tests.portal.chromium import Page
from tests.portal.sizes import NARROW, fits, sound
from tests.portal.stack import PortalService
from tests.portal.swap_box import faults, opened, routes

SPLIT = "?from=HERE:WETH&to=HERE:DAI&amount=300"
WIDE = (1440, 900)
# Whether an element is within the page and nothing of it is cut off.
WHOLE = """(e) => {
  const box = e.getBoundingClientRect(), card = deep('.routes').getBoundingClientRect();
  return box.left >= card.left && box.right <= card.right && e.scrollWidth <= e.clientWidth + 1;
}"""
MIDDLE = "((e) => { const b = e.getBoundingClientRect(); return b.left + b.width / 2; })"


async def open_pools(page: Page, portal_service: PortalService, query: str) -> None:
    await opened(page, portal_service, query)
    await routes(page)
    await page.click("tbody[data-adapter=ONCHAIN] .open")
    await page.until("!!deep('.pools')")


async def test_a_split_order_shows_its_pools(page: Page, portal_service: PortalService) -> None:
    await page.look(*WIDE)
    await open_pools(page, portal_service, SPLIT)
    said = await page.text(".through")
    found = re.fullmatch(r"299\.7 WETH through (\d+) pools, for 8\d\d,\d{3}\.\d+ DAI\. Percentages .*", said.strip())
    assert found, said
    pools = int(found[1])
    assert pools > 2
    bands, numbers, marks = await page.evaluate(
        "['.flow path', '.flow circle', '.hops .mark'].map((each) => deepAll(each).length)"
    )
    assert bands == numbers == marks == pools
    names = await page.evaluate("deepAll('.flow .stop').map((e) => e.textContent.trim())")
    assert {names[0], names[-1]} == {"WETH", "DAI"}
    lines = await page.evaluate(
        "deepAll('.hops li').map((e) => ['strong', '.under', '.hop-amounts', '.hop-share']"
        ".map((each) => e.querySelector(each).innerText.trim()))"
    )
    for name, kind, amounts, share in lines:
        assert re.fullmatch(r"[A-Z]\w+( \w+)* 0\.\d+%", name)
        assert re.fullmatch(r"[a-z]+( [a-z]+)+ 0x\w{4}…\w{4}", kind)
        assert re.fullmatch(r"[\d,.]+ [A-Z]{3,4} for [\d,.]+ [A-Z]{3,4}", amounts)
        assert re.fullmatch(r"[\d.]+%", share)
    # All that goes in, and all that comes out.
    for part in (r"WETH for", r"DAI$"):
        shares = [float(share.removesuffix("%")) for *_, amounts, share in lines if re.search(part, amounts)]
        assert round(sum(shares), 1) == 100
    for size in (NARROW, WIDE):
        await page.look(*size)
        assert await page.evaluate(f"deepAll('.hops li, .hops li > *, .flow, .bound').every({WHOLE})"), size
        await fits(page, str(size))
    await page.evaluate("deep('.bound summary').focus()")
    await page.press("Enter", 13)
    await page.until("deep('.bound').open")
    assert re.match(r"Within 0\.\d+% of the best possible over these pools", await page.text(".bound"))
    assert "it brings no more than" in await page.text(".bound p")
    await sound(page, NARROW, WIDE)
    assert faults(page) == []


async def test_one_pool_is_one_line(page: Page, portal_service: PortalService) -> None:
    await open_pools(page, portal_service, "?from=HERE:USDC&to=HERE:ETH&amount=100")
    said = await page.text(".through")
    # Which one it is, and how far from the best, depends on what was swapped here before.
    assert re.fullmatch(r"99\.9 USDC through Uniswap V[23] 0\.\d+%, for 0\.0\d+ WETH\.", said.strip()), said
    assert await page.evaluate("deepAll('.flow, .hops').length") == 0
    assert "est possible over these pools" in await page.text(".bound")


async def test_the_diagram_is_mirrored_from_right_to_left(page: Page, portal_service: PortalService) -> None:
    await open_pools(page, portal_service, SPLIT)
    bars = "deepAll('.flow .token-bar')"
    ends = f"[{bars}[0], {bars}.at(-1), deepAll('.flow .stop')[0], deep('.hops .mark'), deep('.hops .hop-share')]"
    left_to_right = await page.evaluate(f"{ends}.map({MIDDLE})")
    await page.evaluate("deep('rhumbline-swap').dir = 'rtl'")
    right_to_left = await page.evaluate(f"{ends}.map({MIDDLE})")
    first, last, name, mark, share = left_to_right
    assert first < last
    assert mark < share
    assert abs(name - first) < 40
    first, last, name, mark, share = right_to_left
    assert first > last
    assert mark > share
    assert abs(name - first) < 40
    assert await page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
