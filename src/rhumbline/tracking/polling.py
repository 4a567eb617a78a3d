"""Asking the bridges how transfers stand: due ones are claimed, asked about, and what was said is kept as evidence.

A claim is a later time to ask again, written in the moment of claiming: several workers never ask about the same
transfer at once, and one that dies leaves its claims to run out. Each bridge is asked about few transfers at a time,
and not before the end of the rest that it asked for.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import structlog
from sqlalchemy import func, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from rhumbline.domain.adapter import Bridge
from rhumbline.domain.clock import Clock
from rhumbline.domain.errors import AdapterError, UpstreamFailed
from rhumbline.domain.metrics import Metrics, NoMetrics
from rhumbline.domain.tracking import StatusSource, TransferState
from rhumbline.domain.transfer import TransferStatus
from rhumbline.tracking.arrivals import Arrivals
from rhumbline.tracking.raw_status import shown
from rhumbline.tracking.resolution import Evidence, Origin, Resolution, resolve
from rhumbline.tracking.store import evidence, transactions
from rhumbline.tracking.transfers import transfer_of

_CLAIM = timedelta(seconds=90)
_CALL_TIMEOUT_S = 20.0
_LONGEST_PAUSE = timedelta(minutes=2)
_GIVEN_UP_AFTER = timedelta(days=14)
Record = dict[str, Any]
"""A row of a transfer, by column."""

_log = structlog.stdlib.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class PollingSettings:
    """``first_pause_s`` between two questions about a young transfer; it grows with the age to two minutes.

    ``batch`` transfers are claimed at a time, of which each bridge is asked about ``at_once``.
    """

    first_pause_s: float = 5.0
    batch: int = 50
    at_once: int = 4


class BridgePoller:
    """Asks about all transfers that are due, whatever their chains."""

    __slots__ = ("_arrivals", "_bridges", "_clock", "_engine", "_metrics", "_places", "_rests", "_settings")

    def __init__(
        self,
        bridges: Mapping[str, Bridge[Any]],
        engine: AsyncEngine,
        arrivals: Arrivals,
        clock: Clock,
        settings: PollingSettings | None = None,
        metrics: Metrics | None = None,
    ) -> None:
        """``bridges`` are those that can be asked, by adapter key; ``arrivals`` reads what a destination tells."""
        self._bridges = bridges
        self._engine = engine
        self._arrivals = arrivals
        self._clock = clock
        self._settings = settings or PollingSettings()
        self._metrics: Metrics = metrics or NoMetrics()
        self._places = {key: asyncio.Semaphore(self._settings.at_once) for key in bridges}
        self._rests: dict[str, datetime] = {}

    async def poll(self) -> bool:
        """Ask about the transfers that are due, at most a batch. Tell whether there may be more.

        Raise a database error only.
        """
        rows = await self._claim()
        async with asyncio.TaskGroup() as group:
            for row in rows:
                group.create_task(self._check(row))
        return len(rows) == self._settings.batch

    async def _claim(self) -> Sequence[Record]:
        now, row = self._clock(), transactions.c
        due = (
            select(row.id)
            .where(row.next_bridge_check_at <= now, row.transfer.is_not(None))
            .order_by(row.next_bridge_check_at)
            .limit(self._settings.batch)
            .with_for_update(skip_locked=True)
        )
        claimed = (
            update(transactions)
            .where(row.id.in_(due.scalar_subquery()))
            .values(next_bridge_check_at=now + _CLAIM)
            .returning(transactions)
        )
        async with self._engine.begin() as connection:
            return [dict(row) for row in (await connection.execute(claimed)).mappings()]

    async def _check(self, row: Record) -> None:
        transfer = transfer_of(row)
        bridge = self._bridges.get(transfer.adapter)
        if bridge is None:
            await self._put_off(row, "is not configured any more")
            return
        async with self._places[transfer.adapter]:
            rest = self._rests.get(transfer.adapter)
            if rest is not None and self._clock() < rest:
                await self._put_off(row, "wants to be left alone for a while", rest)
                return
            started = asyncio.get_running_loop().time()
            outcome, status = await self._ask(bridge, row)
            self._metrics.called(transfer.adapter, "status", outcome, asyncio.get_running_loop().time() - started)
        if status is None:
            await self._put_off(row, outcome)
        else:
            await self._settle(row, status)

    async def _ask(self, bridge: Bridge[Any], row: Record) -> tuple[str, TransferStatus | None]:
        transfer = transfer_of(row)
        try:
            async with asyncio.timeout(_CALL_TIMEOUT_S):
                return "answered", await bridge.status(transfer)
        except AdapterError as error:
            if isinstance(error, UpstreamFailed) and error.retry_after_s:
                self._rests[transfer.adapter] = self._clock() + timedelta(seconds=error.retry_after_s)
            _log.info("bridge not asked", adapter=transfer.adapter, tx=transfer.tx_hash, reason=error.reason)
            return error.kind, None
        except TimeoutError:
            return "late", None
        except Exception:
            _log.exception("bridge broke", adapter=transfer.adapter, tx=transfer.tx_hash)
            return "failed", None

    async def _put_off(self, row: Record, reason: str, until: datetime | None = None) -> None:
        """Note an attempt that told nothing; a transfer of which nothing is heard for long becomes unknown."""
        now = self._clock()
        async with self._engine.begin() as connection:
            found = _resolved(row, await _evidence_of(connection, str(row["id"])), now)
            changed = _state_columns(row, found, now)
            again = self._again(row, now)
            again = again if again is None or until is None else max(again, until)
            columns = {"last_bridge_checked_at": now, "next_bridge_check_at": again, **changed}
            await _write(connection, row, columns)
        _log.debug("transfer put off", record=row["id"], reason=reason)

    async def _settle(self, row: Record, status: TransferStatus) -> None:
        now = self._clock()
        arrival = await self._arrivals.read(transfer_of(row), status)
        async with self._engine.begin() as connection:
            if not await _still_there(connection, row):
                return
            await _add_evidence(connection, str(row["id"]), status, now)
            found = _resolved(row, await _evidence_of(connection, str(row["id"])), now)
            columns: dict[str, object] = {
                "last_bridge_checked_at": now,
                "next_bridge_check_at": None if found.is_final and arrival.complete else self._again(row, now),
                **_state_columns(row, found, now),
            }
            if status.state is not TransferState.UNKNOWN:
                columns |= {"last_bridge_success_checked_at": now, "raw_bridge_status": shown(status.raw)}
            if found.status is status.state:
                columns |= arrival.columns()
            await _write(connection, row, columns)
        if found.status.value != row["status"]:
            _log.info("transfer moved on", adapter=row["protocol"], tx=row["source_tx_hash"], status=found.status.value)

    def _again(self, row: Record, now: datetime) -> datetime | None:
        """Ask again after a tenth of the transfer's age, within bounds; never after a fortnight."""
        age: timedelta = now - row["source_time"]
        if age > _GIVEN_UP_AFTER:
            return None
        first = timedelta(seconds=self._settings.first_pause_s)
        return now + min(max(first, age / 10), max(_LONGEST_PAUSE, first))


def _resolved(row: Record, found: Sequence[Evidence], now: datetime) -> Resolution:
    origin = Origin.TRANSFER_CALLING if row["has_dest_call"] else Origin.TRANSFER
    return resolve(origin, found, started_at=row["source_time"], now=now)


def _state_columns(row: Record, found: Resolution, now: datetime) -> dict[str, object]:
    state = {"status": found.status.value, "substatus": found.substatus, "status_source": found.source.value}
    return {**state, "updated_at": now} if any(row[name] != value for name, value in state.items()) else {}


async def _still_there(connection: AsyncConnection, row: Record) -> bool:
    """Lock the record; a reorganisation may have taken it back, or put another in its place."""
    kept = transactions.c
    query = select(kept.id).where(kept.id == row["id"], kept.source_block_hash == row["source_block_hash"])
    return (await connection.execute(query.with_for_update())).scalar_one_or_none() is not None


async def _write(connection: AsyncConnection, row: Record, columns: Mapping[str, object]) -> None:
    kept = transactions.c
    same = (kept.id == row["id"], kept.source_block_hash == row["source_block_hash"])
    await connection.execute(update(transactions).where(*same).values(columns))


async def _add_evidence(connection: AsyncConnection, record: str, status: TransferStatus, now: datetime) -> None:
    row = {
        "record_id": record,
        "source": status.source.value,
        "state": status.state.value,
        "substatus": status.substatus or "",
        "first_at": now,
        "last_at": now,
        "answer": shown(status.raw),
    }
    added = insert(evidence).values(row)
    told = {"last_at": func.greatest(evidence.c.last_at, now), "answer": row["answer"]}
    keys = ["record_id", "source", "state", "substatus"]
    await connection.execute(added.on_conflict_do_update(index_elements=keys, set_=told))


async def _evidence_of(connection: AsyncConnection, record: str) -> tuple[Evidence, ...]:
    rows = (await connection.execute(select(evidence).where(evidence.c.record_id == record))).mappings()
    return tuple(
        Evidence(
            StatusSource(row["source"]),
            TransferState(row["state"]),
            row["substatus"] or None,
            row["first_at"],
            row["last_at"],
        )
        for row in rows
    )
