"""The portal's pages in a real Chromium: as axe-core judges them, by keyboard alone, and on a phone."""

from dataclasses import replace

import pytest

from rhumbline.api.pages.language import COOKIE
from rhumbline.api.portal.services import Usage
from tests.api.api_service import TX_ID
from tests.api.portal.season import HOSTILE, WEBHOOK, enter, spent
from tests.api.portal.test_views import HOME, PAGES
from tests.portal.axe import violations, violations_in_both_schemes
from tests.portal.chromium import Page
from tests.portal.languages import CLIPPED
from tests.portal.sizes import DESKTOP, NARROW, PHONE, Size, at_a_size, fits, sound
from tests.portal_fixture import BEGIN, ServedPortal, Visitor

TAB = ("Tab", 9)
CHANGE = f"{HOME}/wallets/change?chain_type=EVM&address=0x{'5a' * 20}"
ALL = (
    "/portal",
    "/portal/join",
    *(HOME + page for page in PAGES),
    CHANGE,
    f"{HOME}/webhooks/{WEBHOOK}",
    f"{HOME}/transactions?status=x&from=y",
    "/portal/nowhere",
)


@pytest.fixture
async def owner(portal: ServedPortal, page: Page) -> Visitor:
    portal.world.used = (Usage("quotes", 1500, 2000, BEGIN), Usage("other", 12, 600, None))
    visitor = await spent(portal)
    await enter(page, visitor)
    return visitor


async def test_axe_finds_nothing_wrong(page: Page, owner: Visitor) -> None:
    stranger = replace(owner, cookies={})
    assert (await stranger.get("/portal")).status == 200
    for path in ALL:
        await page.goto(owner.url + path)
        # What is folded away is judged as well.
        await page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
        await sound(page, DESKTOP, PHONE, state=path)
        await page.look(*NARROW)
        await fits(page, path)


async def test_nothing_is_wrong_or_clipped_where_texts_are_longer(page: Page, owner: Visitor) -> None:
    """In German, on a phone."""
    await page.send("Network.setCookie", name=COOKIE, value="de", url=owner.url)
    await page.look(*PHONE)
    pages = ("/keys", "/transactions?status=x", "/requests", "/members", f"/webhooks/{WEBHOOK}")
    for path in (*(HOME + each for each in pages), "/status", f"/tx/{TX_ID}"):
        await page.goto(owner.url + path)
        assert await page.evaluate("document.documentElement.lang") == "de", path
        await page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
        assert await violations_in_both_schemes(page, *PHONE) == [], path
        await page.look(*PHONE)
        assert [each for each in await page.evaluate(CLIPPED) if not each.startswith("TH")] == [], path
        await fits(page, path)


async def test_axe_finds_nothing_wrong_before_signing_in(page: Page, portal: ServedPortal) -> None:
    for path in ("/portal", "/portal?then=/portal/i/Acme/keys"):
        await page.goto(portal.url + path)
        await sound(page, DESKTOP, PHONE, state=path)


async def test_axe_finds_what_is_wrong(page: Page, portal: ServedPortal) -> None:
    await page.goto(f"{portal.url}/portal")
    await page.evaluate("document.querySelector('main').append(document.createElement('input'))")
    assert any(each.startswith("label:") for each in await violations(page))
    assert await violations(page, "header") == []


FOCUS = """(() => {
  let e = document.activeElement;
  if (!e || e === document.body) return null;
  window.walked = window.walked ?? new Set();
  window.walked.add(e);
  while (e.shadowRoot?.activeElement) e = e.shadowRoot.activeElement;
  const box = e.getBoundingClientRect(), style = getComputedStyle(e);
  return {
    what: `${e.tagName} ${e.id} ${(e.innerText || e.name || '').slice(0, 30)}`,
    seen: box.width > 0 && box.height > 0 && box.right > 0 && box.left < innerWidth && box.bottom > 0
      && box.top < innerHeight,
    outlined: style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2,
  };
})()"""
USABLE = "a[href], button:not([disabled]), input:not([type=hidden]), select, summary, [tabindex='0']"
LEFT = (
    f'[...document.querySelectorAll("{USABLE}")].filter((e) => e.checkVisibility() && !walked.has(e))'
    ".map((e) => e.outerHTML.slice(0, 100))"
)


@at_a_size
async def test_every_page_is_walked_by_keyboard_alone(page: Page, owner: Visitor, size: Size) -> None:
    """From the first to the last and out again: all that can be used comes by, in sight, and shows that it does."""
    await page.look(*size)
    for path in ALL:
        await page.goto(owner.url + path)
        steps = 0
        while True:
            await page.press(*TAB)
            focused = await page.evaluate(FOCUS)
            if focused is None:
                break
            steps += 1
            assert focused["seen"], (path, focused)
            assert focused["outlined"], (path, focused)
            assert steps < 400, path
        assert steps > 5, path
        assert await page.evaluate(LEFT) == [], path


async def test_by_keyboard_a_key_is_named_and_seen(page: Page, owner: Visitor) -> None:
    await page.goto(f"{owner.url}{HOME}/keys")
    await page.evaluate("document.querySelector('#new-name').focus()")
    await page.send("Input.insertText", text="By keyboard")
    before = await page.evaluate("performance.timeOrigin")
    await page.press("Enter", 13)
    await page.until(f"performance.timeOrigin !== {before} && document.readyState === 'complete'")
    await page.see("shown this once")
    assert await page.evaluate("location.search + location.pathname") == f"{HOME}/keys"
    await page.see("By keyboard")
    await page.goto(f"{owner.url}{HOME}/keys")
    assert "shown this once" not in await page.text()


CELLS = (
    "[...document.querySelectorAll('.cards tbody td')].map((cell) => {"
    "const told = getComputedStyle(cell, '::before').content, row = cell.parentElement;"
    "return [told, cell.offsetLeft === row.firstElementChild.offsetLeft]; })"
)


async def test_tables_are_cards_on_a_phone(page: Page, owner: Visitor) -> None:
    for path in ("", "/transactions", "/keys", "/members", "/log", "/requests", "/webhooks", f"/webhooks/{WEBHOOK}"):
        await page.goto(f"{owner.url}{HOME}{path}")
        await page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
        await page.look(*PHONE)
        found = await page.evaluate(CELLS)
        assert found
        heads = await page.evaluate(
            "[...document.querySelectorAll('.cards thead th')].map((e) => `\"${e.innerText}\"`)"
        )
        assert {told for told, _ in found} == set(heads), path
        assert all(below for _, below in found), path
        await page.look(*DESKTOP)
        assert {told for told, _ in await page.evaluate(CELLS)} == {"none"}, path


async def test_a_hostile_name_is_text(page: Page, owner: Visitor) -> None:
    await page.goto(f"{owner.url}{HOME}/keys")
    assert await page.evaluate("document.querySelectorAll('main b').length") == 0
    assert HOSTILE in await page.text()
    assert page.faults == []


async def test_a_chart_is_drawn_for_the_width_that_it_has(page: Page, owner: Visitor) -> None:
    """One of each is in sight, and its words are neither too small to read nor huge."""
    for width in (320, 390, 800, 1280, 1920):
        await page.look(width, 900)
        for path in ("", "/fees"):
            await page.goto(f"{owner.url}{HOME}{path}")
            shown = await page.evaluate(
                "[...document.querySelectorAll('svg.chart')].filter((e) => e.checkVisibility())"
                ".map((e) => [e.getAttribute('aria-label'), e.getBoundingClientRect().width / e.viewBox.baseVal.width])"
            )
            assert len(shown) == len({label for label, _ in shown}) == (1 if path == "" else 6), (width, path)
            for label, scale in shown:
                assert 0.7 <= scale <= 1.7, (width, path, label)
