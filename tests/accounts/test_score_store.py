"""Counts are summed over processes and days, promises are kept for two days, and a store that is away loses nothing."""

import asyncio
from collections import Counter
from datetime import date, timedelta

import pytest
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncEngine
from structlog.testing import capture_logs

from rhumbline.accounts import score_store
from rhumbline.accounts.score_store import ScoreWriter, callers, counts, promises
from rhumbline.accounts.score_tally import MOST_OF_CALLER, ScoreTally
from rhumbline.domain.scorecard import AdapterPair, Counted
from rhumbline.gateways.postgres.engine import create_engine
from tests.accounts.test_request_store import count
from tests.accounts.test_score_tally import ASKED, CALLER, PAIR, promise
from tests.api.api_service import NOW
from tests.clocks import Clock
from tests.gateways.postgres.rings import rings
from tests.gateways.postgres.statements import statements

OTHER = AdapterPair("ACROSS", 1, 8453)


@pytest.fixture
def clock() -> Clock:
    return Clock(NOW)


def writer_on(engine: AsyncEngine, clock: Clock, kept: timedelta = timedelta(days=90)) -> ScoreWriter:
    return ScoreWriter(engine, ScoreTally(clock), clock, kept)


async def counted(engine: AsyncEngine) -> dict[tuple[date, AdapterPair], Counter[str]]:
    """Return what is there, without zeros."""
    async with engine.connect() as connection:
        rows = (await connection.execute(select(counts))).mappings().all()
    return {
        (row["day"], AdapterPair(row["adapter"], row["origin_chain_id"], row["destination_chain_id"])): Counter(
            {each.value: row[each.value] for each in Counted if row[each.value]}
        )
        for row in rows
    }


async def test_two_processes_add_to_the_same_counts(store_engine: AsyncEngine, clock: Clock) -> None:
    one, other = writer_on(store_engine, clock), writer_on(store_engine, clock)
    for writer in (one, other, one):
        writer.tally.add(CALLER, [ASKED, (PAIR, Counted.WON), (OTHER, Counted.REVERTED)])
        writer.tally.promise(promise(7, output=2**256 - 1, seconds=None, value_cents=None, weighs=False))
        await writer.write()
    today = NOW.date()
    assert await counted(store_engine) == {
        (today, PAIR): Counter(asked=3, won=3),
        (today, OTHER): Counter(reverted=3),
    }
    assert await count(store_engine, promises) == 1
    clock.move(days=1)
    other.tally.add(CALLER, [ASKED])
    await other.write()
    assert (await counted(store_engine))[today + timedelta(days=1), PAIR] == Counter(asked=1)


async def test_one_caller_counts_a_hundred_times_a_day_in_all_processes(
    store_engine: AsyncEngine, clock: Clock
) -> None:
    """Of two at once, of one that is new, and of the first again; another caller counts beside it."""
    one, other = writer_on(store_engine, clock), writer_on(store_engine, clock)
    for writer in (one, other):
        for number in range(MOST_OF_CALLER + 20):
            writer.tally.add(CALLER, [ASKED, (PAIR, Counted.WON)][: 1 + number % 2])
    one.tally.add(CALLER._replace(requester="192.0.2.2"), [ASKED])
    await asyncio.gather(one.write(), other.write())
    assert sum(writer.tally.uncounted for writer in (one, other)) == MOST_OF_CALLER + 2 * 20
    today = NOW.date()
    expected = {(today, PAIR): Counter(asked=MOST_OF_CALLER + 1, won=MOST_OF_CALLER // 2)}
    assert await counted(store_engine) == expected
    late = writer_on(store_engine, clock)
    for writer in (late, one):
        writer.tally.add(CALLER, [ASKED])
        await writer.write()
    assert await counted(store_engine) == expected
    # The next day each begins anew, and after two days nobody is known any more.
    clock.move(days=1)
    late.tally.take()
    late.tally.add(CALLER, [ASKED])
    await late.write()
    assert (await counted(store_engine))[today + timedelta(days=1), PAIR] == Counter(asked=1)
    assert await count(store_engine, callers) == 3
    clock.move(days=2)
    await late.write()
    assert await count(store_engine, callers) == 0


async def test_what_there_is_room_for_is_counted(store_engine: AsyncEngine, clock: Clock) -> None:
    one, other = writer_on(store_engine, clock), writer_on(store_engine, clock)
    for writer, number in ((one, 60), (other, 70), (one, 1), (other, 1)):
        for _ in range(number):
            writer.tally.add(CALLER, [ASKED])
        await writer.write()
    assert await counted(store_engine) == {(NOW.date(), PAIR): Counter(asked=MOST_OF_CALLER)}
    # That of the first is asked for once more: then it knows of the other.
    assert (one.tally.uncounted, other.tally.uncounted) == (1, 31)


async def test_nothing_counted_is_no_statement(store_engine: AsyncEngine, clock: Clock) -> None:
    writer = writer_on(store_engine, clock)
    await writer.write()
    with statements(store_engine) as seen:
        clock.move(seconds=1)
        await writer.write()
        assert seen == []
        writer.tally.add(CALLER, [ASKED] * 20)
        writer.tally.promise(promise(1))
        writer.tally.promise(promise(2))
        await writer.write()
        assert len(seen) == 3
        writer.tally.add(CALLER, [ASKED, (OTHER, Counted.WON)])
        writer.tally.promise(promise(3))
        await writer.write()
        assert seen[3:] == seen[:3], "whatever the number of rows, each connection keeps one statement for them"


async def test_what_is_written_every_second_leaves_nothing_to_the_garbage_collector(
    store_engine: AsyncEngine, clock: Clock
) -> None:
    writer = writer_on(store_engine, clock)

    async def write() -> None:
        writer.tally.add(CALLER, [ASKED])
        writer.tally.promise(promise(1))
        await writer.write()

    assert await rings(write) < 1


async def test_old_rows_go(store_engine: AsyncEngine, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(score_store, "MOST_PROMISES_KEPT", 3)
    writer = writer_on(store_engine, clock, timedelta(days=10))
    writer.tally.add(CALLER, [ASKED])
    for number in range(5):
        writer.tally.promise(promise(number, at=NOW + timedelta(seconds=number)))
    await writer.write()
    assert await count(store_engine, promises) == 3
    clock.move(days=2, seconds=4)
    await writer.write()
    assert (await count(store_engine, promises), len(await counted(store_engine))) == (0, 1)
    clock.move(days=9)
    await writer.write()
    assert await counted(store_engine) == {}


async def test_a_store_that_is_away_costs_nothing(store_engine: AsyncEngine, clock: Clock) -> None:
    away = create_engine("postgresql://nobody@127.0.0.1:9/none")
    writer = writer_on(away, clock)
    writer.tally.add(CALLER, [ASKED])
    writer.tally.promise(promise(1))
    await writer.write()
    await away.dispose()
    writer.engine = store_engine
    writer.tally.add(CALLER, [ASKED])
    await writer.write()
    assert await counted(store_engine) == {(NOW.date(), PAIR): Counter(asked=2)}
    assert await count(store_engine, promises) == 1
    writer.tally.lost += 4
    with capture_logs() as lines:
        await writer.write()
        await writer.write()
    assert [line["scores"] for line in lines if line["event"] == "scores_lost"] == [4]
