"""A chain's newest block with the pools used for quotes, kept up to date while there are requests.

Requests do not wait for a node: a task follows the chain and reads the recently requested pools as soon as there is a
new block. After a while without requests it ends, and the node is not called any more.
"""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass

from rhumbline.domain.errors import NodeRefused, NodeUnavailable
from rhumbline.gateways.nodes.heads import Heads
from rhumbline.gateways.upstreams.joined_calls import JoinedCalls
from rhumbline.liquidity.block_reads import HeadGone
from rhumbline.liquidity.kinds.pool_state import PoolState
from rhumbline.liquidity.kinds.pools import Pool
from rhumbline.liquidity.snapshots import PoolBook, Snapshot

MOST_HOT = 400
RETRY_S = 5.0
_FAULTS = (HeadGone, NodeRefused, NodeUnavailable)


@dataclass(frozen=True, slots=True)
class LiveRules:
    """How old a block may be that quotes are made of, in seconds since it was last seen to be the newest.

    ``fresh_s`` 0 asks the node for each quote. Where the block is older a quote waits ``wait_s`` for a newer one, and
    where it is older than ``oldest_s`` as long as it takes. Pools are followed for ``hot_s`` after they were asked for.
    """

    fresh_s: float = 2.0
    wait_s: float = 0.3
    oldest_s: float = 6.0
    hot_s: float = 300.0


NEWEST = LiveRules(fresh_s=0)
"""Ask the node for each quote."""


class LiveSnapshot:
    """Follows one chain. ``seconds`` is a monotonic clock; ``heads``, if any, announces new blocks."""

    def __init__(
        self,
        book: PoolBook,
        seconds: Callable[[], float],
        rules: LiveRules,
        heads: Heads | None = None,
    ) -> None:
        self._book, self._seconds, self._rules, self._heads = book, seconds, rules, heads
        self._current: Snapshot | None = None
        self._seen_at = self._asked_at = -float("inf")
        self._hot: dict[str, tuple[Pool, float]] = {}
        self._refreshing = JoinedCalls()
        self._following: asyncio.Task[None] | None = None
        self._listening: asyncio.Task[None] | None = None

    async def snapshot(self) -> Snapshot:
        """Return the block that a quote is made of; raise HeadGone, NodeUnavailable or RpcError without one."""
        if self._rules.fresh_s <= 0:
            return await self._book.newest()
        self._asked_at = self._seconds()
        self._begin()
        current = self._current
        if current is not None and self._is_seen_within(self._rules.fresh_s, current):
            return current
        with self._refreshing.join(None, self._refresh) as refreshed:
            if current is None or not self._is_seen_within(self._rules.oldest_s, current):
                newest: Snapshot = await refreshed
                return newest
            with suppress(TimeoutError, *_FAULTS):
                async with asyncio.timeout(self._rules.wait_s):
                    current = await refreshed
        return current

    async def states(self, snapshot: Snapshot, pools: Sequence[Pool]) -> dict[str, PoolState | None]:
        """Return the pools' states at a block, and follow these pools from now on; raises as ``snapshot``."""
        if self._rules.fresh_s > 0:
            now = self._seconds()
            self._hot |= {pool.key: (pool, now) for pool in pools}
        return await self._book.states(snapshot, pools)

    async def close(self) -> None:
        """End following."""
        tasks = [task for task in (self._following, self._listening) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _is_seen_within(self, seconds: float, current: Snapshot) -> bool:
        announced = self._heads is not None and self._heads.newest_is(current.head.number)
        return announced or self._seconds() - self._seen_at <= seconds

    def _begin(self) -> None:
        if self._following is None or self._following.done():
            self._following = asyncio.create_task(self._follow())
        if self._heads is not None and (self._listening is None or self._listening.done()):
            self._listening = asyncio.create_task(self._listen(self._heads))

    @property
    def _is_wanted(self) -> bool:
        return self._seconds() - self._asked_at < self._rules.hot_s

    async def _follow(self) -> None:
        while self._is_wanted:
            await self._next_look()
            with suppress(*_FAULTS), self._refreshing.join(None, self._refresh) as refreshed:
                await refreshed
        self._hot.clear()

    async def _next_look(self) -> None:
        """Wait until there may be a new block: it is announced, or half the time has passed for which one is fresh."""
        heads, pause = self._heads, self._rules.fresh_s / 2
        if heads is None or not heads.announces:
            await asyncio.sleep(pause)
            return
        if self._current is not None and heads.newest_is(self._current.head.number):
            pause = RETRY_S
        with suppress(TimeoutError):
            await asyncio.wait_for(heads.bell.wait(), pause)
        heads.bell.clear()

    async def _listen(self, heads: Heads) -> None:
        while self._is_wanted:
            with suppress(NodeRefused, NodeUnavailable):
                await heads.listen(lambda: self._is_wanted)
            await asyncio.sleep(RETRY_S)

    async def _refresh(self) -> Snapshot:
        asked_at = self._seconds()
        self._current = await self._book.newest(self._hot_pools(asked_at))
        self._seen_at = asked_at
        return self._current

    def _hot_pools(self, now: float) -> tuple[Pool, ...]:
        """Return the recently requested pools, latest first, and forget the rest."""
        latest = sorted(self._hot.items(), key=lambda each: -each[1][1])[:MOST_HOT]
        self._hot = {key: hot for key, hot in latest if now - hot[1] < self._rules.hot_s}
        return tuple(pool for pool, _ in self._hot.values())
