"""Each change is made once, and is in the audit log with who made it and why."""

import asyncio

from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.accounts.audit_log import THE_SERVICE, AuditLog
from rhumbline.domain.operator import Operator
from rhumbline.steering.changes import SteeringChanges, steering_now


async def test_what_is_so_already_changes_nothing(store_engine: AsyncEngine) -> None:
    alice, bob = (SteeringChanges(store_engine, Operator(name, f"{name} says so")) for name in ("alice", "bob"))
    assert (await alice.resume("ACROSS", None, "ACROSS"))[0] is False
    assert (await steering_now(store_engine)).changed_at is None
    assert (await alice.pause("ACROSS", None, "ACROSS"))[0] is True
    before = (await steering_now(store_engine)).changed_at
    is_new, there = await bob.pause("ACROSS", None, "ACROSS")
    assert (is_new, [each.by for each in there.each]) == (False, ["alice"])
    assert (await steering_now(store_engine)).changed_at == before
    assert (await bob.pause("ACROSS", 10, "ACROSS on op", public=True))[0] is True
    is_over, left = await bob.resume("ACROSS", None, "ACROSS")
    assert (is_over, [(each.adapter, each.chain) for each in left.each]) == (True, [("ACROSS", 10)])
    await bob.set_log_level("warning", 60)
    entries = await AuditLog(store_engine).entries(THE_SERVICE, 10)
    assert [(each.actor, each.operator, each.action, each.detail, each.reason) for each in entries] == [
        ("operator", "bob", "log level set", "warning for 60 s", "bob says so"),
        ("operator", "bob", "resumed", "ACROSS", "bob says so"),
        ("operator", "bob", "paused", "ACROSS on op, with a public reason", "bob says so"),
        ("operator", "alice", "paused", "ACROSS", "alice says so"),
    ]


async def test_of_two_who_pause_at_once_one_is_told_that_it_was_so(store_engine: AsyncEngine) -> None:
    changes = SteeringChanges(store_engine, Operator("alice", "now"))
    made = await asyncio.gather(*(changes.pause(None, None, "quoting") for _ in range(8)))
    assert [is_new for is_new, _ in made].count(True) == 1
    assert len(await AuditLog(store_engine).entries(THE_SERVICE, 10)) == 1
