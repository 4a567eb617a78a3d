"""Reads events from the store, and deletes old ones. Triggers write them (docs/decisions/0076).

An event gets its number while its transaction runs, and can be read when that is committed: a higher number may be
there before a lower one. So nothing is read beyond ``settled``, below which no number can come any more.
"""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from sqlalchemy import (
    BigInteger,
    Column,
    ColumnElement,
    DateTime,
    MetaData,
    Select,
    Table,
    Text,
    bindparam,
    column,
    func,
    literal_column,
    select,
    text,
    true,
    union_all,
)
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from rhumbline.domain.record_event import EventKind, RecordEvent
from rhumbline.domain.tracking import TransactionRecord
from rhumbline.gateways.postgres.leases import Fence, unfenced
from rhumbline.tracking.store import transactions

KEPT_FOR = timedelta(days=7)
FORGOTTEN_AT_ONCE = 5_000
_SETTLED = text("SELECT settled_events()")
_PROGRESS = text("SELECT settled_events(), CASE WHEN is_called THEN last_value ELSE 0 END FROM event_numbers")
_FORGOTTEN = text("SELECT coalesce(max(number), 0) FROM event_cursors WHERE name = 'forgotten'")
_FORGET = text("""
    WITH oldest AS (SELECT number, at FROM events ORDER BY number LIMIT :most),
        due AS (
            SELECT max(number) AS last, count(*) AS count FROM oldest
            WHERE at < clock_timestamp() - CAST(:kept_for AS interval)
        ),
        noted AS (
            INSERT INTO event_cursors SELECT 'forgotten', last FROM due WHERE last IS NOT NULL
            ON CONFLICT (name) DO UPDATE SET number = greatest(event_cursors.number, excluded.number)
        ),
        deleted AS (DELETE FROM events WHERE number <= (SELECT last FROM due))
    SELECT count FROM due
""")
_FIELDS = tuple(transactions.c.keys())

events = Table(
    "events",
    MetaData(),
    Column("number", BigInteger, primary_key=True),
    Column("at", DateTime(timezone=True), nullable=False),
    Column("kind", Text, nullable=False),
    Column("record_id", Text, nullable=False),
    Column("subject", Text, nullable=False),
    Column("integrator", Text),
    Column("record", JSONB),
)


def _reading(*conditions: ColumnElement[bool]) -> Select[tuple[object, ...]]:
    """Return the query for events with their records: as they are, or as they were before they were withdrawn."""
    row = events.c
    within = row.number > bindparam("after", type_=BigInteger), row.number <= bindparam("until", type_=BigInteger)
    some = select(events).where(*within, *conditions).order_by(row.number)
    event = some.limit(bindparam("most", type_=BigInteger)).subquery("event")
    present = select(transactions).where(transactions.c.id == event.c.record_id, event.c.record.is_(None))
    columns = [column(each.name, each.type) for each in transactions.columns]
    kept = func.jsonb_populate_record(literal_column("NULL::transactions"), event.c.record).table_valued(*columns)
    record = union_all(present, select(*kept.c).where(event.c.record.is_not(None))).lateral("record")
    told = event.c.number, event.c.kind, event.c.at, event.c.record_id, event.c.subject
    return select(*told, *record.c).select_from(event.outerjoin(record, true())).order_by(event.c.number)


_ALL = _reading()
_OF_INTEGRATOR = _reading(events.c.integrator == bindparam("integrator", type_=Text))


async def settled(connection: AsyncConnection) -> int:
    """Return the number up to which every event that will ever be there can be read by the next statement."""
    return int((await connection.execute(_SETTLED)).scalar_one())


async def progress(connection: AsyncConnection) -> tuple[int, int]:
    """Return ``settled``, and a number that may be higher: then some are held up by a transaction that runs."""
    until, newest = (await connection.execute(_PROGRESS)).one()
    return int(until), int(newest)


async def forgotten(connection: AsyncConnection) -> int:
    """Return the number up to which events were deleted."""
    return int((await connection.execute(_FORGOTTEN)).scalar_one())


async def read_events(
    connection: AsyncConnection, after: int, until: int, most: int, integrator: str | None = None
) -> Sequence[RecordEvent]:
    """Return events with higher numbers than ``after``, up to ``until``, in order; of one integrator, or all."""
    given: dict[str, int | str] = {"after": after, "until": until, "most": most}
    query = _ALL
    if integrator is not None:
        query, given["integrator"] = _OF_INTEGRATOR, integrator
    return [_event(tuple(row)) for row in await connection.execute(query, given)]


async def forget(engine: AsyncEngine, fence: Fence = unfenced, kept_for: timedelta = KEPT_FOR) -> bool:
    """Delete some events that are older, by the store's clock; return whether there may be more."""
    async with engine.begin() as connection:
        await fence(connection)
        given = {"most": FORGOTTEN_AT_ONCE, "kept_for": kept_for}
        count = int((await connection.execute(_FORGET, given)).scalar_one())
    return count == FORGOTTEN_AT_ONCE


def _event(row: tuple[Any, ...]) -> RecordEvent:
    number, kind, at, record_id, subject = row[: -len(_FIELDS)]
    values = dict(zip(_FIELDS, row[-len(_FIELDS) :], strict=True))
    record = None if values["id"] is None else TransactionRecord(**values)
    return RecordEvent(number, EventKind(kind), at, record_id, subject, record)
