"""One type system, controls that are drawn, a desktop without an empty half, tokens that can be told apart."""

import hashlib

import aiohttp

from tests.portal.chromium import Page
from tests.portal.sizes import at_a_size
from tests.portal.stack import PortalService
from tests.portal.swap_box import opened, pick, routes

FONT = "getComputedStyle(deep('{}')).fontFamily.split(',')[0].replaceAll('\"', '')"
SHIFT = """
window.shift = 0;
new PerformanceObserver((list) => list.getEntries().forEach((each) => {
  if (!each.hadRecentInput) window.shift += each.value;
})).observe({type: 'layout-shift', buffered: true});
"""


async def test_headings_and_figures_have_their_faces(page: Page, portal_service: PortalService) -> None:
    """Two files of our own, both small; figures stand below each other."""
    await opened(page, portal_service, "?amount=100")
    await routes(page)
    for selector in ("h1", "#routes-title", ".mark"):
        assert await page.evaluate(FONT.format(selector)) == "Rhumbline Display", selector
    for selector in ("p", "#amount", "#output", "#go", ".net"):
        assert await page.evaluate(FONT.format(selector)) == "Rhumbline Sans", selector
    assert await page.evaluate("getComputedStyle(deep('.net').parentElement).fontVariantNumeric") == "tabular-nums"
    fonts = sorted({url for url in page.requests if url.endswith(".woff2")})
    assert [url.rpartition("/")[2] for url in fonts] == ["display.woff2", "sans.woff2"]
    assert all(url.startswith(portal_service.base_url) for url in fonts)
    async with aiohttp.ClientSession() as session:
        sizes = [len(await (await session.get(url)).read()) for url in fonts]
    assert sum(sizes) < 40_000
    assert page.faults == []


@at_a_size
async def test_nothing_shifts_while_the_page_is_loaded(
    page: Page, portal_service: PortalService, size: tuple[int, int]
) -> None:
    await page.begin_with(SHIFT)
    await page.look(*size)
    await opened(page, portal_service)
    await page.until("document.fonts.status === 'loaded'")
    await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert await page.evaluate("shift") <= 0.007


async def test_the_empty_desktop_says_what_is_served(page: Page, portal_service: PortalService) -> None:
    """By chain; a phone has the form alone, and an answer takes the place."""
    await page.look(1280, 900)
    await opened(page, portal_service)
    rows = await page.evaluate("deepAll('.coverage li').map((e) => e.innerText)")
    assert len(rows) == len(portal_service.sandbox.chains)
    for row, chain in zip(rows, portal_service.sandbox.chains, strict=True):
        assert chain.name in row
        assert " exchange" in row
        assert " bridge" in row
    logos = await page.evaluate("deepAll('.coverage li > .logo').map((e) => e.src)")
    assert len(set(logos)) == len(rows)
    await page.look(390, 844)
    assert not await page.evaluate("deep('.coverage').checkVisibility()")
    await page.look(1280, 900)
    await page.fill("#amount", "100")
    await routes(page)
    assert await page.evaluate("deep('.coverage')") is None


async def test_swap_is_said_once(page: Page, portal_service: PortalService) -> None:
    await opened(page, portal_service)
    words = "deepAll('a, button, h1, h2, label').filter((e) => e.checkVisibility() && e.innerText.trim() === 'Swap')"
    assert await page.evaluate(f"{words}.length") == 1


async def test_tokens_are_told_apart_and_an_asset_looks_the_same_on_all_chains(
    page: Page, portal_service: PortalService
) -> None:
    await opened(page, portal_service)
    await pick(page, "pay")
    await page.until("deepAll('#tokens .logo').length >= 6")
    pair = "[e.querySelector('strong').innerText, e.querySelector('img').src]"
    shown = await page.evaluate(f"Object.fromEntries(deepAll('#tokens li').map((e) => {pair}))")
    drawings = {}
    async with aiohttp.ClientSession() as session:
        for symbol, url in shown.items():
            drawing = await (await session.get(url)).text()
            assert f">{symbol[:4]}</text>" in drawing
            drawings[symbol] = hashlib.sha256(drawing.partition("<text")[0].encode()).hexdigest()
    assert drawings["USDC"] != drawings["USDT"] != drawings["DAI"] != drawings["USDC"]
    await page.press("Escape", 27)
    await page.until("!deep('#search')")
    await opened(page, portal_service, "?from=HERE:USDC&to=THERE:USDC")
    here, there = await page.evaluate("deepAll('.token > .logo').map((e) => e.src)")
    assert here == there


async def test_controls_are_drawn_by_us_and_work(page: Page, portal_service: PortalService) -> None:
    await opened(page, portal_service, "?from=HERE:USDC&to=THERE:USDC&amount=100")
    await routes(page)
    drawn = "[...deepAll('select, input[type=radio], input[type=checkbox]')].map((e) => getComputedStyle(e).appearance)"
    assert set(await page.evaluate(drawn)) == {"none"}
    second = "#routes tbody:nth-of-type(2) input"
    await page.click(second)
    await page.until(f"deep('{second}').checked && getComputedStyle(deep('{second}'), '::before').scale === '1'")
