"""Writing what was heard of a transfer: evidence, what it proves, and when its bridge is asked again."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import structlog
from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from rhumbline.domain.clock import Clock
from rhumbline.domain.tracking import StatusSource, TransferState
from rhumbline.domain.transfer import TransferStatus
from rhumbline.tracking.evidence import add_evidence, evidence_of
from rhumbline.tracking.evm.deliveries import Arrival
from rhumbline.tracking.proofs import claim, lock_names
from rhumbline.tracking.raw_status import shown
from rhumbline.tracking.resolution import TERMINAL, Evidence, Origin, Resolution, resolve
from rhumbline.tracking.store import transactions
from rhumbline.tracking.transfers import origin_of

_LONGEST_PAUSE = timedelta(minutes=2)
_GIVEN_UP_AFTER = timedelta(days=14)
_AMOUNT_AWAITED_FOR = timedelta(hours=1)
Record = dict[str, Any]
"""A row of a transfer, by column."""

_log = structlog.stdlib.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Settling:
    """Writes to the records of transfers that the caller has claimed; ``writers`` bounds how many do so at once.

    ``first_pause`` lies between two questions about a young transfer.
    """

    engine: AsyncEngine
    clock: Clock
    first_pause: timedelta
    writers: asyncio.Semaphore

    async def put_off(self, row: Record, reason: str, until: datetime | None = None) -> None:
        """Note that nothing was told; a transfer of which nothing is heard for long becomes unknown.

        ``until`` is when the bridge may be asked again, None when it was asked.
        """
        async with self.writers, self.engine.begin() as connection:
            if await _still_there(connection, row):
                await self._put_off(connection, row, until)
        _log.debug("transfer put off", record=row["id"], reason=reason)

    async def settle(self, row: Record, status: TransferStatus, arrival: Arrival, names: Sequence[str]) -> None:
        """Write what a bridge said. The end of a transfer counts only for the one record that has its ``names``."""
        now, ends = self.clock(), status.state in TERMINAL
        async with self.writers, self.engine.begin() as connection:
            if ends:
                await lock_names(connection, names)
            if not await _still_there(connection, row):
                return
            if ends and not await claim(connection, row, names, now):
                _log.info("another record's end", record=row["id"], tx=row["source_tx_hash"], names=list(names))
                await self._put_off(connection, row, None)
                return
            await add_evidence(connection, str(row["id"]), status, now)
            found = self._resolved(row, await evidence_of(connection, str(row["id"])), now)
            is_told = arrival.complete and _is_told(row, found, status, now)
            columns: dict[str, object] = {
                "last_bridge_checked_at": now,
                "next_bridge_check_at": None if is_told else self._again(row, now),
                **_state_columns(row, found, now),
            }
            if status.state is not TransferState.UNKNOWN:
                columns |= {"last_bridge_success_checked_at": now, "raw_bridge_status": shown(status.raw)}
            if found.status is status.state:
                columns |= _arrived(row, arrival, is_told=is_told)
            await _write(connection, row, columns)
        if found.status.value != row["status"]:
            _log.info("transfer moved on", adapter=row["protocol"], tx=row["source_tx_hash"], status=found.status.value)

    async def believe(self, row: Record) -> None:
        """Note that a transfer's deposit was found; ``row`` is changed as well."""
        row["transfer"] = {name: value for name, value in row["transfer"].items() if name != "deposit"}
        async with self.writers, self.engine.begin() as connection:
            await _write(connection, row, {"transfer": row["transfer"]})

    async def disown(self, row: Record) -> None:
        """Note that a transfer's deposit is not where it must be: nothing vouches for the record, nobody is asked."""
        now = self.clock()
        columns = {"transfer": None, "bridge_scan_url": None, "next_bridge_check_at": None}
        async with self.writers, self.engine.begin() as connection:
            await _write(connection, row, {**columns, **_state_columns(row, resolve(Origin.UNVERIFIED), now)})
        _log.warning("transfer not handed to its bridge", adapter=row["protocol"], tx=row["source_tx_hash"])

    async def _put_off(self, connection: AsyncConnection, row: Record, until: datetime | None) -> None:
        now = self.clock()
        again = self._again(row, now)
        found = self._resolved(row, await evidence_of(connection, str(row["id"])), now)
        columns: dict[str, object] = {**_state_columns(row, found, now), "next_bridge_check_at": again}
        if until is None:
            columns["last_bridge_checked_at"] = now
        elif again is not None:
            columns["next_bridge_check_at"] = max(again, until)
        await _write(connection, row, columns)

    def _again(self, row: Record, now: datetime) -> datetime | None:
        """Ask again after a tenth of the transfer's age, within bounds; never after a fortnight."""
        age: timedelta = now - row["source_time"]
        if age > _GIVEN_UP_AFTER:
            return None
        return now + min(max(self.first_pause, age / 10), max(_LONGEST_PAUSE, self.first_pause))

    def _resolved(self, row: Record, found: Sequence[Evidence], now: datetime) -> Resolution:
        """Resolve; what is still open when nobody asks any more is unknown from then on."""
        resolved = resolve(origin_of(row), found, started_at=row["source_time"], now=now)
        if resolved.is_final or self._again(row, now) is not None:
            return resolved
        return Resolution(TransferState.UNKNOWN, resolved.substatus, StatusSource.UNKNOWN)


def _is_told(row: Record, found: Resolution, status: TransferStatus, now: datetime) -> bool:
    """Tell whether nothing more is to be asked: a proof may come before the log that tells how much arrived.

    An answer of another state than the one that counts tells nothing of how that ended, so it ends nothing.
    """
    if not found.is_final or found.status is not status.state:
        return False
    waits = found.status is TransferState.SUCCESS and found.source is StatusSource.ANALYTICS
    return not waits or status.output_amount is not None or now - row["source_time"] > _AMOUNT_AWAITED_FOR


def _arrived(row: Record, arrival: Arrival, *, is_told: bool) -> dict[str, object]:
    """Return what an arrival fills; the minimum counts when no amount will be told."""
    columns = arrival.columns()
    if is_told and columns.get("output", row["output"]) is None and arrival.guaranteed is not None:
        columns["output"] = arrival.guaranteed
    return columns


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
