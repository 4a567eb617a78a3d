"""Keeping the chains followed for as long as the process lives, whatever their nodes and the store do meanwhile."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import structlog
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.gateways.nodes.endpoints import reading
from rhumbline.gateways.postgres.failures import driver_error
from rhumbline.gateways.postgres.leases import FREED, Leases
from rhumbline.gateways.postgres.notices import Notices, first_of
from rhumbline.tracking.cadence import Pace
from rhumbline.tracking.chain_types import ChainIndexer, HeadAnnouncements, WalletCallSearch
from rhumbline.tracking.enrichment import Enricher
from rhumbline.tracking.issued_transactions import IssuedTransactions
from rhumbline.tracking.leadership import BUILDS, Challenge, Loop, lease_name
from rhumbline.tracking.status_worker import StatusWorker
from rhumbline.tracking.topics import completion, handed_out

LONGEST_REST_S = 30.0
"""After so long even those look who would be told: a worker of another version may tell nothing."""
LOOK_FOR_LEAD_S = 1.0
"""How often those look who wait for another's lease; the store is asked only when that may be free."""
_FIRST_PAUSE_S = 0.5
_LONGEST_PAUSE_S = 30.0
_TIDY_EVERY_S = 3600.0
_log = structlog.stdlib.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Tracker:
    """One chain's work: taking in its events, then completing the records. ``poll_s`` is the pause at the head.

    Records are completed beside that when there are new ones or one is to be tried again, and ``wallet_calls``, where
    there are any, are looked for when blocks were taken in: neither holds up the events, and none works on a clock.

    With ``heads`` the pause ends when one is announced, and lasts half a minute as long as all are; no look follows
    another sooner than without them. While ``pace`` says that no transaction is awaited, pauses are longer, and end
    when one is handed out.
    """

    indexer: ChainIndexer
    enricher: Enricher
    poll_s: float
    wallet_calls: WalletCallSearch | None = None
    heads: HeadAnnouncements | None = None
    pace: Pace | None = None

    async def run(self, leases: Leases, stop: asyncio.Event, notices: Notices | None = None) -> None:
        """Work until ``stop`` is set. A failure is logged and tried again after a pause that doubles up to 30 s.

        Each of the loops has a lease of its own, and does nothing while another process has that.
        """
        chain, moved = self.indexer.chain, asyncio.Event()
        topic = completion(chain.id)
        added = _bell(notices, lambda told: told == topic)
        sent = handed_out(chain.id)
        awaited = _bell(notices, lambda told: told == sent)
        events, completing, seeking = (lease_name(chain.id, loop) for loop in Loop)
        challenge = Challenge(leases, events, self.indexer)

        async def take() -> float:
            held, before = leases.holds(events), self.indexer.reached
            if not await leases.take(events) and not await challenge.is_won():
                return min(self.poll_s, LOOK_FOR_LEAD_S)
            if not held:
                # Whoever led before may have left something undone.
                added.set()
            if self.pace is not None:
                awaited.clear()
                await self.pace.look()
            waiting = await self.indexer.step()
            if not held or self.indexer.reached != before:
                moved.set()
            rest_s = 0.0 if waiting else self._rest_s(notices)
            leases.vouch(events, rest_s, self.indexer.head, self.indexer.next_block)
            return rest_s

        async def hear() -> float:
            if self.heads is not None and leases.holds(events):
                await unless(stop, self.heads.listen(lambda: leases.holds(events)))
            return _FIRST_PAUSE_S

        async def complete() -> float:
            if not await leases.take(completing):
                return LOOK_FOR_LEAD_S
            rest_s = 0.0
            if not await self.enricher.enrich():
                rest_s = min(await self.enricher.due_in_s() or self.poll_s, _longest(notices, self.poll_s))
            leases.vouch(completing, rest_s)
            return rest_s

        async def look() -> float:
            if self.wallet_calls is None:
                return LONGEST_REST_S
            if not await leases.take(seeking):
                return LOOK_FOR_LEAD_S
            # Where another process takes in the blocks nobody tells of them.
            rest_s = LONGEST_REST_S if leases.holds(events) else LOOK_FOR_LEAD_S
            rest_s = 0.0 if await self.wallet_calls.step() else rest_s
            leases.vouch(seeking, rest_s)
            return rest_s

        def head_bell() -> asyncio.Event | None:
            if self._is_idle(notices):
                return awaited
            return None if self.heads is None else self.heads.bell

        async with asyncio.TaskGroup() as group:
            led = partial(_doubted, leases)
            group.create_task(
                _keep_on(led(events, take), stop, head_bell, "tracking interrupted", self.poll_s, chain=chain.key)
            )
            if self.heads is not None:
                group.create_task(_keep_on(hear, stop, _no_bell, "heads not announced", chain=chain.key))
            group.create_task(
                _keep_on(led(completing, complete), stop, _ringing(added), "records not completed", chain=chain.key)
            )
            if self.wallet_calls is not None:
                group.create_task(
                    _keep_on(led(seeking, look), stop, _ringing(moved), "calls of wallets not seen", chain=chain.key)
                )

    def _is_idle(self, notices: Notices | None) -> bool:
        """Tell whether no transaction is awaited, and somebody would tell of one."""
        return self.pace is not None and not self.pace.awaits and notices is not None and notices.hears

    def _rest_s(self, notices: Notices | None) -> float:
        if self.pace is not None and self._is_idle(notices):
            return self.pace.cadence.idle_rest_s(announced=self.heads is not None and self.heads.announces)
        if self.heads is not None and self.heads.newest_is(self.indexer.head):
            return max(self.poll_s, LONGEST_REST_S)
        return self.poll_s if self.pace is None else self.pace.rest_s(self.indexer.head)


@dataclass(frozen=True, slots=True)
class TransferTracker:
    """What goes on with transfers after they were seen: asking their bridges, and forgetting what was never sent.

    A bridge is asked when a transfer of it is new or due; ``poll_s`` is the pause where nobody tells of new ones.
    Nothing is forgotten while ``clock_is_off`` says that the process's own clock is not the store's.
    """

    worker: StatusWorker
    builds: IssuedTransactions
    poll_s: float
    clock_is_off: Callable[[], bool] = lambda: False

    async def run(self, leases: Leases, stop: asyncio.Event, notices: Notices | None = None) -> None:
        """Work until ``stop`` is set, as a tracker does. Every worker may do so: what is due is claimed."""

        async def forget() -> float:
            if self.clock_is_off() or not await leases.take(BUILDS):
                return LONGEST_REST_S
            rest_s = 0.0 if await self.builds.forget(leases.fence(BUILDS)) else _TIDY_EVERY_S
            leases.vouch(BUILDS, rest_s)
            return rest_s

        async def ask(queue: str) -> float:
            if await self.worker.poll(queue):
                return 0.0
            # What is due and was not claimed is being asked about by another worker.
            return min(await self.worker.due_in_s(queue) or self.poll_s, _longest(notices, self.poll_s))

        async with asyncio.TaskGroup() as group:
            # Each at its own pace, so that one that is slow holds up no other.
            for queue in self.worker.queues:
                bell = _bell(notices, partial(self.worker.concerns, queue))
                work = partial(ask, queue)
                group.create_task(_keep_on(work, stop, _ringing(bell), "bridge not asked", bridge=queue or "others"))
            group.create_task(_keep_on(_doubted(leases, BUILDS, forget), stop, _no_bell, "builds not forgotten"))


async def run_trackers(
    trackers: Sequence[Tracker],
    engine: AsyncEngine,
    stop: asyncio.Event,
    transfers: TransferTracker | None = None,
    leases: Leases | None = None,
) -> None:
    """Follow every chain, and all transfers, until ``stop`` is set or this is cancelled; then give up the leases.

    ``leases`` are those by which the writes of the trackers are fenced.
    """
    leases, notices = leases or Leases(engine), Notices(engine)
    try:
        async with asyncio.TaskGroup() as group:
            group.create_task(notices.run(stop), name="notices")
            group.create_task(leases.run(stop, notices.bell(lambda topic: topic == FREED)), name="leases")
            for tracker in trackers:
                name = f"tracking-{tracker.indexer.chain.key}"
                group.create_task(tracker.run(leases, stop, notices), name=name)
            if transfers is not None:
                group.create_task(transfers.run(leases, stop, notices), name="transfers")
            try:
                await stop.wait()
            finally:
                # A task whose cancellation met the end of a time limit may have heard of the latter alone.
                stop.set()
    finally:
        await leases.release()


def _doubted(leases: Leases, name: str, work: Callable[[], Awaitable[float]]) -> Callable[[], Awaitable[float]]:
    """Return work that no longer has its lease renewed once it has failed."""

    async def go() -> float:
        try:
            return await work()
        except Exception:
            leases.doubt(name)
            raise

    return go


def _bell(notices: Notices | None, concerns: Callable[[str], bool]) -> asyncio.Event:
    return asyncio.Event() if notices is None else notices.bell(concerns)


def _ringing(bell: asyncio.Event) -> Callable[[], asyncio.Event]:
    return lambda: bell


def _no_bell() -> None:
    return None


def _longest(notices: Notices | None, poll_s: float) -> float:
    """Return how long to rest at the most: without notices nobody tells when something is new."""
    return LONGEST_REST_S if notices is not None and notices.hears else poll_s


async def _keep_on(
    work: Callable[[], Awaitable[float]],
    stop: asyncio.Event,
    next_bell: Callable[[], asyncio.Event | None],
    trouble: str,
    deaf_s: float = 0.0,
    **about: str,
) -> None:
    """Do work again and again until ``stop`` is set, after as many seconds as it says, or when the bell rings.

    Which bell that is ``next_bell`` says, before and after the work. Each time a chain is read from one endpoint, as
    long as that answers.

    For ``deaf_s`` of a pause the bell waits. Whatever the work raises is logged as ``trouble``, and is tried again
    after a pause that doubles up to 30 s, and is short again after work that went well for longer than that.
    """
    failures, now = 0, asyncio.get_running_loop().time
    while not stop.is_set():
        if (bell := next_bell()) is not None:
            bell.clear()
        began = now()
        try:
            with reading():
                pause = await work()
        except Exception as error:
            failures = 0 if now() - began > _LONGEST_PAUSE_S else failures
            pause, events = min(_FIRST_PAUSE_S * 2**failures, _LONGEST_PAUSE_S), [stop]
            failures = min(failures + 1, 10)
            _log.warning(trouble, **about, reason=_reason(error), retry_in_s=pause)
        else:
            failures, events = 0, [event for event in (stop, next_bell()) if event is not None]
        if deaf := min(pause, deaf_s):
            await _sleep(deaf, [stop])
        if pause > deaf or not pause:
            await _sleep(pause - deaf, events)


def _reason(error: Exception) -> str:
    """Put a failure into one line; a database error's own text would carry whole statements."""
    cause = driver_error(error)
    return f"{type(cause).__name__}: {cause}".splitlines()[0][:300]


async def _sleep(seconds: float, events: Sequence[asyncio.Event]) -> None:
    """Sleep, but not beyond any of the events; with 0 seconds only give others a turn."""
    if seconds == 0:
        await asyncio.sleep(0)
    else:
        await first_of(seconds, *events)


async def unless(stop: asyncio.Event, work: Coroutine[Any, Any, None]) -> None:
    """Do work to its end, or until ``stop`` is set: then it is cancelled, and awaited. What it raises is raised."""
    working, stopping = asyncio.ensure_future(work), asyncio.ensure_future(stop.wait())
    try:
        await asyncio.wait((working, stopping), return_when=asyncio.FIRST_COMPLETED)
        if working.done():
            await working
    finally:
        working.cancel()
        stopping.cancel()
        await asyncio.gather(working, stopping, return_exceptions=True)
