"""The search of Uniswap's smart-order-router: every path at 5 %, 10 %, …, then the best of their sums.

Source, read 2026-11: smart-order-router, src/routers/alpha-router/functions/best-swap-route.ts. Paths have three
hops at the most, at most seven are combined, and no two share a pool.
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

from rhumbline.liquidity.kinds.unswappable import Unswappable
from rhumbline.liquidity.market import Hop, Market
from rhumbline.liquidity.pools import Pool

STEP = 5
MOST_HOPS = 3
MOST_PATHS = 7


@dataclass(frozen=True, slots=True)
class Part:
    """A share of the order along one path; ``net`` in raw units of the destination token."""

    percent: int
    net: float
    pools: frozenset[Pool]


def grid_search(market: Market, origin: str, destination: str, amount: int, gas_cost: float) -> float | None:
    """Return the best sum, gas taken off; None when no path takes the order."""
    pools = [pool for some in market.pools.values() for pool in some]
    paths = list(_paths(pools, origin, destination, (), frozenset({origin})))
    quotes: dict[int, list[Part]] = {}
    for percent in range(STEP, 101, STEP):
        quoted = (_quote(market, path, origin, amount * percent // 100, percent, gas_cost) for path in paths)
        quotes[percent] = sorted((part for part in quoted if part), key=lambda part: -part.net)
    best = quotes[100][0].net if quotes[100] else None
    queue: deque[tuple[tuple[Part, ...], int]] = deque(
        ((part,), 100 - percent) for percent in sorted(quotes, reverse=True) for part in quotes[percent][:2]
    )
    while queue:
        parts, rest = queue.popleft()
        if len(parts) == MOST_PATHS:
            continue
        used = frozenset[Pool]().union(*(part.pools for part in parts))
        for percent in range(min(parts[-1].percent, rest), 0, -STEP):
            found = next((part for part in quotes[percent] if not part.pools & used), None)
            if found is None:
                continue
            if percent == rest:
                total = sum(part.net for part in parts) + found.net
                best = total if best is None or total > best else best
            else:
                queue.append(((*parts, found), rest - percent))
    return best


def _paths(
    pools: list[Pool], token: str, destination: str, path: tuple[Pool, ...], seen: frozenset[str]
) -> Iterator[tuple[Pool, ...]]:
    if token == destination:
        yield path
    elif len(path) < MOST_HOPS:
        for pool in pools:
            if token in (pool.token0, pool.token1) and (other := pool.other(token)) not in seen:
                yield from _paths(pools, other, destination, (*path, pool), seen | {other})


def _quote(
    market: Market, path: tuple[Pool, ...], token: str, amount: int, percent: int, gas_cost: float
) -> Part | None:
    hops: list[Hop] = []
    for pool in path:
        try:
            hop = market.hop(pool, token, amount)
        except Unswappable:
            return None
        hops.append(hop)
        token, amount = hop.token_out, hop.amount_out
    gas = market.swap_gas(hops) * gas_cost if gas_cost else 0.0
    return Part(percent, amount - gas, frozenset(path))
