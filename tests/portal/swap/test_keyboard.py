"""The swap box by keyboard alone: every control is reached, seen, and works, and the focus is never lost."""

from typing import Any

from tests.portal.chromium import Page
from tests.portal.sizes import at_a_size
from tests.portal.stack import PortalService
from tests.portal.swap_box import ROUTES, believed, error, opened, otherwise, routes, times_asked
from tests.portal.wallet import TestWallet

TAB, ENTER, SPACE, ESCAPE = ("Tab", 9), ("Enter", 13), (" ", 32), ("Escape", 27)
DOWN, UP = ("ArrowDown", 40), ("ArrowUp", 38)
ADDRESS = "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045"
STOP = """(() => {
  const e = focused();
  if (!e || e === document.body) return null;
  window.walked = (window.walked ?? new Set()).add(e);
  const box = e.getBoundingClientRect(), style = getComputedStyle(e);
  return {
    id: e.id, what: e.outerHTML.slice(0, 90),
    seen: box.width > 0 && box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth,
    outlined: style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2,
  };
})()"""
# Of a group of radio buttons only the one that is chosen is a stop; arrows lead to the others.
LEFT = """deepAll("a[href], button, input:not([type=radio]), input:checked, select, summary")
  .filter((e) => deep('.swap').contains(e) && e.checkVisibility() && !walked.has(e))
  .map((e) => e.outerHTML.slice(0, 90))"""


async def stop(page: Page) -> Any:
    found = await page.evaluate(STOP)
    assert found is not None, "the focus is lost"
    assert found["seen"], found
    assert found["outlined"], found
    return found


async def to(page: Page, selector: str, *, back: bool = False) -> None:
    """Go on by Tab until the focus is there."""
    for _ in range(60):
        await page.press(*TAB, shift=back)
        await stop(page)
        if await page.evaluate(f"focused().matches({selector!r})"):
            return
    raise AssertionError(f"never reached: {selector}")


async def stays(page: Page, holds: str) -> None:
    """Wait for what a key does; the focus is where it was."""
    before = await page.evaluate("focused()?.id")
    await page.until(holds)
    assert await page.evaluate("focused()?.id") == before
    await stop(page)


async def connected(page: Page) -> None:
    await to(page, "#connect")
    await page.press(*ENTER)
    await page.until("!!focused()?.closest('#wallet-dialog')")
    await page.press(*ESCAPE)
    await page.until("!deep('#wallet-dialog') && focused().id === 'connect'")
    await page.press(*SPACE)
    await page.until("!!focused()?.closest('#wallet-list')")
    await page.press(*ENTER)
    # The button to connect is gone; the one in its place has the focus.
    await page.until("!deep('#wallet-dialog') && focused()?.id === 'disconnect'")


async def picked(page: Page, there: int) -> None:
    """Another chain and token, by arrows; closing leads back."""
    searching = "focused()?.id === 'search' && !!deep('#tokens [role=option]')"
    closed = "!deep('#search') && focused()?.id === 'get-token'"
    await to(page, "#get-token")
    await page.press(*ENTER)
    await page.until(searching)
    await to(page, f"[data-chain='{there}']", back=True)
    await page.press(*SPACE)
    await stays(page, f"deep('[data-chain=\"{there}\"]').getAttribute('aria-pressed') === 'true'")
    await to(page, "#picker-close", back=True)
    await page.press(*ENTER)
    await page.until(closed)
    await page.press(*SPACE)
    await page.until(searching)
    await page.press(*ESCAPE)
    await page.until(closed)
    await page.press(*ENTER)
    await page.until(searching)
    await page.send("Input.insertText", text="WBTC")
    await page.until("deep('#tokens [aria-selected=true] strong')?.textContent === 'WBTC'")
    await page.press(*ENTER)
    await page.until("focused()?.id === 'get-token' && deep('#get-token strong').textContent === 'WBTC'")


async def filled(page: Page) -> None:
    """Shares, amount, both directions, receiver, slippage."""
    await page.until("!!deep('#max')")
    await to(page, ".share")
    await page.press(*SPACE)
    await stays(page, "parseFloat(deep('#amount').value) > 0")
    await to(page, "#flip")
    for key, symbol in ((ENTER, "WBTC"), (SPACE, "USDC")):
        await page.press(*key)
        await stays(page, f"deep('#pay-token strong').textContent === '{symbol}'")
    await to(page, "#amount", back=True)
    await page.send("Input.insertText", text="120.5")
    await routes(page)
    await to(page, "#rate")
    assert (await page.text("#rate")).startswith("1 USDC = ")
    await page.press(*ENTER)
    await stays(page, "deep('#rate').textContent.startsWith('1 WBTC = ')")
    await to(page, "#add-receiver")
    await page.press(*ENTER)
    await page.until("focused()?.id === 'receiver'")
    await page.send("Input.insertText", text=ADDRESS)
    await stays(page, f"deep('#receiver').value === '{ADDRESS}'")
    await to(page, "summary")
    await page.press(*ENTER)
    await stays(page, "deep('#settings').open")
    await to(page, "[data-slippage='0.5']")
    await page.press(*SPACE)
    await stays(page, "deep('summary').textContent === 'Slippage: 0.5%'")
    await to(page, "#slippage")
    for digit in "1.25":
        # On the way it reads "1", which is a preset as well.
        await page.send("Input.insertText", text=digit)
    await stays(page, "deep('summary').textContent === 'Slippage: 1.25%' && deep('#slippage').value === '1.25'")


async def compared(page: Page) -> None:
    await routes(page)
    await to(page, "#sort")
    await page.press(*DOWN)
    await stays(page, "deep('#sort').value === 'net'")
    await to(page, "[name=route]")
    first = await page.evaluate("focused().closest('tbody').dataset.adapter")
    await page.press(*DOWN)
    await page.until(f"focused().checked && focused().closest('tbody').dataset.adapter !== '{first}'")
    await page.until("focused().closest('tbody').matches('.chosen')")
    await to(page, ".open")
    for key, state in ((ENTER, "true"), (SPACE, "false"), (ENTER, "true")):
        await page.press(*key)
        await stays(page, f"focused().ariaExpanded === '{state}'")
    # What has to be believed comes later, and makes the row higher.
    await believed(page)
    await to(page, ".serves a")
    await to(page, "#language")
    for key, language, title in ((DOWN, "en", "History"), (DOWN, "de", "Verlauf"), (UP, "en", "History")):
        await page.press(*key)
        await stays(page, f"deep('#language').value === '{language}' && deep('#history').textContent === '{title}'")


@at_a_size
async def test_every_control_is_reached_and_works(
    page: Page, portal_service: PortalService, wallet: TestWallet, size: tuple[int, int]
) -> None:
    await page.look(*size)
    wallet.refuse = lambda method: method == "eth_sendTransaction"
    await opened(page, portal_service, "?from=HERE:USDC&to=HERE:WETH")
    await connected(page)
    await picked(page, portal_service.sandbox.evm_chains[1].id)
    await to(page, "#disconnect", back=True)
    await filled(page)
    await to(page, "#go")
    await page.until("usable('#go')")
    await page.press(*ENTER)
    await page.until("said().includes('You declined in the wallet')")
    await stays(page, "usable('#go')")
    await compared(page)
    # Back to the beginning: by now all of it is open.
    await page.evaluate("walked.clear(); walked.add(focused())")
    while not await page.evaluate("focused().matches('#history')"):
        await page.press(*TAB, shift=True)
        await stop(page)
    assert await page.evaluate(LEFT) == []
    await page.press(*SPACE)
    await stays(page, "!!deep('.history')")
    await to(page, "#back", back=True)
    await page.press(*ENTER)
    # It goes away with the list that it leads back from.
    await page.until("!deep('.history') && !!deep('form') && focused()?.id === 'history'")
    await to(page, "#disconnect")
    await page.press(*ENTER)
    await page.until("focused()?.id === 'connect'")
    assert wallet.transactions() != []
    assert page.faults == []


@at_a_size
async def test_what_waits_keeps_the_focus(
    page: Page,
    portal_service: PortalService,
    wallet: TestWallet,
    other_wallet: TestWallet,
    size: tuple[int, int],
) -> None:
    """Buttons that can do nothing now say so and stay where they are; those that go away hand the focus on."""
    await page.look(*size)
    await otherwise(page, ROUTES, error("RATE_LIMIT", 429, **{"retry-after": "600"}))
    await opened(page, portal_service, "?amount=5")
    await page.see("Too many requests")
    await page.evaluate("deep('#go').focus()")
    for key in (ENTER, SPACE):
        await page.press(*key)
        assert await page.evaluate("focused().id") == "go"
    assert await page.evaluate("[deep('#go').ariaDisabled, deep('#go').textContent]") == ["true", "Too many requests"]
    await to(page, "#remedy")
    assert not await page.evaluate("usable('#remedy')")
    asked = times_asked(page)
    await page.press(*ENTER)
    assert await page.evaluate("focused().id") == "remedy"
    assert times_asked(page) == asked
    await page.evaluate(f"instead['{ROUTES}'] = {{status: 422, headers: {{}}, body: {{code: 'SLIPPAGE_EXCEEDED'}}}}")
    await to(page, "#amount", back=True)
    await page.send("Input.insertText", text="7")
    await page.until("deep('#remedy')?.textContent === 'Change slippage'")
    await to(page, "#remedy")
    await page.press(*ENTER)
    await page.until("focused()?.id === 'slippage'")
    await page.evaluate("window.instead = null")
    await page.send("Input.insertText", text="1")
    await routes(page)
    await to(page, "#rate", back=True)
    await to(page, "#connect", back=True)
    await page.press(*ENTER)
    await page.until("!!focused()?.closest('#wallet-list')")
    await page.press(*ENTER)
    await page.until("focused()?.id === 'disconnect'")
    await routes(page)
    await to(page, "#rate")
    # The answer goes away with the account that it was for, and the button with it.
    wallet.private_key = other_wallet.private_key
    await wallet.tell(page, "accountsChanged", [wallet.address])
    await page.until("focused()?.id === 'go'")
    await routes(page)
    assert await page.evaluate("focused().id") == "go"


async def test_who_goes_on_is_not_called_back(page: Page, portal_service: PortalService) -> None:
    """That a dialog has closed is told a moment later; by then the focus may be somewhere else."""
    await opened(page, portal_service)
    for opener, close in (("#get-token", "#picker-close"), ("#connect", "#wallet-close")):
        await page.click(opener)
        await page.until(f"!!deep('{close}')")
        await page.evaluate(f"deep('{close}').click(); deep('#amount').focus()")
        await page.until(f"!deep('{close}')")
        assert await page.evaluate("focused().id") == "amount"
