"""The search of Uniswap's smart-order-router: every path at 5 %, 10 %, …, then the best of their sums.

Source, read 2026-11: smart-order-router, src/routers/alpha-router/functions/best-swap-route.ts. Paths have three
hops at the most, at most seven are combined, and no two share a pool.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rhumbline.liquidity.execution import hop_of_share, share_of
from rhumbline.liquidity.kinds.pools import Pool
from rhumbline.liquidity.kinds.unswappable import Unswappable
from rhumbline.liquidity.market import Hop, Market, contract_of

STEP = 5
MOST_HOPS = 3
MOST_PATHS = 7


@dataclass(frozen=True, slots=True)
class Part:
    """A share of the order along one path; ``net`` in raw units of the destination token."""

    percent: int
    net: float
    hops: tuple[Hop, ...]
    contracts: frozenset[str]


def grid_search(
    market: Market, pools: Sequence[Pool], origin: str, destination: str, amount: int, gas_cost: float
) -> tuple[Part, ...]:
    """Return the parts with the best sum, gas taken off; none when no path takes the order.

    ``gas_cost`` is in raw units of the destination token for a unit of gas.
    """
    paths = list(_paths(pools, origin, destination, (), frozenset({origin}), frozenset()))
    quotes: dict[int, list[Part]] = {}
    for percent in range(STEP, 101, STEP):
        quoted = (_quote(market, path, origin, amount * percent // 100, percent, gas_cost) for path in paths)
        quotes[percent] = sorted((part for part in quoted if part), key=lambda part: -part.net)
    best: tuple[Part, ...] = tuple(quotes[100][:1])
    queue: deque[tuple[tuple[Part, ...], int]] = deque(
        ((part,), 100 - percent) for percent in sorted(quotes, reverse=True) for part in quotes[percent][:2]
    )
    while queue:
        parts, rest = queue.popleft()
        if len(parts) == MOST_PATHS:
            continue
        used = frozenset[str]().union(*(part.contracts for part in parts))
        for percent in range(min(parts[-1].percent, rest), 0, -STEP):
            found = next((part for part in quotes[percent] if not part.contracts & used), None)
            if found is None:
                continue
            if percent < rest:
                queue.append(((*parts, found), rest - percent))
            elif not best or net_of((*parts, found)) > net_of(best):
                best = (*parts, found)
    return best


def net_of(parts: Sequence[Part]) -> float:
    return sum(part.net for part in parts)


def run_parts(market: Market, parts: Sequence[Part], amount: int) -> tuple[Hop, ...]:
    """Return the hops of a grid's answer, path after path; each takes the whole balance of its token at that moment."""
    hops: list[Hop] = []
    rest, shares = amount, 100
    # Pools of native itself first: what is sold to them must not be wrapped before.
    for part in sorted(parts, key=lambda part: not part.hops[0].pool.native):
        whole = part.percent == shares
        there, share = rest, 0 if whole else share_of(part.percent / shares)
        for place, planned in enumerate(part.hops):
            hop = hop_of_share(market, planned.pool, planned.token_in, there, share if place == 0 else 0)
            if hop is None:
                return ()
            rest -= hop.amount_in if place == 0 else 0
            there = hop.amount_out
            hops.append(hop)
        shares -= part.percent
    return tuple(hops)


def _paths(
    pools: Sequence[Pool],
    token: str,
    destination: str,
    path: tuple[Pool, ...],
    seen: frozenset[str],
    contracts: frozenset[str],
) -> Iterator[tuple[Pool, ...]]:
    if token == destination:
        yield path
    elif len(path) < MOST_HOPS:
        for pool in pools:
            if token not in (pool.token0, pool.token1) or contract_of(pool) in contracts:
                continue
            if (other := pool.other(token)) not in seen:
                used = contracts | {contract_of(pool)}
                yield from _paths(pools, other, destination, (*path, pool), seen | {other}, used)


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
    return Part(percent, amount - gas, tuple(hops), frozenset(map(contract_of, path)))
