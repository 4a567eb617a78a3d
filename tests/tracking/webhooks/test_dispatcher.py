"""Deliveries to real receivers: signed, in order, again until they are taken, and by whoever has the lease."""

import json
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine
from standardwebhooks import Webhook as PublishedWebhook
from standardwebhooks import WebhookVerificationError

from rhumbline.domain.clock import system_clock
from rhumbline.domain.metrics import NoMetrics
from rhumbline.domain.tracking import TransferState
from rhumbline.domain.webhook import TYPES
from rhumbline.gateways.postgres.leases import LeaseLost, Leases
from rhumbline.gateways.postgres.store_clock import StoreClock
from rhumbline.tracking.evm.positions import withdraw
from rhumbline.tracking.leadership import WEBHOOKS
from rhumbline.tracking.webhooks import queue
from rhumbline.tracking.webhooks.queue import DeliveryQueue, pause_s
from tests.tracking.record_events.test_store import added, changed, done, insisted, transfer
from tests.tracking.test_listing import row
from tests.tracking.webhooks.running_webhooks import (
    Receiver,
    comes,
    comes_true,
    delivering,
    drop_connections,
    listing,
    log,
    running_receiver,
    states,
    webhooks,
)


@pytest.fixture
async def receiver() -> AsyncIterator[Receiver]:
    async with running_receiver() as running:
        yield running


@pytest.fixture(autouse=True)
def soon_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queue, "FIRST_PAUSE_S", 0.01)
    monkeypatch.setattr(queue, "LONGEST_PAUSE_S", 0.2)


class Counting(NoMetrics):
    def __init__(self) -> None:
        self.outcomes: Counter[str] = Counter()

    def pushed(self, outcome: str, /) -> None:
        self.outcomes[outcome] += 1


async def is_over(engine: AsyncEngine) -> bool:
    """Return whether everything that happened was queued, and nothing waits."""
    async with engine.connect() as connection:
        left = await connection.execute(
            text("""
                SELECT (SELECT count(*) FROM webhook_deliveries WHERE due_at IS NOT NULL)
                    + (SELECT settled_events()) - (SELECT max(number) FROM event_cursors WHERE name = 'webhooks')
            """)
        )
        return bool(left.scalar_one() == 0)


def test_pauses_double_and_the_last_attempt_is_a_day_after_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    pauses = [pause_s(attempts) for attempts in range(1, queue.MOST_ATTEMPTS)]
    assert pauses[:4] == [2, 4, 8, 16]
    assert 86_400 < sum(pauses) < 1.2 * 86_400
    assert pause_s(10**6) == queue.LONGEST_PAUSE_S


async def test_a_published_library_verifies_what_is_sent(store_engine: AsyncEngine, receiver: Receiver) -> None:
    hooks = webhooks(store_engine)
    hook, secret = await hooks.add("acme", receiver.url, TYPES)
    async with delivering(store_engine):
        await done(store_engine, added(row(1, integrator="other"), begun := transfer(2)))
        await comes(lambda: len(receiver.taken) == 1)
        newer = await hooks.rotate("acme", hook.id)
        await done(store_engine, changed(begun, replace(begun, next_bridge_check_at=None)))
        await comes(lambda: len(receiver.taken) == 2)
        await hooks.rotate("acme", hook.id, 0)
        await hooks.test("acme", hook.id)
        await comes(lambda: len(receiver.taken) == 3)
    (first, seen), (second, final), (third, test) = receiver.came
    assert PublishedWebhook(secret).verify(seen, first)["type"] == "transaction.seen"
    for valid in (secret, newer):
        verified = PublishedWebhook(valid).verify(final, second)
        assert (verified["type"], verified["data"]["id"]) == ("transaction.final", begun.id)
    for over in (secret, newer):
        with pytest.raises(WebhookVerificationError):
            PublishedWebhook(over).verify(test, third)
    with pytest.raises(WebhookVerificationError):
        PublishedWebhook(secret).verify(seen.replace("seen", "sent"), first)
    assert json.loads(test)["type"] == "webhook.test"


async def test_everything_arrives_in_order_though_the_receiver_fails_for_a_while(
    store_engine: AsyncEngine, receiver: Receiver
) -> None:
    """Statuses of every kind, hangs and redirects; each event once taken, those of a transaction in their order."""
    bad = iter([500, 302, 404, 503] * 10)
    receiver.answers = lambda message: next(bad, 200)
    hangs = iter([True] * 3)
    receiver.hangs = lambda message: next(hangs, False) if message["type"] == "transaction.status" else False
    hook, _ = await webhooks(store_engine).add("acme", receiver.url, TYPES)
    transfers = [transfer(number) for number in range(30)]
    async with delivering(store_engine, longest_s=0.5):
        await done(store_engine, added(*transfers))
        for before in transfers:
            moved = replace(before, status=TransferState.REFUND_PENDING)
            over = replace(moved, status=TransferState.REFUNDED, next_bridge_check_at=None)
            await done(store_engine, changed(before, moved))
            await done(store_engine, changed(moved, over))
        await comes_true(lambda: is_over(store_engine))
    steps = ["transaction.seen", "transaction.status", "transaction.final"]
    for each in transfers:
        assert [kind for name, kind in receiver.told if name == each.id] == steps
    assert {state for _, state in await states(store_engine, hook.id)} == {"delivered"}
    errors = {attempt.status or attempt.error for each in await log(store_engine, hook.id) for attempt in each.attempts}
    assert errors == {200, 500, 302, 404, 503, "no answer in time"}
    # The three that hung are given up, and go on hanging.
    assert receiver.most_at_once <= queue.AT_ONCE + 3


async def test_chosen_events_alone_and_those_of_the_integrator_alone_are_sent(
    store_engine: AsyncEngine, receiver: Receiver
) -> None:
    hooks = webhooks(store_engine)
    await done(store_engine, added(row(1)))
    await hooks.add("acme", receiver.url, ["transaction.final"])
    async with delivering(store_engine):
        await done(store_engine, added(row(2), row(3, integrator="other"), row(4, integrator=None), transfer(5)))
        await comes_true(lambda: is_over(store_engine))
    assert receiver.told == [(row(2).id, "transaction.final")]
    assert receiver.taken[0]["data"] == json.loads(await shown(store_engine, row(2).id))


async def shown(engine: AsyncEngine, record: str) -> str:
    from rhumbline.api.wire.transaction import to_transaction
    from tests.tracking.webhooks.running_webhooks import TRANSACTION

    found = await listing(engine).find("acme", row(int(record, 16)).transaction_id or "")
    assert found is not None
    return to_transaction(TRANSACTION, found).model_dump_json()


async def test_410_switches_off_at_once_and_what_is_missed_comes_when_it_is_on_again(
    store_engine: AsyncEngine, receiver: Receiver
) -> None:
    hooks = webhooks(store_engine)
    hook, _ = await hooks.add("acme", receiver.url, ["transaction.seen"])
    receiver.answers = lambda message: 410
    async with delivering(store_engine):
        await done(store_engine, added(row(1)))
        await comes_true(lambda: is_over(store_engine))
        (off,) = await hooks.all("acme")
        assert off.off_reason == "it answered 410 Gone"
        await done(store_engine, added(row(2)))
        await comes_true(lambda: is_over(store_engine))
        assert len(receiver.came) == 1
        receiver.answers = lambda message: 200
        assert (await hooks.switch_on("acme", hook.id)).off_reason is None
        await comes_true(lambda: is_over(store_engine))
    assert receiver.told == [(row(2).id, "transaction.seen")]
    assert [state for _, state in await states(store_engine, hook.id)] == ["failed", "delivered"]


async def test_a_day_of_failures_switches_off_and_pending_deliveries_wait(
    store_engine: AsyncEngine, receiver: Receiver
) -> None:
    hooks = webhooks(store_engine)
    hook, _ = await hooks.add("acme", receiver.url, ["transaction.seen"])
    receiver.answers = lambda message: 500
    async with delivering(store_engine):
        await done(store_engine, added(row(1)))
        await comes(lambda: len(receiver.came) >= 2)
        async with store_engine.begin() as connection:
            await connection.execute(text("UPDATE webhooks SET failing_since = failing_since - interval '1 day'"))

        async def is_off() -> bool:
            return (await hooks.all("acme"))[0].off_reason == "it took nothing for a day"

        await comes_true(is_off)
        receiver.answers = lambda message: 200
        await hooks.switch_on("acme", hook.id)
        await comes(lambda: receiver.told == [(row(1).id, "transaction.seen")])


async def test_one_message_that_is_never_taken_holds_up_its_transaction_alone_and_is_given_up(
    store_engine: AsyncEngine, receiver: Receiver
) -> None:
    poison, other = transfer(1), transfer(2)
    receiver.answers = lambda message: (
        500 if (message["data"]["id"], message["type"]) == (poison.id, "transaction.seen") else 200
    )
    hook, _ = await webhooks(store_engine).add("acme", receiver.url, TYPES)
    async with delivering(store_engine, metrics=(counting := Counting())):
        await done(store_engine, added(poison, other))
        for each in (poison, other):
            await done(store_engine, changed(each, replace(each, next_bridge_check_at=None)))
        await comes_true(lambda: is_over(store_engine))
    assert receiver.told[-1] == (poison.id, "transaction.final")
    given_up = next(each for each in await log(store_engine, hook.id) if each.state == "failed")
    assert len(given_up.attempts) == queue.MOST_ATTEMPTS
    assert counting.outcomes == {"delivered": 3, "not_taken": queue.MOST_ATTEMPTS - 1, "given_up": 1}
    assert (await webhooks(store_engine).all("acme"))[0].off_at is None


async def test_a_withdrawn_record_is_told_once_more_and_what_came_before_is_left_out(
    store_engine: AsyncEngine, receiver: Receiver
) -> None:
    hook, _ = await webhooks(store_engine).add("acme", receiver.url, TYPES)
    async with delivering(store_engine):
        await done(store_engine, added(row(1)))
        await comes(lambda: len(receiver.taken) == 2)
        await done(store_engine, added(row(2)), lambda connection: withdraw(connection, 1, above=0))
        await comes_true(lambda: is_over(store_engine))
    # One has no order among the events of another.
    assert sorted(receiver.told[2:]) == [(row(n).id, "transaction.withdrawn") for n in (1, 2)]
    assert Counter(state for _, state in await states(store_engine, hook.id)) == {"delivered": 4, "skipped": 2}


async def test_a_delivery_is_sent_again_with_the_same_id(store_engine: AsyncEngine, receiver: Receiver) -> None:
    hooks = webhooks(store_engine)
    hook, _ = await hooks.add("acme", receiver.url, ["transaction.seen"])
    async with delivering(store_engine):
        await done(store_engine, added(row(1)))
        await comes(lambda: len(receiver.taken) == 1)
        (made,) = await log(store_engine, hook.id)
        await hooks.send_again("acme", hook.id, made.id)
        await comes(lambda: len(receiver.taken) == 2)
    (first, body), (second, again) = receiver.came
    assert first["webhook-id"] == second["webhook-id"]
    assert body == again


async def test_who_takes_over_delivers_what_was_under_way(store_engine: AsyncEngine, receiver: Receiver) -> None:
    """The one before hangs in the middle of a delivery, and its process is gone without a word."""
    await webhooks(store_engine).add("acme", receiver.url, TYPES)
    held = iter([True])
    receiver.hangs = lambda message: next(held, False)
    async with delivering(store_engine) as before:
        await done(store_engine, added(row(1)))
        await comes(lambda: len(receiver.came) == 1)
        async with store_engine.begin() as connection:
            await connection.execute(
                text("UPDATE leases SET holder = 'gone', expires_at = now() - interval '1 s', pid = 1")
            )
        async with delivering(store_engine):
            await comes_true(lambda: is_over(store_engine))
        assert before is not None
    assert receiver.told == [(row(1).id, kind) for kind in ("transaction.seen", "transaction.final")]


async def test_a_result_is_not_written_without_the_lease(store_engine: AsyncEngine) -> None:
    leases, other = Leases(store_engine), Leases(store_engine)
    assert await leases.take(WEBHOOKS)
    await webhooks(store_engine).add("acme", "http://127.0.0.1:1/", TYPES)
    await done(store_engine, added(row(1)))
    late = DeliveryQueue(store_engine, leases.fence(WEBHOOKS))
    await late.fill()
    (due,) = await late.due(())
    async with store_engine.begin() as connection:
        await connection.execute(text("UPDATE leases SET expires_at = now() - interval '1 s', pid = 1"))
    assert await other.take(WEBHOOKS)
    from rhumbline.domain.webhook import Attempt

    with pytest.raises(LeaseLost):
        await late.succeed(due, Attempt(system_clock(), 200, None, 1))
    with pytest.raises(LeaseLost):
        await late.fill()
    await leases.release()
    await other.release()


async def test_old_deliveries_are_deleted(store_engine: AsyncEngine) -> None:
    hook, _ = await webhooks(store_engine).add("acme", "http://127.0.0.1:1/", TYPES)
    await done(store_engine, added(row(1)))
    made = DeliveryQueue(store_engine)
    await made.fill()
    async with store_engine.begin() as connection:
        await connection.execute(
            text("UPDATE webhook_deliveries SET created_at = created_at - interval '8 days' WHERE number = 1")
        )
    assert not await made.forget()
    assert await states(store_engine, hook.id) == [(2, "pending")]


async def test_an_integrator_with_many_endpoints_holds_up_nobody(store_engine: AsyncEngine, receiver: Receiver) -> None:
    """All of its endpoints hang: another's events arrive at once."""
    hooks = webhooks(store_engine)
    receiver.hangs = lambda message: message["data"]["integrator"] == "other"
    for _ in range(20):
        await hooks.add("other", receiver.url, ["transaction.seen"])
    await hooks.add("acme", receiver.url, ["transaction.seen"])
    async with delivering(store_engine):
        await done(store_engine, added(*(row(n, integrator="other") for n in range(20))))
        await comes(lambda: receiver.at_once >= 8)
        await done(store_engine, added(row(50)))
        await comes(lambda: receiver.told == [(row(50).id, "transaction.seen")])
    assert receiver.most_at_once <= 8 + 1


async def test_workers_whose_clocks_are_apart_sign_and_wait_by_the_stores(
    store_engine: AsyncEngine, receiver: Receiver
) -> None:
    """A receiver accepts no message that is five minutes old or early; what fails is due by the store's clock."""
    _, secret = await webhooks(store_engine).add("acme", receiver.url, TYPES)
    fails = iter([True, False, True])
    receiver.answers = lambda message: 500 if next(fails, False) else 200
    ahead = StoreClock(lambda: system_clock() + timedelta(days=40))
    behind = StoreClock(lambda: system_clock() - timedelta(days=40))
    for clock in (ahead, behind):
        await clock.measure(store_engine)
    async with delivering(store_engine, clock=behind):
        async with delivering(store_engine, clock=ahead):
            await done(store_engine, added(row(1)))
            await comes_true(lambda: is_over(store_engine))
        await done(store_engine, added(row(2)))
        await comes_true(lambda: is_over(store_engine))
    for headers, body in receiver.came:
        assert PublishedWebhook(secret).verify(body, headers)
    assert receiver.told == [(row(n).id, kind) for n in (1, 2) for kind in ("transaction.seen", "transaction.final")]
    assert len(receiver.came) == 6


async def test_a_store_that_is_gone_for_a_moment_delays_and_loses_nothing(
    store_engine: AsyncEngine, receiver: Receiver
) -> None:
    """All of its connections are dropped, again and again, also those of whoever delivers."""
    await webhooks(store_engine).add("acme", receiver.url, TYPES)
    swaps = [row(number) for number in range(40)]
    async with delivering(store_engine):
        for swap in swaps:
            await insisted(store_engine, added(swap))
            if swap.origin_block_number % 10 == 5:
                await drop_connections(store_engine)

        async def is_told() -> bool:
            with suppress(DBAPIError):
                return await is_over(store_engine)
            return False

        await comes_true(is_told)
    first_taken = list(dict.fromkeys(receiver.told))
    for swap in swaps:
        assert [kind for name, kind in first_taken if name == swap.id] == ["transaction.seen", "transaction.final"]
