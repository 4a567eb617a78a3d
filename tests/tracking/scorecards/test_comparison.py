"""Records are compared with what was quoted, in the order of the store's events, and taken back with them."""

import asyncio
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import select, text
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.accounts.score_store import ScoreWriter
from rhumbline.accounts.score_tally import ScoreTally
from rhumbline.domain.clock import system_clock
from rhumbline.domain.tracking import RecordAmount, TransactionRecord, TransferState
from rhumbline.gateways.postgres.leases import Leases
from rhumbline.tracking.evm.positions import withdraw
from rhumbline.tracking.loops import LONGEST_REST_S
from rhumbline.tracking.scorecards import comparison
from rhumbline.tracking.scorecards.comparison import SCORECARDS, RecordComparison
from rhumbline.tracking.scorecards.executions import executions
from tests.accounts.test_score_tally import promise
from tests.patience import until
from tests.tracking.record_events.test_store import added, changed, done
from tests.tracking.test_listing import NOON, row

NOW, DAYS = timedelta(), timedelta(days=90)
OUTPUT = RecordAmount("t", 999_000)


async def promised(engine: AsyncEngine, *records: TransactionRecord) -> None:
    """Have each record's transaction be one that was quoted."""
    writer = ScoreWriter(engine, ScoreTally(system_clock), system_clock, DAYS)
    for record in records:
        assert record.transaction_id is not None
        writer.tally.promise(replace(promise(1, at=system_clock()), transaction_id=record.transaction_id))
    await writer.write()


async def found(engine: AsyncEngine) -> dict[str, tuple[Any, ...]]:
    async with engine.connect() as connection:
        rows = await connection.execute(select(executions).order_by(executions.c.record_id))
        return {row.record_id: (row.adapter, row.outcome, row.deviation_ppm, row.taken_s) for row in rows}


async def test_a_record_is_followed_to_its_end_and_taken_back_with_it(store_engine: AsyncEngine) -> None:
    work = RecordComparison(store_engine, DAYS, NOW)
    await work.step()
    begun = row(1, status=TransferState.BRIDGE_PENDING, next_bridge_check_at=NOON, destination_chain_id=8453)
    swap, stranger = row(2, output=OUTPUT, destination_chain_id=1), row(3, output=OUTPUT)
    await promised(store_engine, begun, swap)
    await done(store_engine, added(begun, swap, stranger))
    await work.step()
    pending = {begun.id: ("RELAY", "pending", None, None)}
    assert await found(store_engine) == pending | {swap.id: ("RELAY", "completed", -1000, None)}

    async with store_engine.begin() as connection:
        await connection.execute(text("DELETE FROM score_promises"))
    arrived = begun.origin_time + timedelta(seconds=75)
    ended = replace(
        begun, status=TransferState.SUCCESS, output=OUTPUT, destination_time=arrived, next_bridge_check_at=None
    )
    await done(store_engine, changed(begun, ended))
    assert await work.step() == LONGEST_REST_S
    ended_row = {begun.id: ("RELAY", "completed", -1000, 75)}
    assert await found(store_engine) == ended_row | {swap.id: ("RELAY", "completed", -1000, None)}
    await done(store_engine, lambda connection: withdraw(connection, 1, above=1))
    await work.step()
    assert await found(store_engine) == ended_row


async def test_what_is_withdrawn_and_mined_again_is_compared_again(store_engine: AsyncEngine) -> None:
    work, swap = RecordComparison(store_engine, DAYS, NOW), row(2, output=OUTPUT, destination_chain_id=1)
    await work.step()
    await promised(store_engine, swap)
    again = replace(swap, output=RecordAmount("t", 998_000), origin_block_hash="0x" + "9" * 64)
    await done(store_engine, added(swap))
    await done(store_engine, lambda connection: withdraw(connection, 1, above=0))
    await done(store_engine, added(again))
    await work.step()
    assert await found(store_engine) == {swap.id: ("RELAY", "completed", -2000, None)}


async def test_nothing_is_compared_before_its_promise_can_be_there(store_engine: AsyncEngine) -> None:
    """However many there are, and though a process dies in between."""
    swaps = [row(number, output=OUTPUT, destination_chain_id=1) for number in range(1, 8)]
    await RecordComparison(store_engine, DAYS, NOW).step()
    await done(store_engine, added(*swaps))
    late = RecordComparison(store_engine, DAYS, timedelta(hours=1))
    assert 3000 < await late.step() <= 3600
    await promised(store_engine, *swaps)
    for _ in range(3):
        await RecordComparison(store_engine, DAYS, NOW).step()
    assert sorted(await found(store_engine)) == sorted(swap.id for swap in swaps)


async def test_more_than_a_page_is_gone_through(store_engine: AsyncEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comparison, "AT_ONCE", 3)
    work = RecordComparison(store_engine, DAYS, NOW)
    await work.step()
    swaps = [row(number, output=OUTPUT, destination_chain_id=1) for number in range(1, 6)]
    await promised(store_engine, *swaps)
    await done(store_engine, added(*swaps))
    rests = [await work.step() for _ in range(4)]
    assert rests == [0, 0, 0, LONGEST_REST_S]
    assert len(await found(store_engine)) == 5


async def test_one_process_compares_and_removes_what_is_old(store_engine: AsyncEngine) -> None:
    old, new = row(1, origin_time=system_clock() - timedelta(days=91)), row(2, origin_time=system_clock())
    await RecordComparison(store_engine, DAYS, NOW).step()
    await promised(store_engine, old, new)
    await done(store_engine, added(old, new))
    await RecordComparison(store_engine, DAYS, NOW).step()
    assert len(await found(store_engine)) == 2
    other, leases, stop = Leases(store_engine), Leases(store_engine), asyncio.Event()
    assert await other.take(SCORECARDS)
    assert not await leases.take(SCORECARDS)
    working = asyncio.create_task(RecordComparison(store_engine, DAYS, NOW).run(other, stop))

    async def one_is_left() -> bool:
        return list(await found(store_engine)) == [new.id]

    await until(one_is_left)
    stop.set()
    await working
    await other.release()
    await leases.release()
