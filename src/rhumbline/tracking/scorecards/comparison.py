"""Compares records with what was quoted, as the store's events tell of them: one process at a time.

An event is looked at a few seconds after it was written, for what was quoted is written by the process that has
answered, a second after its answer. A record that a reorganisation withdraws takes its execution with it, in the order
of the events; rows and position are written together, so a crash leaves nothing out.
"""

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from itertools import takewhile
from typing import Any

from sqlalchemy import delete, func, select, text
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from rhumbline.accounts.score_store import promises
from rhumbline.domain.record_event import EventKind, RecordEvent
from rhumbline.domain.scorecard import AdapterPair, Promise
from rhumbline.domain.tracking import TransactionRecord
from rhumbline.gateways.postgres.leases import Fence, Leases, unfenced
from rhumbline.gateways.postgres.notices import Notices
from rhumbline.gateways.postgres.one_of import one_of
from rhumbline.tracking.loops import LONGEST_REST_S, bell_of, doubted, keep_on, longest_rest_s, ringing
from rhumbline.tracking.record_events.store import progress, read_events
from rhumbline.tracking.scorecards.executions import Execution, execution_of, executions
from rhumbline.tracking.topics import EVENTS

SCORECARDS = "scorecards"
"""The lease for comparing records with what was quoted, and the name of its position among the events."""
GRACE = timedelta(seconds=3)
"""How old an event must be: what was quoted for it has been written by then."""
AT_ONCE = 500
_AGAIN_S = 1.0
_TIDY_EVERY_S = 3600.0
_NOW = select(func.clock_timestamp())
_POSITION = text("SELECT number FROM event_cursors WHERE name = :name")
_MOVE = text("""
    INSERT INTO event_cursors VALUES (:name, :number) ON CONFLICT (name) DO UPDATE SET number = excluded.number
""")


@dataclass(slots=True, eq=False)
class RecordComparison:
    """Goes through the events and keeps an execution for each record that was quoted; old ones are removed.

    ``kept`` is for how long; 0 keeps none, and then there is nothing to go through.
    """

    engine: AsyncEngine
    kept: timedelta
    grace: timedelta = GRACE
    _tidied_at: float | None = None

    async def run(self, leases: Leases, stop: asyncio.Event, notices: Notices | None = None) -> None:
        """Work until ``stop`` is set."""
        bell = bell_of(notices, lambda topic: topic == EVENTS)

        async def work() -> float:
            if not await leases.take(SCORECARDS):
                return LONGEST_REST_S
            fence = leases.fence(SCORECARDS)
            await self.tidy(fence)
            rest_s = min(await self.step(fence), longest_rest_s(notices, _AGAIN_S)) if self.kept else LONGEST_REST_S
            leases.vouch(SCORECARDS, rest_s)
            return rest_s

        # One look a second is enough, however often the bell rings.
        trouble = "records not compared with quotes"
        await keep_on(doubted(leases, SCORECARDS, work), stop, ringing(bell), trouble, _AGAIN_S)

    async def step(self, fence: Fence = unfenced) -> float:
        """Compare the records of some events; return after how many seconds there may be more. Raise database errors.

        The first step of a store begins with the events from then on.
        """
        async with self.engine.begin() as connection:
            await fence(connection)
            until, newest = await progress(connection)
            now = (await connection.execute(_NOW)).scalar_one()
            position = (await connection.execute(_POSITION, {"name": SCORECARDS})).scalar_one_or_none()
            after = until if position is None else min(int(position), until)
            found = [] if after == until else list(await read_events(connection, after, until, AT_ONCE))
            ripe = list(takewhile(lambda each: each.at <= now - self.grace, found))
            await _compare(connection, ripe)
            reached = ripe[-1].number if ripe else after if found else until
            if reached != position:
                await connection.execute(_MOVE, {"name": SCORECARDS, "number": reached})
        if len(ripe) < len(found):
            wait: timedelta = found[len(ripe)].at + self.grace - now
            return max(wait.total_seconds(), _AGAIN_S)
        if len(found) == AT_ONCE:
            return 0.0
        # Some may be held up by a transaction that runs, whose end nobody need tell of.
        return _AGAIN_S if newest > until else LONGEST_REST_S

    async def tidy(self, fence: Fence = unfenced) -> None:
        """Remove what is older than it is kept, at most once an hour. Raise database errors."""
        now = asyncio.get_running_loop().time()
        if self._tidied_at is not None and now - self._tidied_at < _TIDY_EVERY_S:
            return
        async with self.engine.begin() as connection:
            await fence(connection)
            await connection.execute(delete(executions).where(executions.c.at < func.clock_timestamp() - self.kept))
        self._tidied_at = now


async def _compare(connection: AsyncConnection, events: Iterable[RecordEvent]) -> None:
    """Write what the last of each record's events tells of it."""
    last = {event.record_id: event for event in events}
    withdrawn = [name for name, event in last.items() if event.kind is EventKind.WITHDRAWN]
    if withdrawn:
        await connection.execute(delete(executions).where(one_of(executions.c.record_id, withdrawn)))
    records = {
        name: event.record for name, event in last.items() if event.kind is not EventKind.WITHDRAWN and event.record
    }
    compared = await _executions(connection, records)
    if not compared:
        return
    rows = [each.columns() for each in compared]
    added = insert(executions)
    changed = {name: added.excluded[name] for name in rows[0] if name != "record_id"}
    await connection.execute(added.on_conflict_do_update(index_elements=["record_id"], set_=changed), rows)


async def _executions(connection: AsyncConnection, records: Mapping[str, TransactionRecord]) -> list[Execution]:
    """Return records beside their promises: those that wait, or those that were kept when they were seen first."""
    if not records:
        return []
    kept = await connection.execute(select(executions).where(one_of(executions.c.record_id, records)))
    known = {row.record_id: _kept_promise(row) for row in kept}
    names = {each.transaction_id for each in records.values() if each.transaction_id and each.id not in known}
    waiting = (
        await connection.execute(select(promises).where(one_of(promises.c.transaction_id, names))) if names else ()
    )
    promised = {row.transaction_id: _promise(row) for row in waiting}
    found = []
    for name, record in records.items():
        promise = known.get(name) or promised.get(record.transaction_id or "")
        if promise is not None:
            found.append(execution_of(record, promise))
    return found


def _promise(row: Any) -> Promise:
    pair = AdapterPair(row.adapter, row.origin_chain_id, row.destination_chain_id)
    return Promise(row.transaction_id, pair, int(row.output), row.seconds, row.value_cents, row.weighs, row.at)


def _kept_promise(row: Any) -> Promise:
    pair = AdapterPair(row.adapter, row.origin_chain_id, row.destination_chain_id)
    output = int(row.promised_output)
    return Promise("", pair, output, row.promised_s, row.value_cents, row.weighs, row.promised_at)
