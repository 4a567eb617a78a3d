"""An integrator's keys in the portal: shown once, replaced, ended, and never more than there may be."""

import asyncio
import re

from rhumbline.accounts.key_store import live_keys
from rhumbline.api.portal.keys import MOST_KEYS
from rhumbline.api.portal.services import Usage
from tests.api.portal.test_views import HOME, NAME, owner
from tests.portal_fixture import BEGIN, ServedPortal

KEY = re.compile(r'<code id="key">(rl_live_[0-9A-Za-z]{32})</code>')


async def test_a_key_is_shown_once_and_works_until_it_ends(portal: ServedPortal) -> None:
    visitor = await owner(portal)
    accounts = portal.services.accounts
    made = await visitor.follow_form(f"{HOME}/keys", await visitor.csrf())
    assert (made.status, made.headers["cache-control"]) == (200, "no-store")
    first = KEY.findall(made.text)[0]
    caller = await accounts.caller(first)
    assert caller.integrator is not None
    assert caller.integrator.name == NAME
    listed = await visitor.get(f"{HOME}/keys")
    assert first not in listed.text
    assert first[:12] in listed.text
    path = f"{HOME}/keys/{caller.key_id}"
    for overlap in ("", "-1", "5", "1e3", "86400.0"):
        assert (await visitor.send_form(f"{path}/rotate", await visitor.csrf(), overlap=overlap)).status == 400
    rotated = await visitor.follow_form(f"{path}/rotate", await visitor.csrf(), overlap="86400")
    second = KEY.findall(rotated.text)[0]
    assert (await accounts.caller(first)).integrator == (await accounts.caller(second)).integrator
    again = await visitor.send_form(f"{path}/rotate", await visitor.csrf(), overlap="0")
    assert (again.status, "already revoked or replaced" in again.text) == (400, True)
    gone = await visitor.send_form(f"{path}/revoke", await visitor.csrf())
    assert (gone.status, gone.headers["location"]) == (303, f"{HOME}/keys")
    assert (await accounts.caller(first)).key_invalid
    assert not (await accounts.caller(second)).key_invalid
    for key in ("0", "-1", "999999999999999999999", "x", "1e0"):
        assert (await visitor.send_form(f"{HOME}/keys/{key}/revoke", await visitor.csrf())).status == 404


async def test_keys_are_bounded(portal: ServedPortal) -> None:
    visitor = await owner(portal)
    for _ in range(MOST_KEYS):
        await portal.services.accounts.create_key(NAME)
    answer = await visitor.send_form(f"{HOME}/keys", await visitor.csrf())
    assert (answer.status, "revoke an unneeded key" in answer.text) == (400, True)
    assert len(await portal.services.accounts.list_keys(NAME)) == MOST_KEYS


async def test_keys_are_bounded_however_they_are_made(portal: ServedPortal) -> None:
    """By many requests at once, and by rotations whose old keys go on."""
    visitor = await owner(portal)
    csrf, accounts = await visitor.csrf(), portal.services.accounts
    answers = await asyncio.gather(*(visitor.send_form(f"{HOME}/keys", csrf) for _ in range(2 * MOST_KEYS)))
    assert sorted(answer.status for answer in answers) == [303] * MOST_KEYS + [400] * MOST_KEYS
    keys = await accounts.list_keys(NAME)
    assert len(keys) == MOST_KEYS
    path = f"{HOME}/keys/{keys[0].id}"
    refused = await visitor.send_form(f"{path}/rotate", csrf, overlap="604800")
    assert (refused.status, "let the old key expire at once, or revoke an unneeded key" in refused.text) == (400, True)
    assert not KEY.findall(refused.text)
    assert await accounts.list_keys(NAME) == keys, "the old key goes on as it was"
    replaced = await visitor.follow_form(f"{path}/rotate", csrf, overlap="0")
    assert (replaced.status, len(KEY.findall(replaced.text))) == (200, 1)
    await visitor.send_form(f"{HOME}/keys/{keys[1].id}/revoke", csrf)
    for number, status in ((2, 303), (3, 400)):
        asked = await visitor.send_form(f"{HOME}/keys/{keys[number].id}/rotate", csrf, overlap="3600")
        assert asked.status == status
    async with portal.engine.connect() as connection:
        assert await live_keys(connection, NAME) == MOST_KEYS


async def test_a_key_is_named_and_renamed(portal: ServedPortal) -> None:
    visitor = await owner(portal)
    csrf = await visitor.csrf()
    assert (await visitor.send_form(f"{HOME}/keys", csrf, name="  Checkout ")).status == 303
    (key,) = await portal.services.accounts.list_keys(NAME)
    assert key.name == "Checkout"
    for name in ("x" * 41, "a\u202eb", "a\nb"):
        for path in (f"{HOME}/keys", f"{HOME}/keys/{key.id}/name"):
            refused = await visitor.send_form(path, csrf, name=name)
            assert (refused.status, "name: must have" in refused.text) == (400, True)
    hostile = "<script>alert(1)</script>"
    done = await visitor.send_form(f"{HOME}/keys/{key.id}/name", csrf, name=hostile)
    assert (done.status, done.headers["location"]) == (303, f"{HOME}/keys")
    page = (await visitor.get(f"{HOME}/keys")).text
    assert hostile not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    await visitor.send_form(f"{HOME}/keys/{key.id}/name", csrf, name="")
    assert "without a name" in (await visitor.get(f"{HOME}/keys")).text
    await portal.services.accounts.list_keys(NAME)
    stranger = await owner(portal, 2, "Stranger")
    foreign = await stranger.send_form(f"/portal/i/Stranger/keys/{key.id}/name", await stranger.csrf(), name="x")
    assert foreign.status == 404


async def test_the_last_use_of_a_key_is_shown(portal: ServedPortal) -> None:
    visitor = await owner(portal)
    _, text = await portal.services.accounts.create_key(NAME)
    assert "not used yet" in (await visitor.get(f"{HOME}/keys")).text
    await portal.services.accounts.caller(text)
    assert "last used 2026-11-21 12:00 UTC" in (await visitor.get(f"{HOME}/keys")).text


async def test_a_form_that_comes_twice_makes_one_key(portal: ServedPortal) -> None:
    visitor = await owner(portal)
    page = await visitor.get(f"{HOME}/keys")
    once = re.findall(r'name="once" value="([A-Za-z0-9_-]{43})"', page.text)[0]
    answers = await asyncio.gather(*(visitor.send_form(f"{HOME}/keys", page.csrf, once=once) for _ in range(5)))
    assert [answer.status for answer in answers] == [303] * 5
    ends = sorted(answer.headers["location"].removeprefix(f"{HOME}/keys") for answer in answers)
    assert ends == ["", *["?twice=1"] * 4]
    assert len(await portal.services.accounts.list_keys(NAME)) == 1
    assert "The form came twice, and counted once" in (await visitor.get(f"{HOME}/keys?twice=1")).text
    (key,) = await portal.services.accounts.list_keys(NAME)
    rotate = {"overlap": "3600", "once": once + "x"}
    for end in ("", "?twice=1"):
        answer = await visitor.send_form(f"{HOME}/keys/{key.id}/rotate", page.csrf, **rotate)
        assert answer.headers["location"] == f"{HOME}/keys{end}"
    assert len(await portal.services.accounts.list_keys(NAME)) == 2


async def test_what_is_shown_once_is_of_this_session_and_integrator(portal: ServedPortal) -> None:
    visitor = await owner(portal)
    await visitor.register("Second")
    made = await visitor.send_form(f"{HOME}/keys", await visitor.csrf())
    cookie = made.cookies["portal-new"]
    assert "httponly" in cookie.lower()
    assert "samesite=strict" in cookie.lower()
    assert "Max-Age=60" in cookie
    kept = visitor.cookies["portal-new"]
    assert not KEY.findall((await visitor.get("/portal/i/Second/keys")).text)
    for forged in (kept[:-1], "rl_live_" + "A" * 32 + kept[kept.index(".") :], "x", ".", kept.replace(".", "")):
        visitor.cookies["portal-new"] = forged
        page = await visitor.get(f"{HOME}/keys")
        assert (page.status, KEY.findall(page.text)) == (200, [])
    again = portal.visitor(1)
    await again.sign_in()
    again.cookies["portal-new"] = kept
    assert not KEY.findall((await again.get(f"{HOME}/keys")).text)
    visitor.cookies["portal-new"] = kept
    assert KEY.findall((await visitor.get(f"{HOME}/keys")).text) == [kept.partition(".")[0]]
    assert "portal-new" not in visitor.cookies


async def test_usage_is_shown_where_it_is_known(portal: ServedPortal) -> None:
    visitor = await owner(portal)
    await portal.services.accounts.create_key(NAME)
    assert "cannot be told" in (await visitor.get(f"{HOME}/keys")).text
    portal.world.used = (Usage("Quotes", 1500, 2000, BEGIN), Usage("Other requests", 0, 600, None))
    page = (await visitor.get(f"{HOME}/keys")).text
    assert "1,500 of 2,000" in page
    assert "until 12:00:00 UTC" in page
    assert 'aria-label="Other requests in this window: 0 of 600 used"' in page
