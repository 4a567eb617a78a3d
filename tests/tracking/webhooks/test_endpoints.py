"""Who changed which endpoint is written down, and a key cannot fill the log."""

from datetime import timedelta

import pytest
from sqlalchemy import insert
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.accounts.audit_log import MOST_A_DAY, OPERATOR, SERVICE, AuditLog, audit_log
from rhumbline.domain.clock import system_clock
from rhumbline.domain.errors import RateLimited
from rhumbline.domain.webhook import Attempt
from rhumbline.tracking.webhooks.queue import DeliveryQueue
from tests.tracking.webhooks.running_webhooks import webhooks

URL = "https://example.com/a-secret-path?of=word"


async def test_every_change_is_written_down_and_no_secret_is(store_engine: AsyncEngine) -> None:
    hooks, queue = webhooks(store_engine), DeliveryQueue(store_engine)
    hook, secret = await hooks.add("acme", URL, by="key 7")
    newer = await hooks.rotate("acme", hook.id, 60)
    await hooks.test("acme", hook.id)
    (due,) = await queue.due(())
    assert await queue.fail(due, Attempt(system_clock(), 410, None, 5), 1.0) == "it answered 410 Gone"
    await hooks.switch_on("acme", hook.id, "0xA")
    await hooks.remove("acme", hook.id, "key 7")
    found = await AuditLog(store_engine).entries("acme", 10)
    there = f"{hook.id} at example.com"
    assert [(each.actor, each.action, each.detail) for each in reversed(found)] == [
        ("key 7", "webhook added", there),
        (OPERATOR, "webhook secret replaced", f"{there}, the old secret ends in 60 s"),
        (SERVICE, "webhook switched off", f"{hook.id}: it answered 410 Gone"),
        ("0xA", "webhook switched on", there),
        ("key 7", "webhook removed", there),
    ]
    for hidden in (secret, newer, "a-secret-path", "word"):
        assert hidden not in f"{found}"


async def test_a_key_changes_only_so_much_in_a_day_and_members_go_on(store_engine: AsyncEngine) -> None:
    hooks = webhooks(store_engine)
    hook, _ = await hooks.add("acme", URL)
    entry = {"at": system_clock(), "integrator": "acme", "actor": "key 7", "action": "x", "detail": ""}
    async with store_engine.begin() as connection:
        await connection.execute(insert(audit_log), [entry] * (MOST_A_DAY - 1))
    with pytest.raises(RateLimited, match="in the portal, or tomorrow"):
        await hooks.rotate("acme", hook.id, by="key 7")
    await hooks.add("other", URL, by="key 8")
    await hooks.rotate("acme", hook.id, by="0xA")
    async with store_engine.begin() as connection:
        await connection.execute(audit_log.update().values(at=audit_log.c.at - timedelta(days=1)))
    await hooks.rotate("acme", hook.id, by="key 7")
