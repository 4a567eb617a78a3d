"""Keeping the chains followed for as long as the process lives, whatever their nodes and the store do meanwhile."""

import asyncio
import contextlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.domain.clock import Clock
from rhumbline.gateways.postgres.failures import driver_error
from rhumbline.tracking.builds import Builds
from rhumbline.tracking.enrichment import Enricher
from rhumbline.tracking.indexing import Indexer
from rhumbline.tracking.leadership import Leadership
from rhumbline.tracking.polling import BridgePoller

_FIRST_PAUSE_S = 0.5
_LONGEST_PAUSE_S = 30.0
_TIDY_EVERY = timedelta(hours=1)
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


@dataclass(frozen=True, slots=True)
class Follower:
    """What goes on with transfers after they were seen: asking their bridges, and forgetting what was never sent."""

    poller: BridgePoller
    builds: Builds
    clock: Clock
    poll_s: float

    async def run(self, stop: asyncio.Event) -> None:
        """Work until ``stop`` is set, as a tracker does. Every worker may do so: what is due is claimed."""
        failures = 0
        tidied: datetime | None = None
        while not stop.is_set():
            try:
                more = await self.poller.poll()
                now = self.clock()
                if tidied is None or now - tidied >= _TIDY_EVERY:
                    await self.builds.forget(now)
                    tidied = now
            except Exception as error:
                pause = min(_FIRST_PAUSE_S * 2**failures, _LONGEST_PAUSE_S)
                failures = min(failures + 1, 10)
                _log.warning("bridges not asked", reason=_reason(error), retry_in_s=pause)
            else:
                failures = 0
                pause = 0.0 if more else self.poll_s
            await _sleep(pause, stop)


async def run_trackers(
    trackers: Sequence[Tracker], engine: AsyncEngine, stop: asyncio.Event, follower: Follower | None = None
) -> None:
    """Follow every chain, and all transfers, until ``stop`` is set or this is cancelled; then give up the leads."""
    leadership = Leadership(engine)
    try:
        async with asyncio.TaskGroup() as group:
            for tracker in trackers:
                group.create_task(tracker.run(leadership, stop), name=f"tracking-{tracker.indexer.chain.key}")
            if follower is not None:
                group.create_task(follower.run(stop), name="transfers")
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
