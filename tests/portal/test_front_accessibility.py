"""The front page in a real Chromium as axe-core judges it, in every state that a visitor meets."""

from typing import Any

import aiohttp
import pytest

from tests.portal.chromium import Page
from tests.portal.sizes import DESKTOP, PHONE, at_a_size, sound
from tests.portal.stack import PortalService
from tests.portal.story import OWNER, wallet_of
from tests.portal.swap_box import connect, opened, pick, routes, send


@pytest.fixture
async def visited(page: Page, portal_service: PortalService, session: aiohttp.ClientSession) -> Page:
    await wallet_of(portal_service, session, OWNER + 2).into(page)
    await opened(page, portal_service)
    return page


async def judge(page: Page, state: str) -> None:
    await sound(page, DESKTOP, PHONE, state=state)


async def test_axe_finds_nothing_wrong(visited: Page) -> None:
    page = visited
    await judge(page, "empty")
    await page.fill("#amount", "1.5x")
    await judge(page, "a fault")
    await page.fill("#amount", "120.5")
    await routes(page)
    await page.click("#settings summary")
    await page.click("#add-receiver")
    await routes(page)
    await page.click("#routes tbody .open")
    await page.until("!!deep('.detail')")
    await judge(page, "an answer, all of it open")
    await pick(page, "pay")
    await judge(page, "the list of tokens")
    await page.press("Escape", 27)
    await page.until("!deep('#search')")
    await page.click("#connect")
    await page.until("!!deep('#wallet-list button')")
    await judge(page, "the list of wallets")
    await page.click("#wallet-close")
    await page.until("!deep('#wallet-dialog')")
    await connect(page)
    await routes(page)
    await send(page)
    await page.see("ETH arrived")
    await judge(page, "arrived")
    await page.click("#history")
    await page.click(".transfers summary")
    await judge(page, "history")


# Where each part of the form has been, in every frame since.
WATCHED = """
window.places = new Set();
(function look() {
  for (const id of ['amount', 'flip', 'get-token', 'go']) {
    places.add(`${id} ${Math.round(deep('#' + id).getBoundingClientRect().top + scrollY)}`);
  }
  requestAnimationFrame(look);
})();
"""


@at_a_size
async def test_the_form_stands_still(
    page: Page, portal_service: PortalService, session: aiohttp.ClientSession, size: tuple[int, int]
) -> None:
    """Nothing moves from the empty form to an answer for a wallet whose balance is long."""
    wallet = wallet_of(portal_service, session, OWNER + 2)
    ask = wallet.rpc

    async def rich(params: list[Any]) -> Any:
        if params[0]["data"].startswith("0x70a08231"):
            return f"0x{987_654_321_987_654_321:064x}"
        return await ask("eth_call", *params)

    wallet.answers["eth_call"] = rich
    await wallet.into(page)
    await page.look(*size)
    await opened(page, portal_service)
    await page.evaluate(WATCHED)
    assert await page.evaluate("deep('#go').getBoundingClientRect().top") < size[1]
    await page.fill("#amount", "120.5")
    await routes(page)
    await connect(page)
    await page.until("deep('#balance')?.title === '987,654,321,987.654321' && !!deep('#max')")
    await page.fill("#amount", "123.456789")
    await routes(page)
    await page.until("!!deep('#output').dataset.raw && deep('#rate').textContent.length > 10")
    places = await page.evaluate("new Promise((done) => requestAnimationFrame(() => done([...places])))")
    assert len(places) == 4, (places, await page.text("form"))
    assert await page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


async def test_nothing_moves_for_who_does_not_want_it(visited: Page) -> None:
    page = visited
    feature = {"name": "prefers-reduced-motion", "value": "reduce"}
    await page.send("Emulation.setEmulatedMedia", features=[feature])
    moving = "[...deep('rhumbline-swap').shadowRoot.getAnimations(), ...document.getAnimations()].length"
    await page.fill("#amount", "120.5")
    await page.until("!!deep('.skeleton') || !!deep('#routes')")
    assert await page.evaluate(moving) == 0
    await routes(page)
    assert await page.evaluate(moving) == 0
