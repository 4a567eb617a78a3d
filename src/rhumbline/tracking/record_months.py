"""The months that records are stored by: made before they begin, and dropped when they are kept no longer.

The time of the block that a record starts in decides. What goes is not told as events: nothing happened to it.
"""

import asyncio
from dataclasses import dataclass
from datetime import datetime

import structlog
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from rhumbline.gateways.postgres.leases import Fence, Leases, unfenced
from rhumbline.gateways.postgres.notices import Notices
from rhumbline.tracking.loops import LONGEST_REST_S, doubted, keep_on, no_bell

MONTHS = "months"
"""The lease for making and dropping months."""
DELETED_AT_ONCE = 5_000
_TIDY_EVERY_S = 3600.0
# Whoever waits for a table's lock holds up all who come after; the work is tried again soon.
_IMPATIENT = text("SELECT set_config('lock_timeout', '2s', true)")
_MAKE = text("SELECT make_record_month(now()), make_record_month(now() + interval '1 month')")
_HORIZON = text("""
    SELECT (date_trunc('month', now() AT TIME ZONE 'UTC') - CAST(:months AS integer) * interval '1 month')
        AT TIME ZONE 'UTC'
""")
_ENDED = text("""
    SELECT relname FROM (
        SELECT relname, substring(pg_get_expr(relpartbound, pg_class.oid) FROM $$TO \\('([^']+)'\\)$$) AS ends_at
        FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid WHERE inhparent = to_regclass('transactions')
    ) AS parts
    WHERE CAST(ends_at AS timestamptz) <= :horizon ORDER BY relname
""")
_IS_UNDIVIDED = text("SELECT to_regclass('transactions_before') IS NOT NULL")
_DELETE_BEFORE = text("""
    DELETE FROM transactions_before WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM transactions_before WHERE source_time < :horizon LIMIT :most
    ))
""")
_DELETE_OTHER = text("""
    DELETE FROM transactions_other WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM transactions_other WHERE source_time < :horizon LIMIT :most
    ))
""")
_DELETE_KEYS = text("""
    DELETE FROM record_keys WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM record_keys WHERE source_time < :horizon LIMIT :most
    ))
""")
_log = structlog.stdlib.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class RecordMonths:
    """Looks every hour, by the store's clock. Without ``keep_months`` records are kept for ever.

    With it those of so many whole months before the present one are.
    """

    engine: AsyncEngine
    keep_months: int | None = None

    async def run(self, leases: Leases, stop: asyncio.Event, notices: Notices | None = None) -> None:
        """Work until ``stop`` is set."""

        async def tidy() -> float:
            if not await leases.take(MONTHS):
                return LONGEST_REST_S
            fence = leases.fence(MONTHS)
            await make_months(self.engine, fence)
            is_more = self.keep_months is not None and await forget_records(self.engine, self.keep_months, fence)
            rest_s = 0.0 if is_more else _TIDY_EVERY_S
            leases.vouch(MONTHS, rest_s)
            return rest_s

        await keep_on(doubted(leases, MONTHS, tidy), stop, no_bell, "months not kept")


async def make_months(engine: AsyncEngine, fence: Fence = unfenced) -> None:
    """Make the present month and the next one, if they are not there; raise a database error."""
    async with engine.begin() as connection:
        await fence(connection)
        await connection.execute(_IMPATIENT)
        await connection.execute(_MAKE)


async def forget_records(engine: AsyncEngine, keep_months: int, fence: Fence = unfenced) -> bool:
    """Drop whole months that are over, and delete some of what is not by months; return whether there may be more.

    Raise a database error where a lock is not to be had at the moment.
    """
    async with engine.begin() as connection:
        await fence(connection)
        await connection.execute(_IMPATIENT)
        horizon: datetime = (await connection.execute(_HORIZON, {"months": keep_months})).scalar_one()
        for name in (await connection.execute(_ENDED, {"horizon": horizon})).scalars().all():
            await connection.exec_driver_sql(f'DROP TABLE "{name}"')
            _log.info("records dropped", month=name)
    async with engine.begin() as connection:
        await fence(connection)
        return await _delete_some(connection, horizon)


async def _delete_some(connection: AsyncConnection, horizon: datetime) -> bool:
    """Delete from each partition by itself, which no trigger sees, and then what is kept of it beside."""
    given = {"horizon": horizon, "most": DELETED_AT_ONCE}
    is_undivided = (await connection.execute(_IS_UNDIVIDED)).scalar_one()
    for statement in (*((_DELETE_BEFORE,) if is_undivided else ()), _DELETE_OTHER, _DELETE_KEYS):
        if (await connection.execute(statement, given)).rowcount == DELETED_AT_ONCE:
            return True
    return False
