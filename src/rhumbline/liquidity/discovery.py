"""Which pools there are for a pair, asked of the factories that the deployment names, and remembered."""

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Protocol

from rhumbline.domain.errors import NodeRefused, NodeUnavailable, StoreUnavailable
from rhumbline.gateways.evm.abi import selector
from rhumbline.gateways.nodes.evm.multicall import Read, read_many
from rhumbline.gateways.nodes.evm.rpc import EvmRpc
from rhumbline.gateways.upstreams.joined_calls import JoinedCalls
from rhumbline.liquidity.deployments import Deployment
from rhumbline.liquidity.kinds.kind import PoolFacts, PoolLookup, address_in
from rhumbline.liquidity.kinds.pools import Pair, Pool, pair_of
from rhumbline.liquidity.kinds.registry import KINDS

NEW_POOLS_AFTER_S = 60.0
"""How long "there is no such pool" is trusted."""
WAIT_AFTER = 10
"""After this multiple of that time a request waits for the answer; before, the next request gets it."""
MOST_PAIRS = 10_000
_ROUTER_SAYS = ("WETH9()", "factoryV2()", "factory()")


class PoolStore(Protocol):
    """Keeps what pools were found of one chain, beyond the process."""

    async def load(self) -> Sequence[Pool]:
        """Return the pools of the sources that the deployment still has; raise StoreUnavailable."""

    async def save(self, pools: Sequence[Pool], /) -> None:
        """Store pools; existing ones stay unchanged. Raise StoreUnavailable."""


@dataclass(frozen=True, slots=True)
class _Found:
    pools: tuple[Pool, ...]
    asked_at: float
    every: bool


class PoolFinder:
    """Finds the pools of one chain. Existing pools are remembered forever, missing ones for a while.

    ``seconds`` is a monotonic clock; after ``new_pools_after_s`` missing pools are searched for again, while the known
    ones are used. ``store`` keeps them beyond the process.
    """

    def __init__(
        self,
        rpc: EvmRpc,
        deployment: Deployment,
        seconds: Callable[[], float],
        new_pools_after_s: float = NEW_POOLS_AFTER_S,
        store: PoolStore | None = None,
    ) -> None:
        self._rpc, self._deployment, self._seconds = rpc, deployment, seconds
        self._new_pools_after_s, self._store = new_pools_after_s, store
        self._router_says: tuple[str | None, ...] = ()
        self._known: dict[Pair, _Found] = {}
        self._loaded = store is None
        self._work = JoinedCalls()
        self._behind: set[asyncio.Task[object]] = set()

    async def find(self, pairs: Iterable[Pair]) -> Mapping[Pair, tuple[Pool, ...]]:
        """Return the pools of every pair at the newest block or before; raise NodeUnavailable or RpcError."""
        if not self._loaded:
            with self._work.join("store", self._load) as loading:
                await loading
        now, requested = self._seconds(), frozenset(pairs)
        known = {pair: found for pair in requested if (found := self._known.get(pair)) is not None}
        stale = {pair for pair, found in known.items() if self._is_older(found, now, 1)}
        waiting = requested.difference(known) | {pair for pair in stale if self._is_older(known[pair], now, WAIT_AFTER)}
        if waiting or not self._is_router_known:
            with self._work.join(waiting, lambda: self._ask(waiting)) as call:
                known |= await call
        if rest := frozenset(stale) - waiting:
            self._run_behind(self._ask_again(rest))
        return {pair: known[pair].pools for pair in sorted(requested)}

    def routed(self) -> frozenset[str]:
        """Return the sources whose pools the router trades with, by key, once pools were found.

        On several chains SwapRouter02 is older than the V2 factory and does not know it. Raise NodeUnavailable where
        there is no such router.
        """
        place = self._deployment
        wrapped, *factories = self._router_says or (None,)
        if wrapped != place.wrapped_native.address:
            name = f"{self._rpc.name}: there is no SwapRouter02 with this wrapped native"
            raise NodeUnavailable(f"{name} at {place.router}")
        return frozenset(source.key for source in place.sources if source.factory in factories)

    async def close(self) -> None:
        """End what still goes on behind the askers."""
        for task in self._behind:
            task.cancel()
        await asyncio.gather(*self._behind, return_exceptions=True)

    @property
    def _is_router_known(self) -> bool:
        return self._deployment.router is None or bool(self._router_says)

    def _is_older(self, found: _Found, now: float, times: int) -> bool:
        return not found.every and now - found.asked_at >= times * self._new_pools_after_s

    def _run_behind(self, work: "asyncio._CoroutineLike[object]") -> None:
        task: asyncio.Task[object] = asyncio.create_task(work)
        self._behind.add(task)
        task.add_done_callback(self._behind.discard)

    async def _load(self) -> None:
        """Load the stored pools, once; their pairs are searched for new pools when they are requested."""
        pools: dict[Pair, list[Pool]] = {}
        if self._store is not None:
            with suppress(StoreUnavailable):
                for pool in await self._store.load():
                    pools.setdefault(pair_of(pool.token0, pool.token1), []).append(pool)
        asked_at = self._seconds() - self._new_pools_after_s
        self._known |= {pair: _Found(tuple(each), asked_at, every=False) for pair, each in pools.items()}
        self._loaded = True

    async def _ask_again(self, pairs: frozenset[Pair]) -> None:
        with suppress(NodeRefused, NodeUnavailable), self._work.join(pairs, lambda: self._ask(pairs)) as call:
            await call

    async def _ask(self, pairs: frozenset[Pair]) -> Mapping[Pair, _Found]:
        """Ask the factories, and at first, in the same call, the router which factories it has."""
        asked_at, place = self._seconds(), self._deployment
        router = [] if place.router is None or self._router_says else _router_reads(place.router)
        lookups = [(pair, each) for pair in pairs for each in _lookups(place, pair)]
        reads = [*router, *(each.read for _, each in lookups)]
        answers = (await read_many(self._rpc, reads, place.multicall)).answers if reads else ()
        if router:
            self._router_says = tuple(map(address_in, answers[: len(router)]))
        pools: dict[Pair, list[Pool]] = {pair: [] for pair in pairs}
        most = dict.fromkeys(pairs, 0)
        more: list[tuple[Pair, PoolFacts]] = []
        for (pair, lookup), answer in zip(lookups, answers[len(router) :], strict=True):
            most[pair] += 1
            pool = lookup.pool(answer)
            if isinstance(pool, PoolFacts):
                more.append((pair, pool))
            elif pool is not None:
                pools[pair].append(pool)
        for pair, pool in await self._complete(more):
            pools[pair].append(pool)
        found = {pair: _Found(tuple(some), asked_at, len(some) == most[pair]) for pair, some in pools.items()}
        self._remember(found)
        return found

    async def _complete(self, more: Sequence[tuple[Pair, PoolFacts]]) -> list[tuple[Pair, Pool]]:
        """Ask what has to be known of pools before they are some."""
        reads = [read for _, facts in more for read in facts.reads]
        answers = iter((await read_many(self._rpc, reads, self._deployment.multicall)).answers if reads else ())
        found = [(pair, facts.pool([next(answers) for _ in facts.reads])) for pair, facts in more]
        return [(pair, pool) for pair, pool in found if pool is not None]

    def _remember(self, found: Mapping[Pair, _Found]) -> None:
        fresh = [
            pool
            for pair, each in found.items()
            for pool in each.pools
            if (known := self._known.get(pair)) is None or pool not in known.pools
        ]
        if len(self._known) + len(found) > MOST_PAIRS:
            self._known.clear()
        self._known |= found
        if fresh and self._store is not None:
            self._run_behind(self._save(self._store, fresh))

    async def _save(self, store: PoolStore, pools: Sequence[Pool]) -> None:
        with suppress(StoreUnavailable):
            await store.save(pools)


def _lookups(deployment: Deployment, pair: Pair) -> list[PoolLookup]:
    return [each for source in deployment.sources for each in KINDS[source.kind].lookups(source, pair)]


def _router_reads(router: str) -> list[Read]:
    return [Read(router, selector(name)) for name in _ROUTER_SAYS]
