"""The front page in other languages than English, in a real Chromium that says which its owner speaks."""

import pytest

from tests.portal.chromium import Page
from tests.portal.languages import CLIPPED, OUTSIDE, speaking
from tests.portal.sizes import EVERY_WIDTH, PHONE, fits, sound
from tests.portal.stack import PortalService
from tests.portal.swap_box import believed, connect, error, opened, otherwise, pick, routes
from tests.portal.wallet import TestWallet


async def whole(page: Page, state: str) -> None:
    """Nothing is clipped or outside at any width."""
    for size in EVERY_WIDTH:
        await page.look(*size)
        assert await page.evaluate(CLIPPED) == [], (state, size)
        assert await page.evaluate(OUTSIDE) == [], (state, size)
        await fits(page, f"{state} {size}")


@pytest.mark.parametrize(
    ("language", "heading", "connected", "slippage", "details"),
    [
        ("de-DE,de", "Auf geradem Kurs von Token zu Token", "Trennen", "Slippage: 0,5\u00a0%", "Gebühren"),
        ("zh-CN,zh", "两种代币之间的直达航线", "断开连接", "滑点：0.5%", "费用"),
    ],
    ids=["german", "chinese"],
)
async def test_every_state_fits_and_is_accessible(
    page: Page,
    portal_service: PortalService,
    wallet: TestWallet,
    language: str,
    heading: str,
    connected: str,
    slippage: str,
    details: str,
) -> None:
    await speaking(page, language)

    async def judged(state: str) -> None:
        await whole(page, state)
        await sound(page, PHONE, state=state)

    await opened(page, portal_service, "?from=HERE:USDC&to=THERE:USDC")
    assert await page.evaluate("document.documentElement.lang") == language[:2]
    assert await page.text("h1") == heading
    await judged("empty")
    await page.fill("#amount", "1x")
    await page.until("deep('#amount-fault').textContent.trim()")
    await judged("a fault")
    await page.fill("#amount", "120")
    await routes(page)
    await page.click("#settings summary")
    await page.click("[data-slippage='0.5']")
    assert await page.evaluate("deep('#settings summary').textContent") == slippage
    await page.click("#add-receiver")
    await routes(page)
    await page.click("#routes tbody .open")
    await page.until("!!deep('.detail .believed') || !!deep('.detail .simulation')?.nextElementSibling")
    assert details in await page.text(".detail")
    await judged("an answer, all of it open")
    await pick(page, "get")
    await judged("tokens")
    await page.press("Escape", 27)
    await page.until("!deep('#search')")
    await connect(page)
    assert await page.text("#disconnect") == connected
    await routes(page)
    await judged("connected")
    await page.click("#history")
    await judged("history")
    assert page.faults == []


async def test_a_refusal_is_in_the_language_too(page: Page, portal_service: PortalService) -> None:
    await speaking(page, "fr")
    await otherwise(page, "/v1/advanced/routes", error("RATE_LIMIT", 429, **{"retry-after": "600"}))
    await opened(page, portal_service, "?amount=5")
    await page.until("deep('#refusal')?.textContent === 'Trop de requêtes sont venues d’ici.'")
    await page.until("/^Réessayer dans [0-9]+\\u00a0s$/.test(deep('#remedy').textContent)")


async def test_what_is_chosen_goes_before_what_the_browser_says_and_is_kept(
    page: Page, portal_service: PortalService
) -> None:
    await speaking(page, "de-DE,de")
    await opened(page, portal_service, "?amount=1.5")
    assert await page.evaluate("[deep('#amount').value, deep('#history').textContent]") == ["1,5", "Verlauf"]
    chosen = "(() => {{ const e = deep('#language'); e.value = '{}'; e.dispatchEvent(new Event('change')); }})()"
    await page.evaluate(chosen.format("ja"))
    await page.until("deep('#history').textContent === '履歴'")
    assert await page.evaluate("[deep('#amount').value, deep('.swap').lang]") == ["1.5", "ja"]
    await opened(page, portal_service)
    assert await page.evaluate("deep('#history').textContent") == "履歴"
    assert await page.evaluate("deep('#language').value") == "ja"
    await page.evaluate(chosen.format(""))
    await page.until("deep('#history').textContent === 'Verlauf'")
    assert await page.evaluate("Object.keys(localStorage).filter((key) => key.includes('language'))") == []


async def test_a_page_says_the_language_by_attributes(page: Page, portal_service: PortalService) -> None:
    """The element's own, else the nearest around it; both while the page is open."""
    await opened(page, portal_service)
    assert await page.evaluate("deep('#history').textContent") == "History"
    await page.evaluate("document.documentElement.lang = 'es-MX'")
    await page.until("deep('#history').textContent === 'Historial'")
    await page.evaluate("deep('rhumbline-swap').setAttribute('language', 'fr')")
    await page.until("deep('#history').textContent === 'Historique'")
    await page.evaluate("deep('rhumbline-swap').setAttribute('language', 'tlh')")
    await page.until("deep('#history').textContent === 'Historial'")


async def test_only_the_language_that_is_spoken_is_loaded(page: Page, portal_service: PortalService) -> None:
    def scripts() -> list[str]:
        return sorted({url for url in page.requests if "rhumbline-swap-" in url})

    await opened(page, portal_service)
    english = scripts()
    page.requests.clear()
    await speaking(page, "es")
    await opened(page, portal_service)
    (spanish,) = set(scripts()) - set(english)
    assert "Intercambiar" in await page.evaluate(f"fetch('{spanish}').then((found) => found.text())")


async def test_a_language_that_cannot_be_loaded_leaves_english(page: Page, portal_service: PortalService) -> None:
    await opened(page, portal_service)
    english = {url for url in page.requests if "rhumbline-swap-" in url}
    page.requests.clear()
    await speaking(page, "de")
    await opened(page, portal_service)
    (german,) = {url for url in page.requests if "rhumbline-swap-" in url} - english
    await page.send("Network.setCacheDisabled", cacheDisabled=True)
    await page.send("Network.setBlockedURLs", urls=[german])
    await opened(page, portal_service, "?amount=1.5")
    assert await page.evaluate("[deep('#history').textContent, deep('#amount').value]") == ["History", "1.5"]


async def test_from_right_to_left_it_is_mirrored_and_nothing_is_clipped(
    page: Page, portal_service: PortalService, wallet: TestWallet
) -> None:
    await page.begin_with("document.addEventListener('DOMContentLoaded', () => { document.dir = 'rtl'; });")
    await opened(page, portal_service, "?from=HERE:USDC&to=HERE:ETH")
    await whole(page, "empty")
    await page.fill("#amount", "120")
    await routes(page)
    await page.click("#routes tbody .open")
    await believed(page)
    await connect(page)
    await routes(page)
    await whole(page, "an answer")
    left = "deep('{}').getBoundingClientRect().left"
    assert await page.evaluate(f"{left.format('#pay-token')} < {left.format('#amount')}")
    assert await page.evaluate(f"{left.format('#disconnect')} < {left.format('.view')}")
    await pick(page, "pay")
    await whole(page, "tokens")
