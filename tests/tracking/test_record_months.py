"""Months are there before they begin, and what is older than is kept goes with all that belongs to it."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import insert, select, text
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.domain.tracking import TransactionRecord
from rhumbline.gateways.postgres.leases import Leases
from rhumbline.tracking import record_months
from rhumbline.tracking.record_events.store import settled
from rhumbline.tracking.record_months import MONTHS, RecordMonths, forget_records, make_months
from rhumbline.tracking.store import add_records, proofs, record_keys, transactions
from tests.gateways.postgres.older_store import store_time
from tests.tracking.test_listing import row
from tests.tracking.test_trackers import until

MOVE_BACK = text("""
    DO $$
    DECLARE
        part record;
    BEGIN
        DROP TABLE transactions_before;
        FOR part IN SELECT date_trunc('month', now(), 'UTC') - age * interval '1 month' AS first
            FROM generate_series(1, 5) AS age
        LOOP PERFORM make_record_month(part.first); END LOOP;
    END
    $$
""")


async def present(engine: AsyncEngine) -> datetime:
    """Return the store's time, in a month that is there: the store may have been made in the one before."""
    await make_months(engine)
    return await store_time(engine)


def month_of(now: datetime, ago: int) -> datetime:
    """Return a moment in the middle of a month, so many before the present one."""
    months = 12 * now.year + now.month - 1 - ago
    return datetime(months // 12, months % 12 + 1, 15, tzinfo=UTC)


async def fill(engine: AsyncEngine, *rows: TransactionRecord) -> None:
    async with engine.begin() as connection:
        await add_records(connection, rows)
        names = [{"name": f"proof {each.id}", "record_id": each.id} for each in rows]
        await connection.execute(insert(proofs), names)


async def left(engine: AsyncEngine) -> tuple[set[str], set[str], set[str]]:
    """Return the IDs of records, of keys, and of proofs' records."""
    async with engine.connect() as connection:
        columns = (transactions.c.id, record_keys.c.id, proofs.c.record_id)
        a, b, c = [set((await connection.execute(select(column))).scalars()) for column in columns]
    return a, b, c


async def parts(engine: AsyncEngine) -> set[str]:
    query = "SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = 'transactions'::regclass"
    async with engine.connect() as connection:
        return set((await connection.execute(text(query))).scalars())


async def test_whole_months_are_dropped_and_the_rest_is_deleted(store_engine: AsyncEngine) -> None:
    now = await present(store_engine)
    async with store_engine.begin() as connection:
        await connection.execute(MOVE_BACK)
    before = await parts(store_engine)
    assert {"transactions_other", *(f"transactions_{month_of(now, ago):%Y_%m}" for ago in range(-1, 6))} <= before
    rows = [row(ago, origin_time=month_of(now, ago)) for ago in range(9)]
    await fill(store_engine, *rows)
    async with store_engine.connect() as connection:
        told = await settled(connection)
    while await forget_records(store_engine, 3):
        pass
    kept = {each.id for each in rows[:4]}
    assert await left(store_engine) == (kept, kept, kept)
    gone = {f"transactions_{month_of(now, ago):%Y_%m}" for ago in (4, 5)}
    assert await parts(store_engine) == before - gone
    async with store_engine.connect() as connection:
        assert await settled(connection) == told, "nothing happened to them, so nothing is told"
    # What comes once more, by a rescan, goes again.
    await fill(store_engine, rows[8])
    while await forget_records(store_engine, 3):
        pass
    assert await left(store_engine) == (kept, kept, kept)


async def test_a_store_from_before_there_were_months_loses_what_is_old_in_parts(
    store_engine: AsyncEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = await present(store_engine)
    rows = [row(number, origin_time=month_of(now, 4 + number % 3)) for number in range(30)]
    await fill(store_engine, *rows, row(100, origin_time=month_of(now, 1)))
    monkeypatch.setattr(record_months, "DELETED_AT_ONCE", 10)
    rounds = 0
    while await forget_records(store_engine, 2):
        rounds += 1
    assert rounds == 6, "three times ten records, and their keys"
    assert await left(store_engine) == ({row(100).id},) * 3
    assert "transactions_before" in await parts(store_engine)


async def test_a_month_that_was_not_made_in_time_gets_its_records_later(store_engine: AsyncEngine) -> None:
    now = await present(store_engine)
    late, lost = month_of(now, 0), month_of(now, -5)
    async with store_engine.begin() as connection:
        await connection.exec_driver_sql(
            f"DROP TABLE transactions_{late:%Y_%m}, transactions_{month_of(now, -1):%Y_%m}"
        )
    rows = [row(1, origin_time=late), row(2, origin_time=late + timedelta(days=1)), row(3, origin_time=lost)]
    await fill(store_engine, *rows)
    await make_months(store_engine)
    ids = {each.id for each in rows}
    assert await left(store_engine) == (ids, ids, ids)
    async with store_engine.connect() as connection:
        query = text("SELECT tableoid::regclass::text FROM transactions ORDER BY id")
        places = (await connection.execute(query)).scalars().all()
        indexes = "SELECT count(*) FROM pg_index WHERE indrelid = CAST(:name AS regclass)"
        counts = {
            (await connection.execute(text(indexes), {"name": name})).scalar_one() for name in await parts(store_engine)
        }
    assert places == [f"transactions_{late:%Y_%m}"] * 2 + ["transactions_other"]
    assert len(counts) == 1, "each has all indexes"


async def test_one_process_keeps_the_months(store_engine: AsyncEngine) -> None:
    now = await present(store_engine)
    await fill(store_engine, row(1, origin_time=month_of(now, 5)), row(2, origin_time=now))
    other, leases, stop = Leases(store_engine), Leases(store_engine), asyncio.Event()
    assert await other.take(MONTHS)
    assert not await leases.take(MONTHS)
    working = asyncio.create_task(RecordMonths(store_engine, 2).run(other, stop))

    async def one_is_left() -> bool:
        return (await left(store_engine))[1] == {row(2).id}

    await until(one_is_left)
    stop.set()
    await working
    await other.release()
    await leases.release()
