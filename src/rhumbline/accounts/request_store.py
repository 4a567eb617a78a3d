"""What requests came to: tables of counts by minute and by hour, and of the latest failures; and their writer.

Nothing here grows for ever: minutes are kept for a day, hours for ninety, failures for a week and 200 an integrator.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

import structlog
from sqlalchemy import (
    BigInteger,
    Column,
    DateTime,
    Identity,
    Integer,
    MetaData,
    SmallInteger,
    Table,
    Text,
    delete,
    func,
    select,
    text,
)
from sqlalchemy.dialects.postgresql import ARRAY, Insert, insert
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from rhumbline.accounts.request_tally import Count, CountKey, FailedRequest, RequestTally, by_hour
from rhumbline.accounts.write_loop import write_regularly
from rhumbline.domain.clock import Clock
from rhumbline.domain.errors import StoreUnavailable
from rhumbline.gateways.postgres.failures import store_access

MINUTES_KEPT, HOURS_KEPT, FAILURES_KEPT = timedelta(days=1), timedelta(days=90), timedelta(days=7)
MOST_FAILURES_KEPT = 200
EVERY_S = 10.0
_CLEANED_EVERY = timedelta(minutes=10)
_metadata = MetaData()


def _counts(name: str) -> Table:
    return Table(
        name,
        _metadata,
        Column("integrator", Text, primary_key=True),
        Column("start", DateTime(timezone=True), primary_key=True),
        Column("key_id", BigInteger, primary_key=True),
        Column("endpoint", Text, primary_key=True),
        Column("status", SmallInteger, primary_key=True),
        Column("requests", BigInteger, nullable=False),
        Column("slowest_ms", Integer, nullable=False),
        Column("latencies", ARRAY(BigInteger), nullable=False),
    )


minutes, hours = _counts("request_minutes"), _counts("request_hours")
failures = Table(
    "request_failures",
    _metadata,
    Column("id", BigInteger, Identity(always=True), primary_key=True),
    Column("integrator", Text, nullable=False),
    Column("at", DateTime(timezone=True), nullable=False),
    Column("key_id", BigInteger, nullable=False),
    Column("endpoint", Text, nullable=False),
    Column("status", SmallInteger, nullable=False),
    Column("code", Text, nullable=False),
    Column("request_id", Text, nullable=False),
    Column("ms", Integer, nullable=False),
)
_SUM = "ARRAY(SELECT one + more FROM unnest({0}.latencies, excluded.latencies) AS pair (one, more))"


def _adding(table: Table) -> Insert:
    added = insert(table)
    return added.on_conflict_do_update(
        index_elements=list(table.primary_key),
        set_={
            "requests": table.c.requests + added.excluded.requests,
            "slowest_ms": func.greatest(table.c.slowest_ms, added.excluded.slowest_ms),
            "latencies": text(_SUM.format(table.name)),
        },
    )


# Made once: a statement with ``excluded`` refers to itself, and only the garbage collector frees it.
_ADD_MINUTES, _ADD_HOURS = _adding(minutes), _adding(hours)


@dataclass(slots=True, eq=False)
class RequestWriter:
    """Writes what was counted: two statements each time, however many requests there were, none where there were none.

    What is counted when the process is killed is lost, ten seconds at most; while the store is away it is kept.
    """

    engine: AsyncEngine
    tally: RequestTally
    clock: Clock
    _cleaned_at: datetime | None = field(default=None, init=False)
    _told_lost: int = field(default=0, init=False)

    async def run(self) -> None:
        """Write until cancelled, and then what is left."""
        await write_regularly(self.write, EVERY_S, "requests_not_written")

    async def write(self) -> None:
        """Write now what was counted; what cannot be written because the store is away is kept for the next time."""
        tallied, now = self.tally.take(), self.clock()
        if self.tally.lost > self._told_lost:
            structlog.get_logger().warning("requests_not_counted", requests=self.tally.lost - self._told_lost)
            self._told_lost = self.tally.lost
        is_due = self._cleaned_at is None or now - self._cleaned_at >= _CLEANED_EVERY
        if not tallied.counts and not is_due:
            return
        try:
            with store_access():
                async with self.engine.begin() as connection:
                    await _add(connection, _ADD_MINUTES, tallied.counts)
                    await _add(connection, _ADD_HOURS, by_hour(tallied.counts))
                    await _add_failures(connection, tallied.failures)
                    if is_due:
                        await _clean(connection, now)
                        self._cleaned_at = now
        except StoreUnavailable:
            self.tally.give_back(tallied.counts)


async def _add(connection: AsyncConnection, statement: Insert, counts: Mapping[CountKey, Count]) -> None:
    # Always in this order: two processes that add to the same rows wait for each other, and never in a circle.
    rows = [
        {
            **key._asdict(),
            "requests": count.requests,
            "slowest_ms": count.slowest_ms,
            "latencies": count.latencies,
        }
        for key, count in sorted(counts.items(), key=lambda item: item[0])
    ]
    if rows:
        await connection.execute(statement, rows)


async def _add_failures(connection: AsyncConnection, failed: Sequence[FailedRequest]) -> None:
    if not failed:
        return
    await connection.execute(insert(failures).inline(), [each._asdict() for each in failed])
    seen = failures.c
    for integrator in sorted({each.integrator for each in failed}):
        latest = select(seen.id).where(seen.integrator == integrator).order_by(seen.id.desc())
        last = latest.offset(MOST_FAILURES_KEPT).limit(1).scalar_subquery()
        await connection.execute(delete(failures).where(seen.integrator == integrator, seen.id <= last))


async def _clean(connection: AsyncConnection, now: datetime) -> None:
    await connection.execute(delete(minutes).where(minutes.c.start < now - MINUTES_KEPT))
    await connection.execute(delete(hours).where(hours.c.start < now - HOURS_KEPT))
    await connection.execute(delete(failures).where(failures.c.at < now - FAILURES_KEPT))
