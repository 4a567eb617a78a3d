"""One choice of a language for the swap box and the pages around it, in a real Chromium."""

from tests.portal.chromium import Page
from tests.portal.languages import speaking
from tests.portal.stack import PortalService
from tests.portal.swap_box import opened

CHOOSE = "(() => {{ const e = deep('#language'); e.value = '{}'; e.dispatchEvent(new Event('change')); }})()"
KEPT = "[document.cookie, localStorage.getItem('rhumbline-swap/language')]"


async def test_a_choice_below_a_page_is_the_boxs_too(page: Page, portal_service: PortalService) -> None:
    base = portal_service.base_url
    await speaking(page, "de-DE,de")
    await page.goto(f"{base}/portal?then=/portal/join")
    assert await page.text("h1") == "Das Portal für Integratoren"
    await page.follow(".languages [value=fr]")
    assert await page.text("h1") == "Le portail des intégrateurs"
    assert await page.evaluate("location.pathname + location.search") == "/portal?then=/portal/join"
    await opened(page, portal_service)
    assert await page.evaluate("deep('#history').textContent") == "Historique"
    assert await page.evaluate("deep('#language').value") == "fr"
    assert await page.evaluate("document.querySelector('.languages')") is None, "the box has the choice there"
    await page.goto(f"{base}/status")
    await page.follow(".languages [value=auto]")
    assert await page.text("h1") == "Status des Dienstes"
    await opened(page, portal_service)
    assert await page.evaluate("[deep('#history').textContent, deep('#language').value]") == ["Verlauf", ""]
    assert await page.evaluate(KEPT) == ["rhumbline-language=auto", None]
    assert page.faults == []


async def test_a_choice_in_the_box_is_the_pages_too_and_the_form_stays(
    page: Page, portal_service: PortalService
) -> None:
    await opened(page, portal_service, "?amount=1.5")
    await page.evaluate(CHOOSE.format("ja"))
    await page.until("document.querySelector('h1').textContent === '2つのトークンを結ぶ最短の航路'")
    assert await page.evaluate("document.documentElement.lang") == "ja"
    assert await page.text("header nav a[aria-current]") == "スワップ"
    assert await page.text("footer a") == "サービスの状態"
    assert await page.evaluate("deep('#amount').value") == "1.5"
    assert await page.evaluate(KEPT) == ["rhumbline-language=ja", "ja"]
    await page.goto(f"{portal_service.base_url}/portal")
    assert await page.text("h1") == "インテグレーターのポータル"
    await page.click("#sign-in")
    await page.until("document.querySelector('#wallet-none')?.checkVisibility()")
    assert await page.text("#wallet-dialog-title") == "ウォレットを選択"
    await opened(page, portal_service)
    await page.evaluate(CHOOSE.format(""))
    await page.until("document.querySelector('h1').textContent === 'A straight course between two tokens'")
    assert await page.evaluate(KEPT) == ["rhumbline-language=auto", None]
    assert page.faults == []


async def test_what_was_chosen_in_the_box_before_pages_asked_counts(page: Page, portal_service: PortalService) -> None:
    await opened(page, portal_service)
    await page.evaluate("localStorage.setItem('rhumbline-swap/language', 'es')")
    await opened(page, portal_service)
    await page.goto(f"{portal_service.base_url}/status")
    assert await page.text("h1") == "Estado del servicio"
