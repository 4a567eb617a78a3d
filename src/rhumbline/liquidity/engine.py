"""The pools of one chain: found, read at one block, and an order split over them."""

from dataclasses import dataclass, replace

import structlog

from rhumbline.domain.errors import BelowMinimum, NoRoute
from rhumbline.domain.quote import QuoteRequest
from rhumbline.liquidity.block_reads import Head
from rhumbline.liquidity.chain_pools import ChainPools
from rhumbline.liquidity.deployments import anchors_of
from rhumbline.liquidity.exact_output import find_input
from rhumbline.liquidity.kinds.v3 import V3Pool
from rhumbline.liquidity.market import Market
from rhumbline.liquidity.paths import connects, pairs_on, smallest, token_paths
from rhumbline.liquidity.plan import Found, Plan, Terms, find_plan
from rhumbline.liquidity.snapshots import Snapshot

MOST_WIDENINGS = 12


@dataclass(frozen=True, slots=True)
class Split:
    """A plan for ``terms`` that is exact for the states of ``market`` at ``head``."""

    terms: Terms
    plan: Plan
    market: Market
    head: Head


class Liquidity:
    """Answers orders on one chain."""

    def __init__(self, pools: ChainPools) -> None:
        self._pools = pools

    async def split(self, request: QuoteRequest, origin: str, destination: str, *, forks: bool) -> Split:
        """Return the best of a split and a single path, their gas taken off; ``forks`` as ``Terms`` has it.

        Raise NoRoute, BelowMinimum, HeadGone, NodeUnavailable or RpcError.
        """
        deployment = self._pools.deployment
        paths = token_paths(origin, destination, anchors_of(deployment))
        snapshot, market = await self._pools.quotable(pairs_on(paths), routed=not forks)
        native, head = deployment.wrapped_native.address, snapshot.head
        terms = Terms(origin, destination, request.amount, native, head.base_fee, forks)
        plan = await self._plan(market, snapshot, terms, paths)
        if plan is None:
            symbols = f"{request.origin_token.symbol} and {request.destination_token.symbol}"
            if connects(market, paths):
                raise NoRoute(f"no path of pools between {symbols} takes this amount")
            raise NoRoute(f"no path of pools joins {symbols}")
        if not plan.output:
            raise BelowMinimum("the output would be less than one unit", smallest(market, paths, request.amount))
        return Split(terms, plan, market, head)

    async def exact_output(
        self, request: QuoteRequest, origin: str, destination: str, target: int, *, forks: bool
    ) -> Split:
        """Return the plan with the least input that gives ``target`` raw units or a few more.

        ``request.amount`` does not count; the input is ``terms.amount`` of the answer. Raises as ``split`` does.
        """
        deployment = self._pools.deployment
        paths = token_paths(origin, destination, anchors_of(deployment))
        snapshot, market = await self._pools.quotable(pairs_on(paths), routed=not forks)
        terms = Terms(origin, destination, 0, deployment.wrapped_native.address, snapshot.head.base_fee, forks)
        needed, found = find_input(market, terms, target, paths)
        for _ in range(MOST_WIDENINGS):
            if not await self._widened(market, snapshot, found):
                break
            needed, found = find_input(market, terms, target, paths)
        if needed is None:
            symbols = f"{request.origin_token.symbol} and {request.destination_token.symbol}"
            raise NoRoute(f"no path of pools between {symbols} gives so much")
        return Split(replace(terms, amount=needed.input), needed.plan, market, snapshot.head)

    async def _plan(
        self, market: Market, snapshot: Snapshot, terms: Terms, paths: tuple[tuple[str, ...], ...]
    ) -> Plan | None:
        """Read more ticks until the search stays within the known ones."""
        found = find_plan(market, terms, paths)
        for _ in range(MOST_WIDENINGS):
            if not await self._widened(market, snapshot, found):
                break
            found = find_plan(market, terms, paths)
        if not found.balanced:
            structlog.get_logger().info("prices_not_balanced", origin=terms.origin, destination=terms.destination)
        return found.plan

    async def _widened(self, market: Market, snapshot: Snapshot, found: Found) -> bool:
        """Read more ticks of the pools that a search was short of; tell whether there were such."""
        short = [(pool, market.states[pool.key], direction) for pool, direction in found.short]
        ticked = [(pool, state, direction) for pool, state, direction in short if isinstance(state, V3Pool)]
        if ticked:
            market.states.update(await self._pools.book.widen(snapshot, ticked))
        return bool(ticked)
