"""Keeps the chains followed as long as the process lives, whatever fails meanwhile."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.gateways.postgres.failures import DATABASE_ERRORS
from rhumbline.gateways.postgres.leases import FREED, Leases
from rhumbline.gateways.postgres.notices import Notices
from rhumbline.tracking.cadence import Pace
from rhumbline.tracking.chain_types import ChainIndexer, HeadAnnouncements, WalletCallSearch
from rhumbline.tracking.enrichment import Enricher
from rhumbline.tracking.issued_transactions import IssuedTransactions
from rhumbline.tracking.leadership import BUILDS, Challenge, Loop, lease_name, process_lease
from rhumbline.tracking.loops import (
    FIRST_PAUSE_S,
    LONGEST_REST_S,
    LeasedWork,
    bell_of,
    doubted,
    keep_on,
    longest_rest_s,
    no_bell,
    ringing,
    unless,
)
from rhumbline.tracking.status_worker import StatusWorker
from rhumbline.tracking.topics import completion, handed_out

LOOK_FOR_LEAD_S = 1.0
"""How often loops that wait for another's lease check; they ask the store only when it may be free."""
LOOK_FOR_ENDED_S = 2.0
"""How often a process looks for claims of processes that are gone."""
_TIDY_EVERY_S = 3600.0


@dataclass(frozen=True, slots=True)
class Tracker:
    """One chain's work: reading its events, then completing the records. ``poll_s`` is the pause at the head.

    Records are completed beside that when there are new ones or one is to be tried again, and ``wallet_calls``, where
    there are any, are looked for when blocks were taken in: neither holds up the events, and none works on a clock.

    With ``heads`` the pause ends when one is announced, and lasts 20 s as long as all are; no look follows
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
        added = bell_of(notices, lambda told: told == topic)
        sent = handed_out(chain.id)
        awaited = bell_of(notices, lambda told: told == sent)
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
            return FIRST_PAUSE_S

        async def complete() -> float:
            if not await leases.take(completing):
                return LOOK_FOR_LEAD_S
            rest_s = 0.0
            if not await self.enricher.enrich():
                rest_s = min(await self.enricher.due_in_s() or self.poll_s, longest_rest_s(notices, self.poll_s))
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
            led = partial(doubted, leases)
            group.create_task(
                keep_on(led(events, take), stop, head_bell, "tracking interrupted", self.poll_s, chain=chain.key)
            )
            if self.heads is not None:
                group.create_task(keep_on(hear, stop, no_bell, "heads not announced", chain=chain.key))
            group.create_task(
                keep_on(led(completing, complete), stop, ringing(added), "records not completed", chain=chain.key)
            )
            if self.wallet_calls is not None:
                group.create_task(
                    keep_on(led(seeking, look), stop, ringing(moved), "calls of wallets not seen", chain=chain.key)
                )

    def _is_idle(self, notices: Notices | None) -> bool:
        """Return whether no transaction is awaited, and somebody would tell of one."""
        return self.pace is not None and not self.pace.awaits and notices is not None and notices.hears

    def _rest_s(self, notices: Notices | None) -> float:
        if self.pace is not None and self._is_idle(notices):
            return self.pace.cadence.idle_rest_s(announced=self.heads is not None and self.heads.announces)
        if self.heads is not None and self.heads.newest_is(self.indexer.head):
            return max(self.poll_s, LONGEST_REST_S)
        return self.poll_s if self.pace is None else self.pace.rest_s(self.indexer.head)


@dataclass(frozen=True, slots=True)
class TransferTracker:
    """The work for transfers after they were seen: polling their bridges, and deleting those never sent.

    A bridge is asked when a transfer of it is new or due; ``poll_s`` is the pause where nobody tells of new ones.
    Nothing is forgotten while ``clock_is_off`` says that the process's own clock is not the store's. Bridges are asked
    only while the process has its own lease, by which others know that it lives and what it claims is claimed.
    """

    worker: StatusWorker
    builds: IssuedTransactions
    poll_s: float
    clock_is_off: Callable[[], bool] = lambda: False

    async def run(self, leases: Leases, stop: asyncio.Event, notices: Notices | None = None) -> None:
        """Work until ``stop`` is set, as a tracker does. Every worker may do so: what is due is claimed."""
        own, turn = process_lease(leases.holder), asyncio.Lock()
        bells = {queue: bell_of(notices, partial(self.worker.concerns, queue)) for queue in self.worker.queues}

        async def lives() -> bool:
            async with turn:
                if not leases.holds(own) and not await leases.take(own):
                    return False
            leases.vouch(own, float("inf"))
            return True

        async def forget() -> float:
            if self.clock_is_off() or not await leases.take(BUILDS):
                return LONGEST_REST_S
            rest_s = 0.0 if await self.builds.forget(leases.fence(BUILDS)) else _TIDY_EVERY_S
            leases.vouch(BUILDS, rest_s)
            return rest_s

        async def take_over() -> float:
            if await lives() and await self.worker.free_ended():
                for bell in bells.values():
                    bell.set()
            return LOOK_FOR_ENDED_S

        async def ask(queue: str) -> float:
            if not await lives():
                return LOOK_FOR_LEAD_S
            if await self.worker.poll(queue):
                return 0.0
            # What is due and was not claimed is being asked about by another worker.
            return min(await self.worker.due_in_s(queue) or self.poll_s, longest_rest_s(notices, self.poll_s))

        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(keep_on(take_over, stop, no_bell, "claims not taken over"))
                # Each at its own pace, so that one that is slow holds up no other.
                for queue, bell in bells.items():
                    work = partial(ask, queue)
                    group.create_task(keep_on(work, stop, ringing(bell), "bridge not asked", bridge=queue or "others"))
                group.create_task(keep_on(doubted(leases, BUILDS, forget), stop, no_bell, "builds not forgotten"))
        finally:
            # Where the store cannot be reached, others free them.
            with suppress(*DATABASE_ERRORS):
                await self.worker.free_own()


async def run_trackers(
    trackers: Sequence[Tracker],
    engine: AsyncEngine,
    stop: asyncio.Event,
    transfers: TransferTracker | None = None,
    leases: Leases | None = None,
    notices: Notices | None = None,
    others: Sequence[LeasedWork] = (),
) -> None:
    """Follow every chain, and all transfers, until ``stop`` is set or this is cancelled; then give up the leases.

    ``leases`` are those by which the writes of the trackers are fenced; ``notices`` are received meanwhile, and
    ``others`` is work beside the trackers'.
    """
    leases, notices = leases or Leases(engine), notices or Notices(engine)
    try:
        async with asyncio.TaskGroup() as group:
            group.create_task(notices.run(stop), name="notices")
            group.create_task(leases.run(stop, notices.bell(lambda topic: topic == FREED)), name="leases")
            for tracker in trackers:
                name = f"tracking-{tracker.indexer.chain.key}"
                group.create_task(tracker.run(leases, stop, notices), name=name)
            if transfers is not None:
                group.create_task(transfers.run(leases, stop, notices), name="transfers")
            for other in others:
                group.create_task(other.run(leases, stop, notices), name=type(other).__name__)
            try:
                await stop.wait()
            finally:
                # A task whose cancellation met the end of a time limit may have heard of the latter alone.
                stop.set()
    finally:
        await leases.release()
