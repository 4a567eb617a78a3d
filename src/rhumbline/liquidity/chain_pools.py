"""The pools of one chain for all who need them: quotes, which follow the chain, and prices, which only look."""

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from rhumbline.gateways.nodes.evm.rpc import EvmRpc
from rhumbline.gateways.nodes.heads import Heads
from rhumbline.liquidity.deployments import Deployment
from rhumbline.liquidity.discovery import PoolFinder, PoolStore
from rhumbline.liquidity.kinds.pools import Pair
from rhumbline.liquidity.live_snapshot import NEWEST, LiveRules, LiveSnapshot
from rhumbline.liquidity.market import Market
from rhumbline.liquidity.ranking import PoolRanking
from rhumbline.liquidity.snapshots import PoolBook, Snapshot


@dataclass(frozen=True, slots=True)
class ChainPools:
    """How one chain's pools are found, read and followed."""

    name: str
    deployment: Deployment
    book: PoolBook
    finder: PoolFinder
    live: LiveSnapshot
    ranking: PoolRanking

    async def quotable(self, pairs: Iterable[Pair], *, routed: bool) -> tuple[Snapshot, Market]:
        """Return the pools of pairs at the block used for quotes; ``routed``: those that SwapRouter02 knows.

        Raise HeadGone, NodeUnavailable or RpcError.
        """
        snapshot, found = await asyncio.gather(self.live.snapshot(), self.finder.find(pairs))
        if routed:
            keys = self.finder.routed()
            found = {pair: tuple(pool for pool in pools if pool.source in keys) for pair, pools in found.items()}
        chosen = self.ranking.chosen(found)
        pools = [pool for each in chosen.values() for pool in each]
        market = Market(chosen, await self.live.states(snapshot, pools))
        self.ranking.learn(market)
        return snapshot, market

    async def seen(self, pairs: Iterable[Pair]) -> Market:
        """Return the pools of pairs at the newest block, and follow none for it; raises as ``quotable``."""
        snapshot, found = await asyncio.gather(self.book.newest(), self.finder.find(pairs))
        return Market(found, await self.book.states(snapshot, [pool for each in found.values() for pool in each]))

    async def close(self) -> None:
        """End what goes on behind those who ask."""
        await self.live.close()
        await self.finder.close()


def chain_pools(
    rpc: EvmRpc,
    deployment: Deployment,
    seconds: Callable[[], float],
    rules: LiveRules = NEWEST,
    store: PoolStore | None = None,
    heads: Heads | None = None,
) -> ChainPools:
    """Put one chain's pools together; ``seconds`` is a monotonic clock."""
    book = PoolBook(rpc, deployment, seconds)
    finder = PoolFinder(rpc, deployment, seconds, store=store)
    return ChainPools(
        rpc.name, deployment, book, finder, LiveSnapshot(book, seconds, rules, heads), PoolRanking(seconds)
    )
