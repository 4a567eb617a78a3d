"""Writing what was heard of a transfer: evidence, what it proves, and when its bridge is asked again."""

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
_AMOUNT_AWAITED_FOR = timedelta(hours=1)
_log = structlog.stdlib.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class StatusWriter:
    """Writes to claimed records, ``writers`` at once; ``first_pause`` lies between questions about a young transfer."""

    engine: AsyncEngine
    clock: Clock
    first_pause: timedelta
    writers: asyncio.Semaphore

    async def put_off(self, record: TransactionRecord, reason: str, until: datetime | None = None) -> None:
        """Note that nothing was told; ``until`` is when the bridge may be asked again, None when it was asked."""
        async with self.writers, self.engine.begin() as connection:
            kept = await self._claimed(connection, record)
            if kept is not None:
                await self._put_off(connection, kept, until)
        _log.debug("transfer put off", record=record.id, reason=reason)

    async def settle(
        self, record: TransactionRecord, status: TransferStatus, delivery: Delivery, names: Sequence[str]
    ) -> None:
        """Write what a bridge said. The end of a transfer counts only for the one record that has its ``names``."""
        now, ends = self.clock(), status.state in TERMINAL
        async with self.writers, self.engine.begin() as connection:
            if ends:
                await lock_names(connection, names)
            kept = await self._claimed(connection, record)
            if kept is None:
                return
            if ends and not await claim(connection, kept, names, now):
                _log.info("another record's end", record=kept.id, tx=kept.origin_tx_hash, names=list(names))
                await self._put_off(connection, kept, None)
                return
            await add_evidence(connection, kept.id, status, now)
            found = self._resolved(kept, await evidence_of(connection, kept.id), now)
            is_told = delivery.complete and _is_told(kept, found, status, now)
            again = None if is_told else self._again(kept, now)
            after = replace(_in_state(kept, found, now), last_bridge_checked_at=now, next_bridge_check_at=again)
            if status.state is not TransferState.UNKNOWN:
                after = replace(after, last_bridge_success_checked_at=now, raw_bridge_status=shown(status.raw))
            if found.status is status.state:
                after = _delivered(after, delivery, is_told=is_told)
            await change(connection, kept, after)
        if found.status is not kept.status:
            _log.info("transfer moved on", adapter=kept.protocol, tx=kept.origin_tx_hash, status=found.status.value)

    async def believe(self, record: TransactionRecord, terms: TransferTerms) -> None:
        """Note that a transfer's deposit was found: it is not looked for again."""
        async with self.writers, self.engine.begin() as connection:
            if await self._claimed(connection, record) is not None:
                await change(connection, record, replace(record, terms=replace(terms, deposit=None)))

    async def disown(self, record: TransactionRecord) -> None:
        """Note that a transfer's deposit is not where it must be: nothing vouches for the record, nobody is asked."""
        nobodys = replace(record, terms=None, bridge_scan_url=None, next_bridge_check_at=None)
        async with self.writers, self.engine.begin() as connection:
            if await self._claimed(connection, record) is None:
                return
            await change(connection, record, _in_state(nobodys, resolve(Origin.UNVERIFIED), self.clock()))
        _log.warning("transfer not handed to its bridge", adapter=record.protocol, tx=record.origin_tx_hash)

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
        await change(connection, record, replace(after, next_bridge_check_at=again))

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


def _is_told(record: TransactionRecord, found: Resolution, status: TransferStatus, now: datetime) -> bool:
    """Tell whether nothing more is to be asked: a proof may come before the log that tells how much arrived.

    An answer of another state than the one that counts tells nothing of how that ended, so it ends nothing.
    """
    if found.status not in TERMINAL or found.status is not status.state:
        return False
    waits = found.status is TransferState.SUCCESS and found.source is StatusSource.ANALYTICS
    return not waits or status.output_amount is not None or now - record.origin_time > _AMOUNT_AWAITED_FOR


def _delivered(record: TransactionRecord, delivery: Delivery, *, is_told: bool) -> TransactionRecord:
    """Put in what a delivery tells; the minimum counts when no amount will be told."""
    after = delivery.put_into(record)
    return replace(after, output=delivery.guaranteed) if is_told and after.output is None else after


def _in_state(record: TransactionRecord, found: Resolution, now: datetime) -> TransactionRecord:
    after = found.put_into(record)
    return record if after == record else replace(after, updated_at=now)
