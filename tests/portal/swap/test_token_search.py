"""Tokens are searched on one chain or on all; those chosen last, and favourites, are kept in the browser."""

import pytest

from tests.portal.axe import violations_in_both_schemes
from tests.portal.chromium import Page
from tests.portal.sizes import at_a_size
from tests.portal.stack import PortalService
from tests.portal.swap_box import STORAGE, choose, keep_nothing, opened, pick

ENTER, ESCAPE, TAB = ("Enter", 13), ("Escape", 27), ("Tab", 9)
KEPT = "deepAll('[data-kept]').map((e) => e.innerText.replace(/\\s+/g, ' ').trim())"
ACTIVE = "deep('#tokens [aria-selected=true]')"


async def closed(page: Page) -> None:
    await page.press(*ESCAPE)
    await page.until("!deep('#search')")


@at_a_size
async def test_all_chains_are_searched_at_once(
    page: Page, portal_service: PortalService, size: tuple[int, int]
) -> None:
    await page.look(*size)
    there = portal_service.sandbox.evm_chains[1]
    await opened(page, portal_service, "?from=HERE:USDC&to=HERE:ETH")
    await pick(page, "get")
    await page.fill("#search", "wbtc")
    await page.click("[data-chain='all']")
    chains = "deepAll('#tokens li .where').map((e) => e.textContent)"
    await page.until(f"{chains}.length === 3")
    assert await page.evaluate(chains) == [chain.name for chain in portal_service.sandbox.chains]
    lists = [url for url in page.requests if "/v1/tokens" in url]
    assert lists[-1].partition("chains=")[2].count(",") == 1, "one request for the chains that were not loaded yet"
    await page.fill("#search", "nothing of this name")
    await page.until("deep('#picker-said').textContent.startsWith('No such token on these chains')")
    await page.fill("#search", "")
    await page.until("new Set(deepAll('#tokens li .where').map((e) => e.textContent)).size === 3")
    assert await violations_in_both_schemes(page, *size) == []
    await page.fill("#search", "wbtc")
    await page.until(f"{chains}.length === 3")
    await page.press("ArrowDown", 40)
    await page.press(*ENTER)
    await page.until("!deep('#search')")
    assert await page.evaluate("deep('#get-token .token-text').innerText.split('\\n')") == ["WBTC", there.name]


async def test_the_last_tokens_and_favourites_are_kept_and_chosen_again(
    page: Page, portal_service: PortalService
) -> None:
    there = portal_service.sandbox.evm_chains[1]
    await opened(page, portal_service, "?from=HERE:USDC&to=HERE:ETH")
    await choose(page, "get", "DAI", there.id)
    await pick(page, "get")
    assert await page.evaluate(KEPT) == [f"DAI {there.name}"]
    # By the star of a row, and by the button for the row that the arrows are on.
    await page.click("#tokens li:nth-child(2) .star")
    await page.click("#favourite")
    first = await page.evaluate(f"{ACTIVE}.querySelector('strong').textContent")
    assert await page.evaluate("deep('#favourite').ariaPressed") == "true"
    assert await page.text("#favourite") == f"Remove {first} from the favourites"
    assert await page.evaluate("deepAll('.star[data-on]').length") == 2
    await closed(page)
    await opened(page, portal_service, "?from=HERE:USDC&to=HERE:ETH")
    await pick(page, "get")
    kept = await page.evaluate(KEPT)
    assert len(kept) == 3
    assert kept[-1] == f"DAI {there.name}"
    assert kept[0] == f"{first} {there.name}"
    await page.click("[aria-label='Recent'] [data-kept]")
    await page.until("deep('#get-token strong').textContent === 'DAI'")
    await pick(page, "get")
    await page.click("#favourite")
    await page.until("deepAll('[aria-label=Favourites] [data-kept]').length !== 2")
    await page.fill("#search", "d")
    assert await page.evaluate(KEPT) == []


async def test_a_favourite_is_made_by_the_keyboard_alone(page: Page, portal_service: PortalService) -> None:
    await opened(page, portal_service)
    await pick(page, "pay")
    await page.until("focused()?.id === 'search'")
    await page.press("ArrowDown", 40)
    symbol = await page.evaluate(f"{ACTIVE}.querySelector('strong').textContent")
    for _ in range(8):
        await page.press(*TAB)
        if await page.evaluate("focused().id") == "favourite":
            break
    await page.press(*ENTER)
    await page.until(f"deep('#favourite').textContent === 'Remove {symbol} from the favourites'")
    assert await page.evaluate("focused().id") == "favourite"


@STORAGE
async def test_what_cannot_be_kept_lasts_as_long_as_the_dialog(
    page: Page, portal_service: PortalService, storage: str
) -> None:
    await keep_nothing(page, storage)
    await opened(page, portal_service)
    await pick(page, "pay")
    await page.click("#favourite")
    await page.until("deepAll('.star[data-on]').length === 1")
    assert page.faults == []


@pytest.mark.parametrize("query", ["?from=HERE:ETH", "?to=HERE:USDC", "?from=HERE:ETH&to=HERE:USDC", ""])
async def test_the_two_sides_are_never_the_same_token(page: Page, portal_service: PortalService, query: str) -> None:
    await opened(page, portal_service, query)
    both = "['pay', 'get'].map((side) => deep(`#${side}-token strong`).textContent)"
    assert sorted(await page.evaluate(both)) == ["ETH", "USDC"]
