"""The pools of one chain: found, read at one block, and an order split over them."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from rhumbline.domain.errors import BelowMinimum, NoRoute
from rhumbline.domain.quote import QuoteRequest
from rhumbline.gateways.nodes.evm.rpc import EvmRpc
from rhumbline.liquidity.block_reads import Head
from rhumbline.liquidity.deployments import Deployment, anchors_of
from rhumbline.liquidity.discovery import PoolFinder
from rhumbline.liquidity.kinds.v3 import V3Pool
from rhumbline.liquidity.market import Hop, Market
from rhumbline.liquidity.paths import connects, pairs_on, smallest, token_paths
from rhumbline.liquidity.plan import Plan, Terms, find_plan
from rhumbline.liquidity.state import PoolBook

MOST_WIDENINGS = 12


@dataclass(frozen=True, slots=True)
class Split:
    """Hops in the order of their execution, exact for the states of ``market`` at ``head``."""

    hops: tuple[Hop, ...]
    output: int
    market: Market
    head: Head


class Liquidity:
    """Answers orders on one chain. ``seconds`` is a monotonic clock."""

    def __init__(self, rpc: EvmRpc, deployment: Deployment, seconds: Callable[[], float]) -> None:
        self._deployment = deployment
        self._book = PoolBook(rpc, deployment, seconds)
        self._finder = PoolFinder(rpc, deployment, seconds)

    async def split(self, request: QuoteRequest, origin: str, destination: str, *, forks: bool) -> Split:
        """Return the best of a split and a single path, their gas taken off; ``forks`` as ``Terms`` has it.

        Raise NoRoute, BelowMinimum, HeadGone, NodeUnavailable or RpcError.
        """
        paths = token_paths(origin, destination, anchors_of(self._deployment))
        head, pools = await asyncio.gather(self._book.head(), self._finder.find(pairs_on(paths)))
        market = Market(pools, await self._book.states(head, [pool for each in pools.values() for pool in each]))
        native = self._deployment.wrapped_native.address
        terms = Terms(origin, destination, request.amount, native, head.base_fee, forks)
        plan = await self._plan(market, head, terms, paths)
        if plan is None:
            symbols = f"{request.origin_token.symbol} and {request.destination_token.symbol}"
            if connects(market, paths):
                raise NoRoute(f"no path of pools between {symbols} takes this amount")
            raise NoRoute(f"no path of pools joins {symbols}")
        if not plan.output:
            raise BelowMinimum("the output would be less than one unit", smallest(market, paths, request.amount))
        return Split(plan.hops, plan.output, market, head)

    async def _plan(self, market: Market, head: Head, terms: Terms, paths: tuple[tuple[str, ...], ...]) -> Plan | None:
        """Read more ticks until the search stays within those that are known."""
        found = find_plan(market, terms, paths)
        for _ in range(MOST_WIDENINGS):
            short = [(pool, market.states[pool.address], direction) for pool, direction in found.short]
            wanted = [(pool, state, direction) for pool, state, direction in short if isinstance(state, V3Pool)]
            if not wanted:
                break
            market.states.update(await self._book.widen(head, wanted))
            found = find_plan(market, terms, paths)
        return found.plan
