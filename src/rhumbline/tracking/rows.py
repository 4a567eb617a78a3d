"""From what a chain's blocks hold to the rows of those transactions that are ours."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

import structlog
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.catalog.chains import ChainCatalog
from rhumbline.domain.chain import Chain
from rhumbline.domain.clock import Clock
from rhumbline.domain.tracking import BridgeSighting, Sighting, TransferState
from rhumbline.tracking.amounts import ListedAt, unlisted
from rhumbline.tracking.builds import find_builds
from rhumbline.tracking.evm.logs import EvmLog, decode_logs
from rhumbline.tracking.records import Row, is_ours, swap_row
from rhumbline.tracking.transfers import ScanPages, bridge_row

ServiceKeys = Callable[[], Awaitable[tuple[bytes, ...]]]
"""Reads the keys that transaction IDs are made with, old ones included; asked anew for each range with events in it."""

_log = structlog.stdlib.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Known:
    """What a transfer to another chain is described with: the chains, and the bridges' own pages.

    ``proving`` are the bridges that find the start of a transfer on its chain by themselves (``proves_start``),
    ``listed_at`` knows the listed tokens.
    """

    chains: ChainCatalog
    pages: ScanPages = field(default_factory=lambda: ScanPages({}))
    proving: frozenset[str] = frozenset()
    listed_at: ListedAt = unlisted


class Rows:
    """Makes the rows of one chain."""

    __slots__ = ("_chain", "_clock", "_engine", "_keys", "_known")

    def __init__(self, chain: Chain, engine: AsyncEngine, keys: ServiceKeys, clock: Clock, known: Known) -> None:
        """Make rows of ``chain``; the store tells what was handed out, ``keys`` which IDs are ours."""
        self._chain = chain
        self._engine = engine
        self._keys = keys
        self._clock = clock
        self._known = known

    async def of(self, logs: Sequence[EvmLog], times: Mapping[str, datetime]) -> list[Row]:
        """Return the rows of the Diamond's events; ``times`` holds the time of each block by its hash."""
        if not logs or self._chain.diamond is None:
            return []
        decoded = decode_logs(self._chain.id, self._chain.diamond, logs, times)
        for skipped in decoded.skipped:
            _log.info(
                "event skipped", chain=self._chain.key, tx=skipped.tx_hash, log=skipped.log_index, reason=skipped.reason
            )
        seen: list[Sighting | BridgeSighting] = [*decoded.sightings, *decoded.bridges]
        if not seen:
            return []
        keys, now = await self._keys(), self._clock()
        ours = [sighting for sighting in seen if is_ours(keys, sighting)]
        if len(ours) < len(seen):
            _log.info("foreign transactions left out", chain=self._chain.key, count=len(seen) - len(ours))
        swaps = [swap_row(sighting, now) for sighting in ours if isinstance(sighting, Sighting)]
        return swaps + await self._transfers([item for item in ours if isinstance(item, BridgeSighting)], now)

    async def _transfers(self, sightings: Sequence[BridgeSighting], now: datetime) -> list[Row]:
        if not sightings:
            return []
        async with self._engine.connect() as connection:
            builds = await find_builds(connection, [sighting.transaction_id for sighting in sightings])
        rows = []
        for sighting in sightings:
            build = builds.get(sighting.transaction_id)
            known = self._known
            row = bridge_row(
                sighting,
                build,
                known.chains,
                known.pages,
                now,
                proving=known.proving,
                listed_at=known.listed_at,
            )
            if row["status"] == TransferState.UNKNOWN:
                _log.warning("transfer not as handed out", chain=self._chain.key, tx=sighting.tx_hash)
            rows.append(row)
        return rows
