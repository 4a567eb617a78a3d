"""Webhooks in the portal: added with a secret that is shown once, watched, tested, switched on again, removed."""

import json
import re

from sqlalchemy import text

from rhumbline.domain.account import Role
from rhumbline.domain.webhook import TYPES
from tests.api.portal.test_views import HOME, NAME, owner
from tests.portal_fixture import Answer, ServedPortal, Visitor

HOOKS = f"{HOME}/webhooks"
URL = "https://example.com/hooks?token=of-mine"
SECRET = re.compile(r'<code id="secret">(whsec_[0-9A-Za-z+/=]+)</code>')


async def added(visitor: Visitor, **fields: str) -> tuple[str, Answer]:
    """Add a webhook; return its path and the page that shows its secret."""
    fields = {"url": URL, "transaction.final": "1", **fields}
    sent = await visitor.send_form(HOOKS, await visitor.csrf(), **fields)
    assert sent.status == 303, sent.text
    path = sent.headers["location"]
    return path, await visitor.get(path)


async def put(portal: ServedPortal, statement: str, **values: object) -> None:
    async with portal.engine.begin() as connection:
        await connection.execute(text(statement), values)


async def entries(portal: ServedPortal) -> list[tuple[str, str]]:
    return [(each.action, each.detail) for each in await portal.services.audit.entries(NAME, 4)]


async def test_a_secret_is_shown_once_and_is_the_one_that_signs(portal: ServedPortal) -> None:
    visitor = await owner(portal)
    path, shown = await added(visitor)
    assert re.fullmatch(rf"{HOOKS}/wh_[0-9a-f]{{16}}", path)
    (secret,) = SECRET.findall(shown.text)
    assert (shown.headers["cache-control"], URL in shown.text) == ("no-store", True)
    async with portal.engine.connect() as connection:
        stored = (await connection.execute(text("SELECT secret, types FROM webhooks"))).one()
    assert tuple(stored) == (secret, ["transaction.final"])
    again = await visitor.get(path)
    assert (SECRET.findall(again.text), "active" in again.text) == ([], True)
    webhook = path.rpartition("/")[2]
    assert await entries(portal) == [
        ("webhook added", f"{webhook} at example.com"),
        ("integrator registered", ""),
    ]
    assert webhook in (await visitor.get(f"{HOME}/log")).text
    gone = await visitor.send_form(f"{path}/remove", await visitor.csrf())
    assert (gone.status, gone.headers["location"]) == (303, HOOKS)
    assert (await visitor.get(path)).status == 404
    assert (await entries(portal))[0] == ("webhook removed", f"{webhook} at example.com")


async def test_a_secret_is_replaced_while_the_old_one_signs_on(portal: ServedPortal) -> None:
    visitor = await owner(portal)
    path, shown = await added(visitor)
    csrf, (first,) = await visitor.csrf(), SECRET.findall(shown.text)
    refused = await visitor.send_form(f"{path}/rotate", csrf, overlap="5")
    assert (refused.status, "overlap: choose when" in refused.text) == (400, True)
    (once,) = set(re.findall(r'name="once" value="([A-Za-z0-9_-]{43})"', refused.text))
    shown = await visitor.follow_form(f"{path}/rotate", csrf, overlap="3600", once=once)
    (second,) = SECRET.findall(shown.text)
    assert second != first
    assert "The secret before signs as well until" in shown.text
    twice = await visitor.follow_form(f"{path}/rotate", csrf, overlap="3600", once=once)
    assert (SECRET.findall(twice.text), "The form came twice" in twice.text) == ([], True)
    async with portal.engine.connect() as connection:
        kept = (await connection.execute(text("SELECT secret, old_secret FROM webhooks"))).one()
    assert tuple(kept) == (second, first)
    assert (await entries(portal))[0][0] == "webhook secret replaced"


async def test_a_form_that_comes_twice_adds_one(portal: ServedPortal) -> None:
    visitor = await owner(portal)
    (once,) = re.findall(r'name="once" value="([A-Za-z0-9_-]{43})"', (await visitor.get(HOOKS)).text)
    for _ in range(3):
        form = {"url": URL, "transaction.seen": "1", "once": once}
        assert (await visitor.send_form(HOOKS, await visitor.csrf(), **form)).status == 303
    assert len(await portal.services.webhooks.all(NAME)) == 1


async def test_bad_input_is_named_and_shown_again(portal: ServedPortal) -> None:
    visitor = await owner(portal)
    for fields, says in (
        ({"url": "https://10.0.0.1/<b>", "transaction.final": "1"}, "url"),
        ({"url": "http://example.com/<b>", "transaction.final": "1"}, "url"),
        ({"transaction.final": "1"}, "url"),
        ({"url": URL}, f"events must be some of {', '.join(TYPES)}"),
    ):
        answer = await visitor.send_form(HOOKS, await visitor.csrf(), **fields)
        assert (answer.status, f"<li>{says}" in answer.text, "<b>" in answer.text) == (400, True, False), fields
    assert await portal.services.webhooks.all(NAME) == ()


async def test_deliveries_tell_what_was_answered_and_are_made_once_more(portal: ServedPortal) -> None:
    visitor = await owner(portal)
    path, _ = await added(visitor)
    csrf, webhook = await visitor.csrf(), path.rpartition("/")[2]
    tested = await visitor.send_form(f"{path}/test", csrf)
    assert (tested.status, tested.headers["location"]) == (303, f"{path}#log")
    assert "not sent yet" in (await visitor.get(path)).text
    tries = [
        {"at": "2026-11-21T12:00:00+00:00", "status": None, "error": "<i>no answer</i> in time", "ms": 10_000},
        {"at": "2026-11-21T12:00:09+00:00", "status": 503, "error": None, "ms": 35},
    ]
    await put(
        portal,
        "UPDATE webhook_deliveries SET log = CAST(:log AS jsonb), attempts = 2, state = 'failed', due_at = NULL",
        log=json.dumps(tries),
    )
    page = (await visitor.get(path)).text
    for words in ("503 after 35 ms", "2026-11-21 12:00:00 UTC: &lt;i&gt;no answer&lt;/i&gt; in time after 10,000 ms"):
        assert words in page
    (delivery,) = await portal.services.webhooks.deliveries(NAME, webhook)
    resend = f"{path}/deliveries/{delivery.id}/resend"
    assert resend in page
    assert (await visitor.send_form(resend, csrf)).status == 303
    assert len(await portal.services.webhooks.deliveries(NAME, webhook)) == 2
    assert (await entries(portal))[:2] == [
        ("webhook delivery repeated", f"{webhook} at example.com, delivery {delivery.id}"),
        ("webhook tested", f"{webhook} at example.com"),
    ]
    for nothing in ("0", "x", "9" * 30):
        assert (await visitor.send_form(f"{path}/deliveries/{nothing}/resend", csrf)).status == 404
    await put(
        portal,
        "INSERT INTO webhook_deliveries (webhook, number, type, subject)"
        " SELECT :webhook, number, 'transaction.final', 'x' FROM generate_series(1, 16) AS number",
        webhook=webhook,
    )
    newest = (await visitor.get(path)).text
    (older,) = re.findall(r'href="([^"]*\?before=[0-9]+)">Older', newest)
    rest = (await visitor.get(older)).text
    assert (newest.count(">Send again<"), rest.count(">Send again<"), "Older" in rest) == (15, 3, False)
    assert (await visitor.get(f"{path}?before=x")).status == 400


async def test_a_webhook_in_trouble_is_told_on_the_overview_and_switched_on_again(portal: ServedPortal) -> None:
    visitor = await owner(portal)
    path, _ = await added(visitor)
    csrf, since = await visitor.csrf(), "It has taken nothing since"
    assert 'role="alert"' not in (await visitor.get(HOME)).text
    await put(portal, "UPDATE webhooks SET failing_since = clock_timestamp()")
    for place in (HOME, HOOKS, path):
        assert since in (await visitor.get(place)).text, place
    await put(portal, "UPDATE webhooks SET off_at = clock_timestamp(), off_reason = 'it answered 410 Gone'")
    for place in (HOME, HOOKS, path):
        assert ": it answered 410 Gone. Nothing is sent to it." in (await visitor.get(place)).text, place
    assert f'role="alert"><p class="whole">The webhook <a href="{path}">' in (await visitor.get(HOME)).text
    refused = await visitor.send_form(f"{path}/test", csrf)
    assert (refused.status, "is switched off (it answered 410 Gone)" in refused.text) == (400, True)
    assert f'action="{path}/test"' not in refused.text
    assert (await visitor.send_form(f"{path}/enable", csrf)).headers["location"] == path
    assert 'role="alert"' not in (await visitor.get(HOME)).text
    assert (await entries(portal))[0][0] == "webhook switched on"


async def test_another_s_webhook_looks_like_none(portal: ServedPortal) -> None:
    visitor, other = await owner(portal), await owner(portal, 2, "Other")
    path, _ = await added(visitor)
    webhook = path.rpartition("/")[2]
    for nobody in (webhook, "wh_0123456789abcdef", "x", "wh_" + "0" * 400):
        theirs = f"/portal/i/Other/webhooks/{nobody}"
        assert (await other.get(theirs)).status == 404
        for act in ("rotate", "test", "enable", "remove", "deliveries/1/resend"):
            answer = await other.send_form(f"{theirs}/{act}", await other.csrf(), overlap="0")
            assert answer.status == 404, act
    assert len(await portal.services.webhooks.all(NAME)) == 1


async def test_a_viewer_sees_all_and_changes_nothing(portal: ServedPortal) -> None:
    boss, viewer = await owner(portal), portal.visitor(2)
    path, _ = await added(boss)
    await boss.send_form(f"{path}/test", await boss.csrf())
    await portal.services.members.put(viewer.address, NAME, Role.VIEWER)
    await viewer.sign_in()
    for place in (HOOKS, path):
        page = await viewer.get(place)
        assert (page.status, URL in page.text, 'method="post" action="/portal/i/' in page.text) == (200, True, False)
    assert "webhook.test" in page.text
