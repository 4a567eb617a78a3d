"""Members, roles, invitations and the log, as pages show them."""

import re

import pytest

from rhumbline.domain.account import Role
from tests.api.portal.test_views import HOME, NAME, owner
from tests.portal_fixture import Answer, ServedPortal, Visitor

LINK = re.compile(r'<code id="link">([^<]*)</code>')


async def invited(visitor: Visitor, **fields: str) -> Answer:
    form = {"role": "developer", "days": "7", **fields}
    return await visitor.follow_form(f"{HOME}/members/invitations", await visitor.csrf(), **form)


def link_in(answer: Answer) -> str:
    (link,) = LINK.findall(answer.text)
    return str(link)


async def test_an_invited_wallet_joins_by_a_link(portal: ServedPortal) -> None:
    boss, guest = await owner(portal), portal.visitor(2)
    shown = await invited(boss)
    link = link_in(shown)
    assert (shown.status, shown.headers["cache-control"]) == (200, "no-store")
    assert re.fullmatch(rf"{re.escape(portal.url)}/portal/join#[A-Za-z0-9_-]{{43}}", link)
    again = await boss.get(f"{HOME}/members")
    assert (LINK.findall(again.text), "any wallet" in again.text) == ([], True)
    away = await guest.get("/portal/join")
    assert (away.status, away.headers["location"]) == (303, "/portal?then=%2Fportal%2Fjoin")
    assert 'data-then="/portal/join"' in (await guest.get(away.headers["location"])).text
    await guest.sign_in()
    csrf = (await guest.get("/portal/join")).csrf
    looked = await guest.send_form("/portal/join", csrf, invitation=link)
    assert (looked.status, f"{NAME} invites you" in looked.text, "a developer" in looked.text) == (200, True, True)
    assert guest.address in looked.text
    assert (await guest.get(HOME)).status == 404, "to look is not to join"
    joined = await guest.send_form("/portal/join/accept", csrf, invitation=link)
    assert (joined.status, joined.headers["location"]) == (303, HOME)
    assert (await guest.get(HOME)).status == 200
    assert "you are a developer" in (await guest.get("/portal")).text
    for path in ("/portal/join", "/portal/join/accept"):
        twice = await guest.send_form(path, csrf, invitation=link)
        assert (twice.status, "it was used already, and counts once" in twice.text) == (400, True)


@pytest.mark.parametrize("path", ["/portal/join", "/portal/join/accept"])
async def test_an_invitation_that_is_none_of_ours_is_refused(portal: ServedPortal, path: str) -> None:
    boss, guest, other = await owner(portal), portal.visitor(2), portal.visitor(3)
    for visitor in (guest, other):
        await visitor.sign_in()
    link = link_in(await invited(boss, wallet=guest.address.lower()))
    foreign = await other.send_form(path, await other.csrf(), invitation=link)
    assert (foreign.status, f"it is for another wallet than {other.address}" in foreign.text) == (400, True)
    for text in ("", "x", link[:-1], link + "x", "<script>alert(1)</script>"):
        wrong = await guest.send_form(path, await guest.csrf(), invitation=text)
        assert (wrong.status, "this is none, or it expired long ago" in wrong.text) == (400, True)
        assert "<script>alert" not in wrong.text
    portal.clock.move(days=7)
    await guest.sign_in()
    late = await guest.send_form(path, await guest.csrf(), invitation=link)
    assert (late.status, "it has expired" in late.text) == (400, True)
    assert len(await portal.services.members.members_of(NAME)) == 1


async def test_joining_needs_a_form_of_the_session(portal: ServedPortal) -> None:
    boss, guest = await owner(portal), portal.visitor(2)
    link = link_in(await invited(boss))
    await guest.sign_in()
    for csrf in (None, "", "0" * 64, await boss.csrf()):
        assert (await guest.send_form("/portal/join/accept", csrf, invitation=link)).status == 403
    guest.origin = "https://evil.example"
    assert (await guest.send_form("/portal/join/accept", await guest.csrf(), invitation=link)).status == 403
    assert (await portal.visitor(3).send_form("/portal/join/accept", "0" * 64, invitation=link)).status == 403


async def test_a_bad_invitation_is_refused_by_its_field(portal: ServedPortal) -> None:
    boss = await owner(portal)
    for fields, says in (
        ({"role": "admin"}, "role: must be one of owner, developer, viewer"),
        ({"role": ""}, "role: must be one of"),
        ({"days": "0"}, "days: choose how long"),
        ({"days": "31"}, "days: choose how long"),
        ({"wallet": "0x1"}, "wallet: must be an EVM address"),
        ({"wallet": boss.address[:-1] + ("0" if boss.address[-1] != "0" else "1")}, "wallet: must be an EVM address"),
        ({"wallet": boss.address}, "is a member already"),
        ({"wallet": "<b>"}, "wallet: must be an EVM address"),
    ):
        answer = await invited(boss, **fields)
        assert (answer.status, says in answer.text) == (400, True), (fields, answer.text)
        assert "<b>" not in answer.text
    assert await portal.services.invitations.open_of(NAME) == ()


async def test_a_form_that_comes_twice_makes_one_invitation(portal: ServedPortal) -> None:
    boss = await owner(portal)
    page = await boss.get(f"{HOME}/members")
    once = re.findall(r'name="once" value="([A-Za-z0-9_-]{43})"', page.text)[0]
    for _ in range(3):
        assert (await invited(boss, once=once)).status == 200
    assert len(await portal.services.invitations.open_of(NAME)) == 1


async def test_a_link_is_shown_to_its_session_on_its_page_alone(portal: ServedPortal) -> None:
    boss = await owner(portal)
    await boss.register("Second")
    csrf = await boss.csrf()
    await boss.send_form(f"{HOME}/members/invitations", csrf, role="viewer", days="1")
    kept = boss.cookies["portal-new"]
    for path in (f"{HOME}/keys", "/portal/i/Second/members"):
        boss.cookies["portal-new"] = kept
        page = await boss.get(path)
        assert kept.partition(".")[0] not in page.text, path
    boss.cookies["portal-new"] = kept
    assert link_in(await boss.get(f"{HOME}/members")).endswith(kept.partition(".")[0])
    assert "portal-new" not in boss.cookies


async def test_the_last_owner_cannot_leave(portal: ServedPortal) -> None:
    boss, guest = await owner(portal), portal.visitor(2)
    page = await boss.get(f"{HOME}/members")
    assert "You are the last owner, and cannot leave" in page.text
    csrf, path = page.csrf, f"{HOME}/members/{boss.address}"
    for end, fields in ((f"{path}/remove", {}), (f"{path}/role", {"role": "viewer"}), (f"{HOME}/members/leave", {})):
        refused = await boss.send_form(end, csrf, **fields)
        assert (refused.status, "this is the last owner of Acme" in refused.text) == (400, True)
    await portal.services.members.put(guest.address, NAME, Role.OWNER)
    assert (await boss.send_form(f"{HOME}/members/leave", csrf)).headers["location"] == "/portal"
    assert (await boss.get(HOME)).status == 404


async def test_members_are_shown_with_their_keys(portal: ServedPortal) -> None:
    boss, guest = await owner(portal), portal.visitor(2)
    await portal.services.members.put(guest.address, NAME, Role.DEVELOPER)
    for _ in range(2):
        await portal.services.accounts.create_key(NAME, owner=guest.address)
    page = (await boss.get(f"{HOME}/members")).text
    assert "Its 2 live keys go on: rotate or revoke what it may have kept." in page
    assert page.index(boss.address) < page.index(guest.address)


@pytest.mark.parametrize("member", ["0x1", "x", "0x" + "0" * 40, "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM"])
async def test_who_is_no_member_is_not_found(portal: ServedPortal, member: str) -> None:
    boss = await owner(portal)
    for end, fields in (("role", {"role": "viewer"}), ("remove", {})):
        answer = await boss.send_form(f"{HOME}/members/{member}/{end}", await boss.csrf(), **fields)
        assert answer.status == 404
    for invitation in ("0", "x", "-1", "9" * 30):
        gone = await boss.send_form(f"{HOME}/members/invitations/{invitation}/withdraw", await boss.csrf())
        assert gone.status == 404


async def test_the_log_has_pages_and_shows_text_as_text(portal: ServedPortal) -> None:
    boss = await owner(portal)
    key, _ = await portal.services.accounts.create_key(NAME, name="<b>bold</b>", owner=boss.address)
    for number in range(60):
        await portal.services.accounts.name_key(key.id, f"n{number}", boss.address if number % 2 else None)
    page = (await boss.get(f"{HOME}/log")).text
    assert page.count('<tr>\n<td class="number" data-label="Time"') == 50
    assert "the operator" in page
    assert "“n59”" in page
    (older,) = re.findall(rf'href="{HOME}/log\?before=(\d+)"', page)
    rest = (await boss.get(f"{HOME}/log?before={older}")).text
    assert rest.count('<tr>\n<td class="number" data-label="Time"') == 12
    assert "&lt;b&gt;bold&lt;/b&gt;" in rest
    assert "<b>" not in rest
    assert "there are no older ones" in (await boss.get(f"{HOME}/log?before=1")).text
    for before in ("x", "-1", "1e3", "9" * 30):
        assert (await boss.get(f"{HOME}/log?before={before}")).status == 400
