"""The swap box's form, its words and its comparison, in a real Chromium over real services."""

import re
from decimal import ROUND_DOWN, Decimal

import pytest

from tests.portal.axe import violations
from tests.portal.chromium import Page
from tests.portal.sizes import Size, sizes_for
from tests.portal.stack import PortalService
from tests.portal.swap_box import BUTTON, ROUTES, believed, connect, error, opened, otherwise, routes, times_asked
from tests.portal.wallet import TestWallet

TAB, ENTER, ESCAPE, DOWN = ("Tab", 9), ("Enter", 13), ("Escape", 27), ("ArrowDown", 40)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "size" in metafunc.fixturenames:
        metafunc.parametrize("size", sizes_for(metafunc.function.__name__), ids=str)


@pytest.fixture
async def page(page: Page, size: Size) -> Page:
    await page.look(*size)
    return page


async def test_an_amount_that_is_too_low_names_the_least_and_takes_it(
    page: Page, portal_service: PortalService
) -> None:
    await opened(page, portal_service, "?from=HERE:USDC&to=THERE:USDC&amount=0.000001")
    await page.see("This amount is too low: the least is")
    assert not await page.evaluate("deep('.refusal details').open"), "what each source said is folded away"
    least = re.fullmatch(r"Try ([0-9.]+) USDC", await page.text("#remedy"))
    assert least is not None
    await page.click("#remedy")
    assert await page.evaluate("deep('#amount').value") == least[1]
    await routes(page)


BUSY, AWAY = "Too many requests", "The service is not available"


@pytest.mark.parametrize(
    ("said", "headline", "words", "button"),
    [
        (error("RATE_LIMIT", 429, **{"retry-after": "1"}), BUSY, "Too many requests came from here", "Try again in"),
        (error("UNKNOWN", 503, **{"retry-after": "1"}), AWAY, "out of order at the moment", "Try again in"),
        ({"status": 502, "headers": {}, "body": None}, AWAY, "out of order at the moment", "Try again"),
        ("never", AWAY, "The service does not answer. Check whether you are online", "Try again"),
        (error("SLIPPAGE_EXCEEDED", 422), "No route", "lose more of the value than you allow", "Change slippage"),
    ],
    ids=["429", "503", "no-json", "down", "slippage"],
)
async def test_an_error_has_words_and_what_mends_it(
    page: Page, portal_service: PortalService, said: object, headline: str, words: str, button: str
) -> None:
    await otherwise(page, ROUTES, said)
    await opened(page, portal_service, "?amount=5")
    await page.see(words)
    assert "raw words" not in await page.evaluate("said()")
    await page.until(f"deep('#remedy')?.textContent.startsWith('{button}')")
    assert await page.text(".refusal h2") == headline
    if button == "Change slippage":
        await page.evaluate("window.instead = null")
        await page.click("#remedy")
        await page.until("deep('#settings').open")
        return
    said_again = await page.text("#again")
    assert re.fullmatch(r"It is asked again at \d{1,2}:\d\d:\d\d( [AP]M)?\.", said_again), said_again
    await page.evaluate("window.instead = null")
    # Who waits is asked for in time; who does not may ask before, but where the service has said when.
    if button == "Try again":
        await page.evaluate("deep('#remedy')?.click()")
    await routes(page)


@pytest.mark.parametrize("by_hand", [True, False], ids=["by hand", "by itself"])
async def test_a_service_that_is_down_is_asked_again(
    page: Page, portal_service: PortalService, *, by_hand: bool
) -> None:
    await otherwise(page, "/v1/chains", "never")
    await page.goto(portal_service.base_url)
    await page.see("The service does not answer")
    assert (await page.text(".note.bad")).startswith(AWAY)
    await page.until("/^It is asked again at \\d{1,2}:\\d\\d:\\d\\d( [AP]M)?\\.$/.test(deep('#restart')?.innerText)")
    assert await violations(page) == []
    await page.evaluate("window.instead = null")
    if by_hand:
        await page.evaluate("deep('.note.bad button')?.click()")
    await page.until("usable('#get-token')")


async def test_tokens_are_found_and_one_on_no_list_is_marked(page: Page, portal_service: PortalService) -> None:
    weth = portal_service.sandbox.evm_chains[0].tokens["WETH"].address
    hostile = "<img src=x onerror=alert(1)>"
    address = "0x" + "9" * 40
    base = portal_service.base_url
    made = {"address": address, "symbol": hostile, "name": hostile, "decimals": 6, "chainId": 900001}
    await otherwise(page, "/v1/token?", {"status": 200, "headers": {}, "body": made})
    await opened(page, portal_service)
    await page.click("#get-token")
    first = "deep('#tokens [aria-selected=true] strong')?.textContent"
    await page.until(f"deepAll('#tokens .logo').some((e) => e.naturalWidth && e.src.startsWith('{base}/logos/'))")
    for text, symbol in (("wrapped b", "WBTC"), ("weth", "WETH"), (weth.lower(), "WETH"), ("dai", "DAI")):
        await page.fill("#search", text)
        await page.until(f"{first} === '{symbol}'")
    await page.fill("#search", address)
    await page.see("On no list: anybody can make a token of this name")
    await page.press(*ENTER)
    await page.until("!deep('#search')")
    assert await page.text("#get-token strong") == hostile
    assert await page.evaluate("deepAll('img[src=x]').length") == 0


async def test_balances_max_and_shares(page: Page, portal_service: PortalService, wallet: TestWallet) -> None:
    await opened(page, portal_service)
    await connect(page)
    await page.until("deep('#balance')?.title")
    held = (await page.evaluate("deep('#balance').title")).replace(",", "")
    await page.click("#max")
    assert await page.evaluate("deep('#amount').value") == held
    await page.until("deep('#pay-usd').textContent.startsWith('$')")
    for share in (25, 50):
        await page.click(f"[aria-label='Pay {share}% of the balance']")
        part = Decimal(held) * share / 100
        assert Decimal(await page.evaluate("deep('#amount').value")) == part.quantize(Decimal("1e-6"), ROUND_DOWN)
    await page.click("#pay-token")
    await page.until("deepAll('#tokens .number').length > 2")
    offered = await page.evaluate("deepAll('[data-chain]').map((e) => Number(e.dataset.chain)).filter(Boolean)")
    assert offered == [chain.id for chain in portal_service.sandbox.chains]
    await page.press(*ESCAPE)


async def test_max_of_native_money_leaves_the_network_its_fee(
    page: Page, portal_service: PortalService, wallet: TestWallet
) -> None:
    """The button says how much that is, and pressed again it changes nothing."""
    await opened(page, portal_service, "?from=HERE:ETH&to=HERE:USDC")
    await connect(page)
    await page.until("deep('#balance')?.title")
    held = float((await page.evaluate("deep('#balance').title")).replace(",", ""))
    await page.click("#max")
    amount = await page.evaluate("deep('#amount').value")
    # A dollar of ether at 3,000, rounded up.
    assert round(held - float(amount), 9) == 0.0004
    await page.until("deep('#max').ariaLabel === 'Max, less 0.0004 ETH that is kept for the network fee'")
    await page.until("!!deep('#routes') || !!deep('#refusal')")
    await page.click("#max")
    assert await page.evaluate("deep('#amount').value") == amount


async def test_routes_are_compared_sorted_chosen_and_opened(page: Page, portal_service: PortalService) -> None:
    await opened(page, portal_service, "?from=HERE:USDC&to=THERE:USDC&amount=800")
    best = await routes(page)
    assert times_asked(page) == 1
    assert len(best) > 5
    shown = await page.evaluate("deepAll('#routes .badge').map((e) => e.textContent).join()")
    assert {"Best", "Fastest", "Most value"} <= set(shown.split(","))
    await page.evaluate(
        "(() => { const e = deep('#sort'); e.value = 'time'; e.dispatchEvent(new Event('change')); })()"
    )
    by_time = await page.evaluate("deepAll('#routes tbody').map((e) => e.dataset.adapter)")
    assert sorted(by_time) == sorted(best)
    assert by_time != best
    heads = await page.evaluate("deepAll('#routes thead th').map((e) => e.textContent)")
    assert heads == ["Route", "Received", "Fees", "Network fee", "Time", "At least", "Steps"]
    labels = "deepAll('#routes tbody').map((e) => [...e.querySelectorAll('[data-label]')].map((c) => c.dataset.label))"
    assert await page.evaluate(labels) == [["Fees", "Network fee", "Time", "At least", "Steps"]] * len(best)
    assert (await page.text("#get-usd")).startswith("$")
    for order, cells in (("net", [".net + .under"]), ("fees", ["[data-label=Fees]", "[data-label='Network fee']"])):
        await page.evaluate(f"deep('#sort').value = '{order}'; deep('#sort').dispatchEvent(new Event('change'))")
        columns = []
        for cell in cells:
            shown = await page.evaluate(f"deepAll(`#routes {cell}`).map((e) => e.innerText)")
            columns.append([Decimal(text) for text in re.findall(r"\$([0-9.]+)", " ".join(shown))])
            assert len(columns[-1]) == len(best)
        sums = [sum(row) for row in zip(*columns, strict=True)]
        # Each is cut off to the cent.
        ranked = sorted(sums, reverse=order == "net")
        assert all(abs(one - other) <= Decimal("0.02") for one, other in zip(sums, ranked, strict=True))
    output = await page.evaluate("deep('#output').value")
    await page.click(f"tbody[data-adapter='{by_time[-1]}'] .pick")
    await page.until(f"deep('#output').value !== '{output}'")
    await page.click(f"tbody[data-adapter='{by_time[-1]}'] .open")
    await believed(page)
    label = await page.evaluate("deep('.course').getAttribute('aria-label')")
    assert await page.evaluate(f"deep('tbody[data-adapter=\"{by_time[-1]}\"] .pick').innerText.trim()") in label
    simulation = await page.text(".simulation")
    assert "could not be measured" in simulation or "Not simulated yet" in simulation


async def test_links_fill_tokens_and_amount_and_nothing_else(page: Page, portal_service: PortalService) -> None:
    weth = portal_service.sandbox.evm_chains[1].tokens["WETH"].address
    more = "&receiver=0x1111111111111111111111111111111111111111&fee=0.1&slippage=40"
    await opened(page, portal_service, f"?from=HERE:DAI&to=THERE:{weth}&amount=3.5{more}")
    assert await page.text("#pay-token strong") == "DAI"
    assert "WETH\nSandbox B" in await page.text("#get-token")
    assert await page.evaluate("deep('#amount').value") == "3.5"
    assert await page.evaluate("deep('#receiver')") is None
    assert await page.text("#settings summary") == "Slippage: auto"


async def test_an_address_with_a_wrong_capital_is_refused(page: Page, portal_service: PortalService) -> None:
    await opened(page, portal_service, "?amount=5")
    await page.click("#add-receiver")
    await page.fill("#receiver", "0xd8DA6BF26964aF9D7eEd9e03E53415D37aA96045")
    await page.see("The capitals of this address do not match")
    assert await page.text("#go") == "Check the receiver"
    await page.fill("#receiver", "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045")
    await page.until(f"{BUTTON} === 'Connect wallet'")


async def test_the_keyboard_alone_gets_routes(page: Page, portal_service: PortalService) -> None:
    await opened(page, portal_service)
    for _ in range(30):
        await page.press(*TAB)
        assert await page.evaluate("getComputedStyle(focused()).outlineStyle") != "none"
        if await page.evaluate("focused().id") == "get-token":
            break
    await page.press(*ENTER)
    await page.until("focused().id === 'search' && deepAll('#tokens [role=option]').length > 3")
    await page.press(*DOWN)
    await page.press(*DOWN)
    picked = await page.until("deep('#tokens [aria-selected=true] strong').textContent")
    await page.press(*ENTER)
    await page.until(f"focused()?.id === 'get-token' && deep('#get-token strong').textContent === '{picked}'")
    await page.press(*TAB, shift=True)
    for _ in range(6):
        if await page.evaluate("focused().id") == "amount":
            break
        await page.press(*TAB, shift=True)
    await page.send("Input.insertText", text="2")
    await routes(page)
    await page.until(f"{BUTTON} === 'Connect wallet' && usable('#go')")
    await page.press(*ENTER)
    await page.until("deep('#wallet-dialog')?.open")
    await page.press(*ESCAPE)
    await page.until("!deep('#wallet-dialog') && focused().id === 'amount'")
    assert page.faults == []


async def test_the_answer_is_beside_the_form_or_below_it(page: Page, portal_service: PortalService) -> None:
    width, height = await page.evaluate("[innerWidth, innerHeight]")
    await opened(page, portal_service, "?amount=100")
    await routes(page)
    box = "(() => {{ const b = deep('{}').getBoundingClientRect(); return [b.left, b.top, b.right, b.bottom]; }})()"
    form, table = [await page.evaluate(box.format(name)) for name in ("form", "#routes")]
    assert await page.evaluate("document.documentElement.scrollWidth") <= width
    assert form[3] <= height, "the form is seen at once"
    if width > 800:
        assert table[0] > form[2]
        assert table[3] <= height, "the answer is seen without scrolling"
    else:
        assert table[1] > form[3]


async def test_typing_what_is_received_asks_for_what_has_to_be_sent(page: Page, portal_service: PortalService) -> None:
    """Both fields are live: the other one follows, Max and a token's change go back, and the link keeps the side."""
    await opened(page, portal_service, "?from=HERE:USDC&to=HERE:ETH&amount=100")
    await routes(page)
    await page.fill("#output", "0.05")
    await page.until("deep('#amount').ariaBusy === 'false' && Number(deep('#amount').dataset.raw) > 100e6")
    raw = int(await page.evaluate("deep('#amount').dataset.raw"))
    assert Decimal(await page.evaluate("deep('#amount').value")) * 10**6 == raw
    assert await page.evaluate("deep('#output').value") == "0.05"
    least = "deep('rhumbline-swap').session.search.routes.map((route) => [route.inputAmount, route.minOutputAmount])"
    found = [(int(sent), int(minimum)) for sent, minimum in await page.evaluate(least)]
    assert all(minimum >= 5 * 10**16 for _, minimum in found)
    assert raw == found[0][0]
    heads = await page.evaluate("deepAll('#routes thead th').map((e) => e.textContent)")
    assert heads[:2] == ["Route", "Paid"]
    shown = await page.evaluate("deepAll('#routes .net').map((e) => Number(e.dataset.raw))")
    assert shown == [sent for sent, _ in found]
    assert re.fullmatch(r"About 0\.050[0-9]* ETH expected", await page.text("#expected"))
    await page.fill("#output", "zero")
    await page.until("deep('#output-fault').innerText.length > 10 && deep('#output').ariaInvalid === 'true'")
    assert await page.text("#amount-fault") == ""
    await page.fill("#amount", "100")
    await page.until("Number(deep('#output').dataset.raw) > 0 && deep('#amount').value === '100'")
    assert await page.evaluate("deep('#routes thead th:nth-child(2)').textContent") == "Received"
    await opened(page, portal_service, "?from=HERE:USDC&to=HERE:ETH&receive=0.05")
    await page.until("Number(deep('#amount').dataset.raw) > 100e6 && deep('#output').value === '0.05'")
