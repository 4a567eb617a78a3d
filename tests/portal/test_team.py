"""A team in a real Chromium: invited by a link, joined from a phone, each with what its role may do; titles by page."""

import aiohttp
import pytest

from rhumbline.domain.account import Role
from tests.api.portal.season import enter, furnish
from tests.api.portal.test_views import HOME, NAME, PAGES, owner
from tests.portal.chromium import Browser, Page
from tests.portal.sizes import DESKTOP, NARROW, PHONE, sound
from tests.portal.wallet import TestWallet
from tests.portal_fixture import ServedPortal, Visitor

NOWHERE = {1: "http://127.0.0.1:1"}


@pytest.fixture
async def boss(portal: ServedPortal, page: Page) -> Visitor:
    visitor = await owner(portal)
    await enter(page, visitor)
    return visitor


async def test_an_invited_wallet_joins(
    portal: ServedPortal, browser: Browser, session: aiohttp.ClientSession, page: Page, boss: Visitor
) -> None:
    await page.goto(f"{portal.url}{HOME}/members")
    await page.evaluate("document.querySelector('#role').value = 'developer'")
    await page.follow("form[action$='/members/invitations'] button")
    await page.see("The invitation, shown this once")
    link = await page.text("#link")
    await sound(page)
    guest = await browser.page()
    wallet = TestWallet("0x" + "22" * 32, NOWHERE, session, 1)
    await wallet.into(guest)
    await guest.look(*PHONE)
    await guest.goto(link)
    await guest.see("Sign in, and you go on where you were.")
    await guest.click("#sign-in")
    await guest.follow("#wallet-list button")
    await guest.see("Your invitation")
    code = link.partition("#")[2]
    assert await guest.evaluate("[document.querySelector('#invitation').value, location.hash]") == [code, ""]
    await sound(guest)
    await guest.follow("#join-form button")
    await guest.see(f"{NAME} invites you")
    await sound(guest)
    await guest.follow("form[action='/portal/join/accept'] button")
    await guest.see("Latest transactions")
    assert wallet.address in [each.address for each in await portal.services.members.members_of(NAME)]
    assert not any(code in url for url in guest.requests), "a link's code is sent in no address"
    assert list(guest.faults) == []
    await guest.goto(f"{portal.url}{HOME}/members")
    assert await guest.evaluate("document.querySelectorAll('form[action$=\"/members/invitations\"]').length") == 0
    await guest.close()


async def test_a_used_link_says_so(portal: ServedPortal, page: Page, boss: Visitor) -> None:
    _, code = await portal.services.invitations.invite(NAME, Role.VIEWER, 7)
    await portal.services.invitations.accept(code, portal.visitor(9).address)
    await page.goto(f"{portal.url}/portal/join#{code}")
    await page.follow("#join-form button")
    await page.see("it was used already, and counts once: ask for a new one")
    await sound(page)


@pytest.mark.parametrize("role", list(Role))
async def test_every_page_is_sound_for_every_role(portal: ServedPortal, page: Page, boss: Visitor, role: Role) -> None:
    await furnish(portal, boss)
    member = portal.visitor(21)
    await member.sign_in()
    await portal.services.members.put(member.address, NAME, role)
    await enter(page, member)
    for path in ("/keys", "/wallets", "/members", "/log"):
        await page.goto(f"{portal.url}{HOME}{path}")
        await page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
        await sound(page, DESKTOP, NARROW)


async def test_a_key_for_browsers_is_made_on_a_phone(portal: ServedPortal, page: Page, boss: Visitor) -> None:
    await page.look(*PHONE)
    await page.goto(f"{portal.url}{HOME}/keys")
    await page.click("details.terms summary")
    await page.click("input[value=browser]")
    await page.follow("form:has(#new-name) button")
    await page.see("origin: a key for browsers needs the origins of its pages")
    assert await page.evaluate("document.querySelector('input[value=browser]').checked")
    await sound(page)
    await page.look(*PHONE)
    await page.fill("#origins-new", "https://app.example")
    await page.follow("form:has(#new-name) button")
    await page.see("It may stand in pages of https://app.example")
    assert (await page.text("#key")).startswith("rl_pub_")
    await sound(page)
    (key,) = await portal.services.accounts.list_keys(NAME)
    assert key.terms.in_browsers


async def test_each_page_has_a_title_of_its_own(portal: ServedPortal, page: Page, boss: Visitor) -> None:
    titles = []
    change = f"{HOME}/wallets/change?chain_type=EVM&address=0x{'5a' * 20}"
    for path in ("/portal", "/portal/join", *(HOME + each for each in PAGES), change, "/portal/nowhere"):
        await page.goto(portal.url + path)
        titles.append(await page.evaluate("document.title"))
    assert len(set(titles)) == len(titles)
    assert all(title.endswith(" · Rhumbline") for title in titles)
    assert {f"API keys · {NAME} · Rhumbline", f"Requests · {NAME} · Rhumbline", f"Members · {NAME} · Rhumbline"} < set(
        titles
    )
