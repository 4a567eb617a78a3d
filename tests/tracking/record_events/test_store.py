"""What the store notes of records, in which order it is read, and when it is deleted."""

import asyncio
import random
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from rhumbline.domain.record_event import EventKind, RecordEvent
from rhumbline.domain.tracking import RecordAmount, TransactionRecord, TransferState
from rhumbline.gateways.postgres.notices import Notices
from rhumbline.tracking.evm.positions import withdraw
from rhumbline.tracking.record_events.store import forget, forgotten, read_events, settled
from rhumbline.tracking.store import add_records, change
from rhumbline.tracking.topics import EVENTS
from tests.patience import until
from tests.tracking.test_listing import NOON, row

SEEN, STATUS, FINAL, UPDATED, WITHDRAWN = EventKind
Work = Callable[[AsyncConnection], Awaitable[object]]


async def read(engine: AsyncEngine, after: int = 0, most: int = 10_000, owner: str | None = None) -> list[RecordEvent]:
    async with engine.connect() as connection:
        return list(await read_events(connection, after, await settled(connection), most, owner))


def kinds(events: list[RecordEvent]) -> list[tuple[str, EventKind]]:
    return [(event.record_id, event.kind) for event in events]


async def done(engine: AsyncEngine, *works: Work) -> None:
    async with engine.begin() as connection:
        for work in works:
            await work(connection)


async def insisted(engine: AsyncEngine, *works: Work) -> None:
    """Do it, again where a connection was dropped: to add a record twice changes nothing."""
    for _ in range(20):
        with suppress(DBAPIError):
            return await done(engine, *works)
    return await done(engine, *works)


def added(*records: TransactionRecord) -> Work:
    return lambda connection: add_records(connection, records)


def changed(before: TransactionRecord, after: TransactionRecord) -> Work:
    return lambda connection: change(connection, before, after)


def transfer(number: int = 1, **changes: object) -> TransactionRecord:
    given = {"status": TransferState.BRIDGE_PENDING, "next_bridge_check_at": NOON, "destination_chain_id": 2}
    return row(number, **{**given, **changes})


async def test_a_swap_is_seen_and_final_at_once(store_engine: AsyncEngine) -> None:
    """Many in one statement, in the order of the chain whatever the order they were given in."""
    swaps = [row(number) for number in range(5)]
    await done(store_engine, added(*reversed(swaps)))
    found = await read(store_engine)
    assert kinds(found) == [(swap.id, kind) for swap in swaps for kind in (SEEN, FINAL)]
    assert [event.record for event in found] == [swap for swap in swaps for _ in range(2)]
    assert [event.subject for event in found[::2]] == [swap.transaction_id for swap in swaps]


async def test_a_transfer_is_told_of_until_nobody_asks_any_more(store_engine: AsyncEngine) -> None:
    begun = transfer()
    delivered = replace(begun, status=TransferState.SUCCESS)
    complete = replace(delivered, output=RecordAmount("t", 2**200), next_bridge_check_at=None)
    valued = replace(complete, input=RecordAmount("u", 5))
    doubted = replace(valued, status=TransferState.BRIDGE_PENDING, output=None, next_bridge_check_at=NOON)
    await done(store_engine, added(begun))
    for before, after in ((begun, delivered), (delivered, complete), (complete, valued), (valued, doubted)):
        await done(store_engine, changed(before, after))
    found = await read(store_engine)
    assert [event.kind for event in found] == [SEEN, STATUS, FINAL, UPDATED, STATUS]
    # Each is told with what is known now.
    assert {event.record for event in found} == {doubted}


async def test_what_gives_up_without_a_word_is_final(store_engine: AsyncEngine) -> None:
    pending = transfer(status=TransferState.UNKNOWN)
    await done(store_engine, added(pending))
    await done(store_engine, changed(pending, replace(pending, next_bridge_check_at=None)))
    assert [event.kind for event in await read(store_engine)] == [SEEN, FINAL]


async def test_asking_is_no_event(store_engine: AsyncEngine) -> None:
    begun = transfer()
    asked = replace(
        begun, raw_bridge_status={"a": 1}, last_bridge_checked_at=NOON, updated_at=NOON + timedelta(1),
        next_bridge_check_at=NOON + timedelta(1), last_receipt_checked_at=NOON,
    )  # fmt: skip
    await done(store_engine, added(begun))
    await done(store_engine, changed(begun, asked))
    await done(store_engine, added(begun))
    assert [event.kind for event in await read(store_engine)] == [SEEN]


async def test_a_final_record_that_a_reorganisation_removes_is_told_as_it_was(store_engine: AsyncEngine) -> None:
    swap = row(7, output=RecordAmount("é", 2**200), raw_bridge_status={"x": [1, None]}, integrator="acme")
    await done(store_engine, added(row(6), swap))
    await done(store_engine, lambda connection: withdraw(connection, 1, above=6))
    found = await read(store_engine, owner="acme")
    assert kinds(found)[2:] == [(swap.id, SEEN), (swap.id, FINAL), (swap.id, WITHDRAWN)]
    assert [event.record for event in found[2:]] == [None, None, swap]
    await done(store_engine, added(swap))
    assert [event.record for event in (await read(store_engine))[2:]] == [swap] * 5


async def test_what_is_rolled_back_never_happened(store_engine: AsyncEngine) -> None:
    async def fail(_: AsyncConnection) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await done(store_engine, added(row(1)), fail)
    assert await read(store_engine) == []


async def test_a_writer_whose_store_goes_away_leaves_no_event_and_holds_up_none(store_engine: AsyncEngine) -> None:
    """Its session ends in the middle of its transaction, when it has numbers already."""
    await done(store_engine, added(row(1)))

    async def end_session(writer: AsyncConnection) -> None:
        number = (await writer.execute(text("SELECT pg_backend_pid()"))).scalar_one()
        async with store_engine.begin() as other:
            await other.execute(text("SELECT pg_terminate_backend(:number)"), {"number": number})

    with pytest.raises(DBAPIError):
        await done(store_engine, added(row(2)), end_session, added(row(3)))
    await done(store_engine, added(row(4)))

    async def are_settled() -> bool:
        return len(await read(store_engine)) == 4

    # The server notices in its own time that the session is gone.
    await until(are_settled)
    found = await read(store_engine)
    assert kinds(found) == [(row(n).id, kind) for n in (1, 4) for kind in (SEEN, FINAL)]
    assert found[2].number > found[1].number + 1


async def test_events_of_others_are_not_read(store_engine: AsyncEngine) -> None:
    await done(store_engine, added(row(1), row(2, integrator="other"), row(3, integrator=None)))
    assert [event.record_id for event in await read(store_engine, owner="acme")] == [row(1).id] * 2
    assert len(await read(store_engine)) == 6


async def test_the_past_of_a_name_is_not_its_new_owners(store_engine: AsyncEngine) -> None:
    """Registration takes records from the name without an event; what was told before stays where it was told."""
    await done(store_engine, added(row(1)))
    async with store_engine.begin() as connection:
        await connection.execute(text("INSERT INTO integrators (name, created_at) VALUES ('acme', now())"))
    assert [event.record and event.record.integrator for event in await read(store_engine)] == [None, None]


async def test_a_number_is_read_only_when_no_lower_one_can_come(store_engine: AsyncEngine) -> None:
    async with store_engine.begin() as late:
        await add_records(late, [row(1)])
        await done(store_engine, added(row(2)))
        assert await read(store_engine) == []
    assert [event.record_id for event in await read(store_engine)] == [row(n).id for n in (1, 1, 2, 2)]


async def test_a_transaction_of_somebody_else_holds_up_nothing(store_engine: AsyncEngine) -> None:
    async with store_engine.begin() as other:
        await other.execute(text("CREATE TEMPORARY TABLE t ON COMMIT DROP AS SELECT pg_current_xact_id()"))
        await done(store_engine, added(row(1)))
        assert len(await read(store_engine)) == 2


async def test_writers_at_once_leave_nothing_out_and_nothing_out_of_order(store_engine: AsyncEngine) -> None:
    """Some are rolled back, some wait for each other's rows; a reader goes on by its cursor all the time."""
    lots, records = random.Random(7), [transfer(number) for number in range(12)]
    await done(store_engine, added(*records))
    seen, writing = await read(store_engine), True
    states = (TransferState.BRIDGE_PENDING, TransferState.REFUND_PENDING)

    async def write(worker: int) -> None:
        for turn in range(25):
            chosen = sorted(lots.sample(range(12), 3))
            try:
                async with store_engine.begin() as connection:
                    for number in chosen:
                        await connection.execute(
                            text("UPDATE transactions SET substatus = :word, status = :status WHERE id = :id"),
                            {"word": f"{worker} {turn}", "status": states[turn % 2], "id": records[number].id},
                        )
                        await asyncio.sleep(lots.random() / 500)
                    if lots.random() < 0.2:
                        raise ZeroDivisionError
            except ZeroDivisionError:
                continue

    async def follow() -> None:
        while writing:
            seen.extend(await read(store_engine, seen[-1].number, 3))
            await asyncio.sleep(0)

    reader = asyncio.create_task(follow())
    await asyncio.gather(*(write(worker) for worker in range(4)))
    writing = False
    await reader
    while more := await read(store_engine, seen[-1].number):
        seen.extend(more)
    numbers = [event.number for event in seen]
    async with store_engine.connect() as connection:
        assert numbers == list((await connection.execute(text("SELECT number FROM events ORDER BY number"))).scalars())
    assert len(numbers) > 12 + 100


async def test_a_notice_comes_with_events(store_engine: AsyncEngine) -> None:
    notices, stop = Notices(store_engine), asyncio.Event()
    bell = notices.bell(lambda topic: topic == EVENTS)
    listening = asyncio.create_task(notices.run(stop))
    # It rings once when it begins to listen.
    await bell.wait()
    bell.clear()
    await done(store_engine, added(row(1)))
    await bell.wait()
    stop.set()
    await listening


async def test_old_events_are_deleted_in_order(store_engine: AsyncEngine) -> None:
    await done(store_engine, added(row(1), row(2)))
    async with store_engine.begin() as connection:
        await connection.execute(text("UPDATE events SET at = at - interval '8 days' WHERE number < 4"))
    assert not await forget(store_engine)
    assert [event.number for event in await read(store_engine)] == [4]
    async with store_engine.connect() as connection:
        assert await forgotten(connection) == 3
    assert not await forget(store_engine)
    async with store_engine.connect() as connection:
        assert await forgotten(connection) == 3
