"""Keeping the chains followed for as long as the process lives, whatever their nodes and the store do meanwhile."""

import asyncio
import contextlib
from collections.abc import Sequence
from dataclasses import dataclass

import structlog
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.gateways.postgres.failures import driver_error
from rhumbline.tracking.enrichment import Enricher
from rhumbline.tracking.indexing import Indexer
from rhumbline.tracking.leadership import Leadership

_FIRST_PAUSE_S = 0.5
_LONGEST_PAUSE_S = 30.0
_log = structlog.stdlib.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Tracker:
    """One chain's work: taking in its events, then completing the records. ``poll_s`` is the pause at the head."""

    indexer: Indexer
    enricher: Enricher
    poll_s: float

    async def run(self, leadership: Leadership, stop: asyncio.Event) -> None:
        """Work until ``stop`` is set. A failure is logged and tried again after a pause that doubles up to 30 s."""
        chain = self.indexer.chain
        failures = 0
        while not stop.is_set():
            try:
                more = await leadership.leads(chain.id) and await self._work()
            except Exception as error:
                pause = min(_FIRST_PAUSE_S * 2**failures, _LONGEST_PAUSE_S)
                failures = min(failures + 1, 10)
                _log.warning("tracking interrupted", chain=chain.key, reason=_reason(error), retry_in_s=pause)
            else:
                failures = 0
                pause = 0.0 if more else self.poll_s
            await _sleep(pause, stop)

    async def _work(self) -> bool:
        """Take one step and complete one batch, each also when the other has nothing to do."""
        waiting = await self.indexer.step()
        return await self.enricher.enrich() or waiting


async def run_trackers(trackers: Sequence[Tracker], engine: AsyncEngine, stop: asyncio.Event) -> None:
    """Follow every chain until ``stop`` is set or this is cancelled; then give up the leads."""
    leadership = Leadership(engine)
    try:
        async with asyncio.TaskGroup() as group:
            for tracker in trackers:
                group.create_task(tracker.run(leadership, stop), name=f"tracking-{tracker.indexer.chain.key}")
    finally:
        await leadership.release()


def _reason(error: Exception) -> str:
    """Put a failure into one line; a database error's own text would carry whole statements."""
    cause = driver_error(error)
    return f"{type(cause).__name__}: {cause}".splitlines()[0][:300]


async def _sleep(seconds: float, stop: asyncio.Event) -> None:
    """Sleep, but not beyond ``stop``; with 0 seconds only give others a turn."""
    if seconds == 0:
        await asyncio.sleep(0)
        return
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await stop.wait()
