"""Numbers as people write them, in the field, in links and in the slippage: understood, shown, or refused."""

from typing import Any

import pytest

from tests.portal.chromium import Page
from tests.portal.languages import speaking
from tests.portal.sizes import at_a_size
from tests.portal.stack import PortalService
from tests.portal.swap_box import ROUTES, connect, opened, routes
from tests.portal.wallet import TestWallet

# What has been asked for last.
NOTED = """
const fetched = window.fetch;
window.fetch = (url, options) => {
  if (String(url).endsWith('ROUTES')) window.asked = JSON.parse(options.body);
  return fetched(url, options);
};
""".replace("ROUTES", ROUTES)
READ = "deep('#amount-fault').textContent.trim()"


async def asked(page: Page, service: PortalService, query: str = "") -> Any:
    await page.begin_with(NOTED)
    await opened(page, service, f"?from=HERE:USDC&to=HERE:ETH{query}")


@pytest.mark.parametrize(
    ("language", "cases"),
    [
        (
            "en",
            {
                "1.5": ("1500000", ""),
                "1,5": ("1500000", "Understood as 1.5 USDC"),
                "1,234": ("1234000000", "Understood as 1234 USDC"),
                "1.234": ("1234000", "Understood as 1.2340 USDC"),
                "1,234.56": ("1234560000", ""),
                "1.234,56": ("1234560000", "Understood as 1234.56 USDC"),
                "\u0661\u0662\u066b\u0665": ("12500000", "Understood as 12.5 USDC"),
                "1e-18": (None, "Write digits only, such as 1,234.5"),
                "1e30": (None, "Write digits only, such as 1,234.5"),
                "1.2.3": (None, "The commas or points are misplaced: write it like 1,234.5"),
            },
        ),
        (
            "de",
            {
                "1,5": ("1500000", ""),
                "1.5": ("1500000", "Verstanden als 1,5 USDC"),
                "1.234": ("1234000000", "Verstanden als 1234 USDC"),
                "1,234": ("1234000", "Verstanden als 1,2340 USDC"),
                "1.234,56": ("1234560000", ""),
                "1,234.56": ("1234560000", "Verstanden als 1234,56 USDC"),
                "1e30": (None, "Schreiben Sie nur Ziffern, etwa 1.234,5"),
            },
        ),
        (
            "fr",
            {
                "1\u202f234,5": ("1234500000", ""),
                "1 234,5": ("1234500000", ""),
                "1.234": (None, "Ceci peut désigner deux montants : écrivez 1234 ou 1,2340"),
            },
        ),
    ],
    ids=["english", "german", "french"],
)
async def test_what_is_typed_is_understood_shown_or_refused(
    page: Page, portal_service: PortalService, language: str, cases: dict[str, tuple[str | None, str]]
) -> None:
    await speaking(page, language)
    await asked(page, portal_service)
    for text, (raw, said) in cases.items():
        await page.evaluate("window.asked = null")
        await page.fill("#amount", text)
        if raw is None:
            await page.until(f"{READ} === `{said}` && deep('#amount').ariaInvalid === 'true'")
        else:
            assert (await page.until("window.asked"))["amount"] == raw, text
            assert await page.evaluate(READ) == said, text
            assert await page.evaluate("deep('#amount').ariaInvalid") == "false"
        assert await page.evaluate("deep('#amount').value") == text, "what was typed stays"


async def test_the_point_of_a_link_stands_before_decimals_everywhere(page: Page, portal_service: PortalService) -> None:
    await speaking(page, "de")
    await asked(page, portal_service, "&amount=1.234")
    assert (await page.until("window.asked"))["amount"] == "1234000"
    assert await page.evaluate(f"[deep('#amount').value, {READ}]") == ["1,234", "Verstanden als 1,2340 USDC"]
    await asked(page, portal_service, "&amount=1.234,5")
    assert (await page.until("window.asked"))["amount"] == "1234500000"
    await asked(page, portal_service, "&amount=1e5")
    await page.until(f"{READ} === 'Schreiben Sie nur Ziffern, etwa 1.234,5'")
    assert await page.evaluate("deep('#amount').value") == "1e5"


async def test_a_slippage_is_written_as_the_locale_writes_it(page: Page, portal_service: PortalService) -> None:
    await speaking(page, "de")
    await asked(page, portal_service, "&amount=5")
    await page.click("#settings summary")
    for text, share in (("0,75", 0.0075), ("0.75", 0.0075), ("1,5 %", 0.015)):
        await page.evaluate("window.asked = null")
        await page.fill("#slippage", text)
        assert (await page.until("window.asked"))["slippage"] == share
        assert await page.evaluate("deep('#slippage').value") == text
    assert await page.evaluate("deep('#settings summary').textContent") == "Slippage: 1,5\u00a0%"
    for text in ("1.234", "50", "1e1"):
        await page.fill("#slippage", text)
        await page.until("deep('#slippage-fault').textContent.includes('über 0 und unter 50')")


async def test_all_of_a_balance_is_written_so_that_it_is_read_as_it_is(
    page: Page, portal_service: PortalService, wallet: TestWallet
) -> None:
    await speaking(page, "de")
    await asked(page, portal_service)
    await connect(page)
    await page.click("#max")
    held = (await page.evaluate("deep('#balance').title")).replace(".", "")
    assert await page.evaluate("deep('#amount').value") == held
    assert (await page.until("window.asked"))["amount"] == str(int(float(held.replace(",", ".")) * 10**6))


# Where the button has been, in every frame since.
WATCHED = """
window.places = new Set();
(function look() {
  places.add(Math.round(deep('#go').getBoundingClientRect().top + scrollY));
  requestAnimationFrame(look);
})();
"""


@at_a_size
async def test_no_note_moves_the_button(
    page: Page, portal_service: PortalService, wallet: TestWallet, size: tuple[int, int]
) -> None:
    """Neither a fault, nor what was understood, nor a loss, nor what the wallet said."""
    await page.look(*size)
    wallet.refuse = lambda method: method == "eth_sendTransaction"
    await opened(page, portal_service, "?from=HERE:ETH&to=HERE:WETH")
    await connect(page)
    await page.until("!!deep('#max')")
    await page.evaluate(WATCHED)
    await page.fill("#amount", "1x")
    await page.until(f"{READ} !== ''")
    await page.fill("#amount", "0,01")
    await page.until(f"{READ} === 'Understood as 0.01 ETH'")
    await routes(page)
    await page.until("/^Swap$/.test(deep('#go').textContent) && usable('#go')")
    await page.click("#go")
    await page.see("You declined in the wallet")
    # A loss of more than 10 %.
    await page.evaluate(
        "(() => { const s = deep('rhumbline-swap').session; const priceImpact = '0.5';"
        "s.set({warned: {...s.route.steps[0], priceImpact}}); })()"
    )
    await page.until("!!deep('#agree')")
    places = await page.evaluate("new Promise((done) => requestAnimationFrame(() => done([...places])))")
    assert len(places) == 1, places


async def test_what_is_received_is_written_as_large_as_what_is_paid(page: Page, portal_service: PortalService) -> None:
    sizes = "['#amount', '#output'].map((id) => parseFloat(getComputedStyle(deep(id)).fontSize))"
    await page.look(390, 844)
    await asked(page, portal_service)
    for amount in ("1", "1.23456", "12345.678901", "0.000123"):
        await page.fill("#amount", amount)
        await page.until("deep('#output')?.dataset.raw || deep('#refusal')")
        paid, received = await page.evaluate(sizes)
        assert received >= paid, amount
