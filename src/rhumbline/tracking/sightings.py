"""From what is seen on a chain to the records of our transactions."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar

import structlog
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.domain.chain import Chain
from rhumbline.domain.clock import Clock
from rhumbline.domain.tracking import BridgeSighting, Sighting, TransactionRecord, TransferState
from rhumbline.tracking.issued_transactions import find_builds
from rhumbline.tracking.records import is_ours, swap_record
from rhumbline.tracking.transfers import Known, bridge_record

ServiceKeys = Callable[[], Awaitable[tuple[bytes, ...]]]
"""Reads the keys of transaction IDs, including old ones; called again for each range with events."""

_FEW = 50
T = TypeVar("T")
_log = structlog.stdlib.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class SightingReader:
    """Makes the records of one chain; the store has the issued transactions, ``keys`` verify our IDs."""

    chain: Chain
    engine: AsyncEngine
    keys: ServiceKeys
    clock: Clock
    known: Known

    async def records(self, seen: Sequence[Sighting | BridgeSighting]) -> list[TransactionRecord]:
        """Return the records of what was seen, swaps first."""
        if not seen:
            return []
        keys, now = await self.keys(), self.clock()
        ours, swaps = await aside(len(seen), self._ours, seen, keys, now)
        return swaps + await self._transfers([item for item in ours if isinstance(item, BridgeSighting)], now)

    def _ours(
        self, seen: Sequence[Sighting | BridgeSighting], keys: tuple[bytes, ...], now: datetime
    ) -> tuple[Sequence[Sighting | BridgeSighting], list[TransactionRecord]]:
        """Return what has an ID of ours, and the records of the swaps among it."""
        ours = [sighting for sighting in seen if is_ours(keys, sighting, self.chain)]
        if len(ours) < len(seen):
            _log.info("foreign transactions left out", chain=self.chain.key, count=len(seen) - len(ours))
        return ours, [swap_record(sighting, now) for sighting in ours if isinstance(sighting, Sighting)]

    async def _transfers(self, sightings: Sequence[BridgeSighting], now: datetime) -> list[TransactionRecord]:
        if not sightings:
            return []
        async with self.engine.connect() as connection:
            issued = await find_builds(connection, [sighting.transaction_id for sighting in sightings])
        records = [bridge_record(each, issued.get(each.transaction_id), self.known, now) for each in sightings]
        for record in records:
            if record.status is TransferState.UNKNOWN:
                _log.warning("transfer not as handed out", chain=self.chain.key, tx=record.origin_tx_hash)
        return records


async def aside(size: int, work: Callable[..., T], *arguments: object) -> T:
    """Do work of a size, in sightings or logs: in a thread if they are many, so that nothing else waits for it."""
    return work(*arguments) if size < _FEW else await asyncio.to_thread(work, *arguments)
