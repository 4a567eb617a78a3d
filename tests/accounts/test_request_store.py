"""Counts are written in batches, added up whoever writes them, and go in time."""

import asyncio
from datetime import datetime, timedelta

import pytest
from sqlalchemy import Table, func, select
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.accounts.request_history import RequestHistory, Span
from rhumbline.accounts.request_store import (
    FAILURES_KEPT,
    HOURS_KEPT,
    MINUTES_KEPT,
    MOST_FAILURES_KEPT,
    RequestWriter,
    failures,
    hours,
    minutes,
)
from rhumbline.accounts.request_tally import RequestTally
from rhumbline.domain.account import ApiClient, Integrator
from rhumbline.gateways.postgres.engine import create_engine
from tests.api.api_service import ACME
from tests.clocks import Clock
from tests.gateways.postgres.rings import rings
from tests.gateways.postgres.statements import statements

KEY = ApiClient(ACME, 1)
QUOTES, TRACKING = "/v1/quotes", "/v1/transactions"


@pytest.fixture
def writer(store_engine: AsyncEngine, clock: Clock) -> RequestWriter:
    return RequestWriter(store_engine, RequestTally(clock), clock)


async def count(engine: AsyncEngine, table: Table) -> int:
    async with engine.connect() as connection:
        return (await connection.execute(select(func.count()).select_from(table))).scalar_one()


async def test_however_many_requests_there_are_two_statements_write_them(writer: RequestWriter) -> None:
    with statements(writer.engine) as seen:
        await writer.write()
        assert [each.split()[0] for each in seen] == ["DELETE"] * 3, "what is old, now and then"
        seen.clear()
        await writer.write()
        assert seen == []
        for number in range(10_000):
            writer.tally.add(KEY, QUOTES, 200, number / 10_000)
        assert seen == [], "to count a request asks the store nothing"
        await writer.write()
        assert [each.split()[:3] for each in seen] == [
            ["INSERT", "INTO", "request_minutes"],
            ["INSERT", "INTO", "request_hours"],
        ]


async def test_the_statements_are_the_same_however_many_rows_there_are(writer: RequestWriter) -> None:
    """Each connection plans a statement once and keeps it: one for each number of rows would fill its memory."""
    await writer.write()
    with statements(writer.engine) as seen:
        for statuses in ((200, 503), (200, 400, 404, 429, 503)):
            for status in statuses:
                writer.tally.add(KEY, QUOTES, status, 0.1, "code", "request")
            await writer.write()
    first, second = seen[: len(seen) // 2], seen[len(seen) // 2 :]
    assert first == second
    assert await count(writer.engine, minutes) == 5


async def test_what_is_written_leaves_nothing_to_the_garbage_collector(writer: RequestWriter) -> None:
    async def write() -> None:
        writer.tally.add(KEY, QUOTES, 503, 0.1, "code", "request")
        await writer.write()

    assert await rings(write) < 1


async def test_what_several_processes_count_adds_up(writer: RequestWriter, store_dsn: str, clock: Clock) -> None:
    engines = [create_engine(store_dsn) for _ in range(3)]
    writers = [RequestWriter(engine, RequestTally(clock), clock) for engine in engines]
    for turn in range(5):
        for each in writers:
            for key in range(1, 6):
                for endpoint, status in ((QUOTES, 200), (QUOTES, 422), (TRACKING, 200)):
                    each.tally.add(ApiClient(ACME, key), endpoint, status, 0.001 * (turn + 1))
                    each.tally.add(ApiClient(ACME, key), endpoint, status, 0.7)
        await asyncio.gather(*(each.write() for each in writers))
    found = await RequestHistory(writer.engine, clock).of("Acme", Span.HOUR)
    assert [(part.requests, part.refused, part.failed) for part in found.parts if part.requests] == [(450, 150, 0)]
    assert [(use.endpoint, use.requests, use.refused) for use in found.endpoints] == [
        (QUOTES, 300, 150),
        (TRACKING, 150, 0),
    ]
    async with writer.engine.connect() as connection:
        rows = (await connection.execute(select(minutes.c.latencies, minutes.c.requests, minutes.c.slowest_ms))).all()
    assert {tuple(row.latencies) for row in rows} == {(15, 0, 0, 0, 0, 0, 0, 15, 0, 0, 0, 0)}
    assert {(row.requests, row.slowest_ms) for row in rows} == {(30, 700)}
    for engine in engines:
        await engine.dispose()


async def test_while_the_store_is_away_counts_wait(store_dsn: str, clock: Clock, writer: RequestWriter) -> None:
    away = RequestWriter(create_engine("postgresql://u@/db?host=/nowhere"), writer.tally, clock)
    writer.tally.add(KEY, QUOTES, 200, 0.01)
    await away.write()
    writer.tally.add(KEY, QUOTES, 200, 0.01)
    await writer.write()
    found = await RequestHistory(writer.engine, clock).of("Acme", Span.HOUR)
    assert sum(part.requests for part in found.parts) == 2


async def test_nothing_is_kept_for_ever(writer: RequestWriter, clock: Clock) -> None:
    began = clock()
    for _ in range(100):
        writer.tally.add(KEY, QUOTES, 500, 0.01)
        await writer.write()
        clock.move(days=1)
    bounds = ((minutes, minutes.c.start, MINUTES_KEPT), (hours, hours.c.start, HOURS_KEPT))
    for table, time, kept in (*bounds, (failures, failures.c.at, FAILURES_KEPT)):
        async with writer.engine.connect() as connection:
            oldest: datetime = (await connection.execute(select(func.min(time)))).scalar_one()
        assert oldest >= clock() - timedelta(days=1) - kept - timedelta(hours=1), table.name
    assert [await count(writer.engine, table) for table in (minutes, hours, failures)] == [1, 90, 8]
    assert clock() - began == timedelta(days=100)


async def test_failures_are_bounded_by_number(writer: RequestWriter, clock: Clock) -> None:
    other = ApiClient(Integrator("Other", None, None, clock()), 9)
    writer.tally.add(other, QUOTES, 500, 0.01, "UNKNOWN", "the only one")
    for number in range(MOST_FAILURES_KEPT // 10):
        for each in range(20):
            writer.tally.add(KEY, QUOTES, 429, 0.01, "RATE_LIMIT", f"{number}-{each}")
        await writer.write()
    history = RequestHistory(writer.engine, clock)
    latest = await history.latest_failures("Acme", 1000)
    assert len(latest) == MOST_FAILURES_KEPT
    assert (latest[0].request_id, latest[-1].request_id) == ("19-19", "10-0")
    assert [each.request_id for each in await history.latest_failures("Other", 10)] == ["the only one"]
    assert await history.latest_failures("Acme", 10, 2) == ()


async def test_what_is_left_is_written_at_the_end(writer: RequestWriter, clock: Clock) -> None:
    running = asyncio.create_task(writer.run())
    await asyncio.sleep(0)
    writer.tally.add(KEY, QUOTES, 200, 0.01)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert await count(writer.engine, minutes) == 1
