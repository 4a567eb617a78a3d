"""What nobody should write, name or answer, and the swap box takes all the same."""

import json

from tests.portal.chromium import Page
from tests.portal.sizes import at_a_size
from tests.portal.stack import PortalService, Tell
from tests.portal.swap_box import (
    BUTTON,
    ROUTES,
    STORAGE,
    connect,
    error,
    keep_nothing,
    on_its_way,
    opened,
    otherwise,
    pick,
    routes,
    times_asked,
)
from tests.portal.wallet import TestWallet

FAULT = "deep('#amount-fault').textContent"
WIDER = "document.documentElement.scrollWidth - innerWidth"
TURNED = "\u202e"
ADDRESS = "0x" + "9" * 40


@at_a_size
async def test_amounts_that_no_token_has(page: Page, portal_service: PortalService, size: tuple[int, int]) -> None:
    """What cannot be read is said and asks nobody; what can is asked for to the last digit."""
    await page.look(*size)
    await opened(page, portal_service, "?from=HERE:USDC&to=HERE:ETH")
    for text, words in (
        ("0.000000000000000001", "This token has 6 decimal places, and you wrote 18"),
        ("1e-18", "Write digits"),
        ("1e30", "Write digits"),
        ("-1", "Write digits"),
        ("1,23,4", "The commas or points are misplaced: write it like 1,234.5"),
        ("0", "Enter more than 0"),
        ("9" * 80, "more than any token has"),
        ("9" * 120, "more than any token has"),
    ):
        await page.fill("#amount", text)
        await page.until(f"{FAULT}.includes({json.dumps(words)})")
        assert await page.evaluate(f"[{BUTTON}, usable('#go'), {WIDER} <= 0]") == ["Enter an amount", False, True]
    assert times_asked(page) == 0
    await page.fill("#amount", "1" + "0" * 30)
    await page.until("!!deep('#refusal')")
    assert await page.evaluate(FAULT) == ""
    assert await page.evaluate(WIDER) <= 0
    await opened(page, portal_service, "?from=HERE:ETH&to=HERE:USDC&amount=0.000000000000000001")
    await page.until("!!deep('#refusal')")
    assert await page.evaluate(FAULT) == ""


@at_a_size
async def test_a_slow_answer_never_takes_the_place_of_a_later_one(
    page: Page, portal_service: PortalService, size: tuple[int, int]
) -> None:
    await page.look(*size)
    await otherwise(page, ROUTES, "held")
    await opened(page, portal_service, "?amount=5")
    await page.until("!!window.release && !!deep('.routes[aria-busy=true]') && deep('#output').ariaBusy === 'true'")
    await page.evaluate(f"instead['{ROUTES}'] = null")
    await page.fill("#amount", "7000")
    await routes(page)
    later = await page.evaluate("deep('#output').dataset.raw")
    await page.evaluate("release()")
    await page.until("window.released")
    assert await page.evaluate("[deep('#output').dataset.raw, deep('#amount').value]") == [later, "7000"]


@at_a_size
async def test_a_token_that_is_gone(page: Page, portal_service: PortalService, size: tuple[int, int]) -> None:
    """A link to one chooses none in its place; one that goes away meanwhile is said."""
    await page.look(*size)
    for query in ("?from=HERE:GONE&amount=100", "?from=HERE:USDC&to=8453:USDC&amount=100", f"?to=HERE:{ADDRESS}"):
        await opened(page, portal_service, query)
        await page.see("The link names a token that is not served here: choose another")
        assert await page.evaluate(f"[{BUTTON}, usable('#go')]") == ["Choose tokens", False]
    assert times_asked(page) == 0
    await otherwise(page, ROUTES, error("NOT_FOUND", 404))
    await opened(page, portal_service, "?amount=100")
    await page.see("does not serve this chain or token. Choose another one")


@at_a_size
async def test_a_hostile_name_is_only_a_name(
    page: Page, portal_service: PortalService, wallet: TestWallet, size: tuple[int, int]
) -> None:
    """Markup, a turned direction of writing, no end: on the list of tokens, in the form and in the button."""
    await page.look(*size)
    here = portal_service.sandbox.evm_chains[0].id
    made = {"address": ADDRESS, "decimals": 6, "chainId": here}
    names = {
        "symbol": f"<b>{TURNED}CDSU\u200b</b>" + "W" * 5000,
        "name": f"{TURNED}nioC DSU <script>alert(1)</script>" + "n" * 9000,
    }
    await otherwise(page, "/v1/token?", {"status": 200, "headers": {}, "body": made | names})
    await opened(page, portal_service, f"?from=HERE:{ADDRESS}&to=HERE:USDC&amount=5")
    await connect(page)
    symbol = "<b>CDSU</b>" + "W" * 21 + "…"
    assert await page.text("#pay-token strong") == symbol
    await pick(page, "pay")
    await page.fill("#search", ADDRESS)
    await page.see("On no list: anybody can make a token of this name")
    assert await page.evaluate(WIDER) <= 0
    await page.press("Escape", 27)
    await page.until("!deep('#search')")
    assert await page.evaluate(WIDER) <= 0
    said = await page.evaluate("said() + deep('form').outerHTML")
    assert TURNED not in said
    assert "\u200b" not in said
    assert await page.evaluate("deepAll('.swap b, .swap script').length") == 0


@STORAGE
async def test_a_transfer_that_nothing_keeps_outlives_a_change_of_the_element(
    page: Page, portal_service: PortalService, wallet: TestWallet, relay: Tell, storage: str
) -> None:
    """Private mode: what is on its way is only in the page, and the page says another integrator meanwhile."""
    await keep_nothing(page, storage)
    await on_its_way(page, portal_service, relay, "78")
    await page.evaluate("document.querySelector('rhumbline-swap').setAttribute('integrator', 'late')")
    await page.see("for late")
    await page.see("On its way to Sandbox B")
    await page.click("#history")
    await page.see("does not let the page keep anything")
    await relay()
    await page.click(".transfers summary")
    await page.see("USDC arrived on Sandbox B")
