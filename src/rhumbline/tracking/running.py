"""Keeping the chains followed for as long as the process lives, whatever their nodes and the store do meanwhile."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial

import structlog
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.domain.clock import Clock
from rhumbline.gateways.postgres.failures import driver_error
from rhumbline.tracking.builds import Builds
from rhumbline.tracking.directs import DirectCalls
from rhumbline.tracking.enrichment import Enricher
from rhumbline.tracking.indexing import Indexer
from rhumbline.tracking.leadership import Leadership
from rhumbline.tracking.polling import BridgePoller

_FIRST_PAUSE_S = 0.5
_LONGEST_PAUSE_S = 30.0
_TIDY_EVERY_S = 3600.0
_log = structlog.stdlib.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Tracker:
    """One chain's work: taking in its events, then completing the records. ``poll_s`` is the pause at the head.

    ``directs``, where there are any, are looked for beside that: they never hold up the events.
    """

    indexer: Indexer
    enricher: Enricher
    poll_s: float
    directs: DirectCalls | None = None

    async def run(self, leadership: Leadership, stop: asyncio.Event) -> None:
        """Work until ``stop`` is set. A failure is logged and tried again after a pause that doubles up to 30 s."""
        chain, directs = self.indexer.chain, self.directs

        async def take() -> bool:
            return await leadership.leads(chain.id) and await self._work()

        async def look() -> bool:
            return directs is not None and await leadership.leads(chain.id) and await directs.step()

        async with asyncio.TaskGroup() as group:
            group.create_task(_keep_on(take, self.poll_s, stop, "tracking interrupted", chain=chain.key))
            if directs is not None:
                group.create_task(_keep_on(look, self.poll_s, stop, "calls of wallets not seen", chain=chain.key))

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
        """Work until ``stop`` is set, as a tracker does. Every worker may do so: what is due is claimed.

        Each bridge is asked at its own pace, so that one that is slow holds up no other.
        """

        async def forget() -> bool:
            return await self.builds.forget(self.clock())

        async with asyncio.TaskGroup() as group:
            for lane in self.poller.lanes:
                poll = partial(self.poller.poll, lane)
                group.create_task(_keep_on(poll, self.poll_s, stop, "bridge not asked", bridge=lane or "others"))
            group.create_task(_keep_on(forget, _TIDY_EVERY_S, stop, "builds not forgotten"))


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


async def _keep_on(
    work: Callable[[], Awaitable[bool]], pause_s: float, stop: asyncio.Event, trouble: str, **about: str
) -> None:
    """Do work again and again until ``stop`` is set: at once when it says that more is waiting, else after a pause.

    Whatever it raises is logged as ``trouble``, and is tried again after a pause that doubles up to 30 s.
    """
    failures = 0
    while not stop.is_set():
        try:
            pause = 0.0 if await work() else pause_s
        except Exception as error:
            pause = min(_FIRST_PAUSE_S * 2**failures, _LONGEST_PAUSE_S)
            failures = min(failures + 1, 10)
            _log.warning(trouble, **about, reason=_reason(error), retry_in_s=pause)
        else:
            failures = 0
        await _sleep(pause, stop)


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
