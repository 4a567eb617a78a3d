"""The guide at /docs/guide/ in a real Chromium: it opens, finds, leads on, and everybody can read it."""

from collections.abc import AsyncIterator

import pytest

from rhumbline.api.server.application import create_app
from tests.api.api_service import ApiService, services
from tests.api.conftest import served
from tests.portal.chromium import Page
from tests.portal.sizes import DESKTOP, NARROW, fits, sound

RESULTS = (
    "[...document.querySelectorAll('body > div')].flatMap((e) => [...(e.shadowRoot?.querySelectorAll('li a') ?? [])])"
)


@pytest.fixture(scope="module")
async def front() -> AsyncIterator[str]:
    async with served(create_app(services(ApiService(), {}))) as (url, _):
        yield f"{url}/docs/guide/"


def nothing_wrong(page: Page, front: str) -> None:
    """No policy was broken, nothing failed, and nobody else was asked."""
    assert page.faults == []
    assert [url for url in page.requests if not url.startswith((front, "data:"))] == []


async def test_the_search_finds_a_word_and_leads_there(page: Page, front: str) -> None:
    await page.goto(front)
    await page.click(".md-search__button")
    await page.fill("input[role=combobox]", "slippage")
    (first, *_) = await page.until(f"(({RESULTS}).length > 3) && ({RESULTS}).map((link) => link.href)")
    assert first.startswith(f"{front}guides/slippage/")
    await page.press("Enter", 13)
    await page.until("document.querySelector('h1').textContent.startsWith('Slippage')")
    nothing_wrong(page, front)


async def test_three_ways_lead_in_and_each_page_leads_on(page: Page, front: str) -> None:
    await page.goto(front)
    ways = await page.evaluate("[...document.querySelectorAll('.md-tabs__link')].map((tab) => tab.textContent.trim())")
    assert ways == ["Guide", "Integrators", "Operators", "Contributors", "Decisions"]
    for title in ("First swap", "First swap on Solana", "Embedding"):
        await page.follow(".md-footer__link--next")
        assert (await page.text("h1")).strip("¶\n ") == title
    await page.follow("a.md-tabs__link[href$='deployment/']")
    assert (await page.text("h1")).strip("¶\n ") == "Deployment"
    nothing_wrong(page, front)


async def test_everybody_can_read_it_also_on_a_phone(page: Page, front: str) -> None:
    for place, size in (("", DESKTOP), ("guides/slippage/", NARROW)):
        await page.goto(front + place)
        await sound(page, size, state=place)
    for place in ("guides/first-swap/", "reference/routing/"):
        await page.goto(front + place)
        await fits(page, place)
    nothing_wrong(page, front)


async def test_code_is_copied_by_a_button(page: Page, front: str) -> None:
    await page.goto(f"{front}guides/first-swap/")
    await page.evaluate("navigator.clipboard.writeText = async (text) => { window.copied = text; }")
    await page.click(".copied .copy")
    assert (await page.until("window.copied")).startswith("# settings: an EVM chain of the sandbox")
