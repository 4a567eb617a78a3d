"""Writes a bridge's answer about a transfer: evidence, what it proves, and the next poll."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

import structlog
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from rhumbline.domain.clock import Clock
from rhumbline.domain.tracking import StatusSource, TransactionRecord, TransferState, TransferTerms
from rhumbline.domain.transfer import TransferStatus
from rhumbline.tracking.deliveries import Delivery
from rhumbline.tracking.evidence import add_evidence, evidence_of
from rhumbline.tracking.proofs import claim, lock_names
from rhumbline.tracking.raw_status import shown
from rhumbline.tracking.resolution import TERMINAL, Evidence, Origin, Resolution, resolve
from rhumbline.tracking.store import change, lock_record
from rhumbline.tracking.transfers import origin_of

_LONGEST_PAUSE = timedelta(minutes=2)
_GIVEN_UP_AFTER = timedelta(days=14)
_MOMENT = timedelta(microseconds=1)
_AMOUNT_AWAITED_FOR = timedelta(hours=1)
_log = structlog.stdlib.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class StatusWriter:
    """Writes to claimed records, ``writers`` at once; ``first_pause`` is the first interval between polls."""

    engine: AsyncEngine
    clock: Clock
    first_pause: timedelta
    writers: asyncio.Semaphore

    async def put_off(self, record: TransactionRecord, reason: str, until: datetime | None = None) -> None:
        """Note that there was no answer; ``until`` is when the bridge may be polled again, None if it was polled."""
        async with self.writers, self.engine.begin() as connection:
            kept = await self._claimed(connection, record)
            if kept is not None:
                await self._put_off(connection, kept, until)
        _log.debug("transfer put off", record=record.id, reason=reason)

    async def settle(
        self, record: TransactionRecord, status: TransferStatus, delivery: Delivery, names: Sequence[str]
    ) -> None:
        """Write what a bridge said. The end of a transfer counts only for the one record that has its ``names``."""
        now = self.clock()
        async with self.writers, self.engine.begin() as connection:
            if status.state in TERMINAL:
                await lock_names(connection, names)
            kept = await self._claimed(connection, record)
            if kept is None:
                return
            found = await self._add_and_resolve(connection, kept, status, names, now)
            if found is None:
                await self._put_off(connection, kept, None)
                return
            await change(connection, kept, self._settled(kept, found, status, delivery, now))
        if found.status is not kept.status:
            _log.info("transfer moved on", adapter=kept.protocol, tx=kept.origin_tx_hash, status=found.status.value)

    async def claim(self, record: TransactionRecord, holds_for: timedelta) -> TransactionRecord | None:
        """Claim a record that is not final, due or not; who has claimed it before will write nothing."""
        async with self.writers, self.engine.begin() as connection:
            kept = await lock_record(connection, record)
            if kept is None or kept.next_bridge_check_at is None:
                return None
            # Each claim is later than the one before.
            until = max(self.clock() + holds_for, kept.next_bridge_check_at + _MOMENT)
            claimed = _due(kept, until)
            await change(connection, kept, claimed)
            return claimed

    async def reconsider(
        self, record: TransactionRecord, status: TransferStatus, delivery: Delivery, names: Sequence[str]
    ) -> None:
        """Write what a bridge said of a record that is final; it is reopened only where the result is another one."""
        now = self.clock()
        async with self.writers, self.engine.begin() as connection:
            if status.state in TERMINAL:
                await lock_names(connection, names)
            kept = await lock_record(connection, record)
            if kept is None or kept.next_bridge_check_at is not None:
                return
            found = await self._add_and_resolve(connection, kept, status, names, now)
            if found is not None and (found.status, found.substatus) != (kept.status, kept.substatus):
                await change(connection, kept, self._settled(kept, found, status, delivery, now))

    async def note_deposit(self, record: TransactionRecord, terms: TransferTerms) -> None:
        """Note that a transfer's deposit was found: it is not looked for again."""
        async with self.writers, self.engine.begin() as connection:
            if await self._claimed(connection, record) is not None:
                await change(connection, record, replace(record, terms=replace(terms, deposit=None)))

    async def disown(self, record: TransactionRecord) -> None:
        """Note that a transfer's deposit is missing: the record has no evidence, and its bridge is not polled."""
        nobodys = _due(replace(record, terms=None, bridge_scan_url=None), None)
        async with self.writers, self.engine.begin() as connection:
            if await self._claimed(connection, record) is None:
                return
            await change(connection, record, _in_state(nobodys, resolve(Origin.UNVERIFIED), self.clock()))
        _log.warning("transfer not handed to its bridge", adapter=record.protocol, tx=record.origin_tx_hash)

    async def _add_and_resolve(
        self,
        connection: AsyncConnection,
        kept: TransactionRecord,
        status: TransferStatus,
        names: Sequence[str],
        now: datetime,
    ) -> Resolution | None:
        """Add what a bridge said to the evidence, and resolve it; None where it is the end of another record."""
        if status.state in TERMINAL and not await claim(connection, kept, names, now):
            _log.info("another record's end", record=kept.id, tx=kept.origin_tx_hash, names=list(names))
            return None
        await add_evidence(connection, kept.id, status, now)
        return self._resolved(kept, await evidence_of(connection, kept.id), now)

    def _settled(
        self, kept: TransactionRecord, found: Resolution, status: TransferStatus, delivery: Delivery, now: datetime
    ) -> TransactionRecord:
        """Return the record with what was found, after its bridge has answered."""
        is_complete = delivery.complete and _is_complete(kept, found, status, now)
        again = None if is_complete else self._again(kept, now)
        after = replace(_due(_in_state(kept, found, now), again), last_bridge_checked_at=now)
        if status.state is not TransferState.UNKNOWN:
            after = replace(after, last_bridge_success_checked_at=now, raw_bridge_status=shown(status.raw))
        return _delivered(after, delivery, is_complete=is_complete) if found.status is status.state else after

    async def _claimed(self, connection: AsyncConnection, record: TransactionRecord) -> TransactionRecord | None:
        """Lock a record that was claimed; None where it is gone, or the claim: who was late writes nothing.

        A claim is the time until which it holds, and each is later than the one before, so it names itself.
        """
        kept, claim_ends = await lock_record(connection, record), record.next_bridge_check_at
        if kept is None or (claim_ends is not None and kept.next_bridge_check_at == claim_ends > self.clock()):
            return kept
        _log.warning("claim has run out", record=record.id, tx=record.origin_tx_hash)
        return None

    async def _put_off(self, connection: AsyncConnection, record: TransactionRecord, until: datetime | None) -> None:
        now = self.clock()
        again = self._again(record, now)
        after = _in_state(record, self._resolved(record, await evidence_of(connection, record.id), now), now)
        if until is None:
            after = replace(after, last_bridge_checked_at=now)
        elif again is not None:
            again = max(again, until)
        await change(connection, record, _due(after, again))

    def _again(self, record: TransactionRecord, now: datetime) -> datetime | None:
        """Ask again after a tenth of the transfer's age, within bounds; never after a fortnight."""
        age: timedelta = now - record.origin_time
        if age > _GIVEN_UP_AFTER:
            return None
        return now + min(max(self.first_pause, age / 10), max(_LONGEST_PAUSE, self.first_pause))

    def _resolved(self, record: TransactionRecord, found: Sequence[Evidence], now: datetime) -> Resolution:
        """Resolve; what is still open when nobody asks any more is unknown from then on."""
        resolved = resolve(origin_of(record), found, started_at=record.origin_time, now=now)
        if resolved.status in TERMINAL or self._again(record, now) is not None:
            return resolved
        return Resolution(TransferState.UNKNOWN, resolved.substatus, StatusSource.UNKNOWN)


def _is_complete(record: TransactionRecord, found: Resolution, status: TransferStatus, now: datetime) -> bool:
    """Return whether nothing more is to be asked: a proof may come before the log that tells how much arrived.

    An answer of another state than the one that counts tells nothing of how that ended, so it ends nothing.
    """
    if found.status not in TERMINAL or found.status is not status.state:
        return False
    waits = found.status is TransferState.SUCCESS and found.source is StatusSource.ANALYTICS
    return not waits or status.output_amount is not None or now - record.origin_time > _AMOUNT_AWAITED_FOR


def _delivered(record: TransactionRecord, delivery: Delivery, *, is_complete: bool) -> TransactionRecord:
    """Put in what a delivery tells; the minimum counts when no amount will be told."""
    after = delivery.put_into(record)
    return replace(after, output=delivery.guaranteed) if is_complete and after.output is None else after


def _due(record: TransactionRecord, again: datetime | None) -> TransactionRecord:
    """End a claim: the bridge may be asked again then."""
    return replace(record, next_bridge_check_at=again, claimed_by=None)


def _in_state(record: TransactionRecord, found: Resolution, now: datetime) -> TransactionRecord:
    after = found.put_into(record)
    return record if after == record else replace(after, updated_at=now)
