"""The best single path through the pools: direct, or through one or two anchor tokens.

In every pool more in gives more out, or less by no more than a fee's step, and the pairs of a path differ; so the best
path through given tokens is the best pool of each hop in turn, but for pools of several coins, used once in a path.
"""

from collections.abc import Iterable, Sequence
from itertools import pairwise, permutations

from rhumbline.liquidity.kinds.pools import Pair, pair_of
from rhumbline.liquidity.market import Hop, Market, contract_of

MOST_ANCHORS_ON_THE_WAY = 2


def token_paths(origin: str, destination: str, anchors: Iterable[str]) -> tuple[tuple[str, ...], ...]:
    """List the ways from one token to another, shortest first; addresses in EIP-55 form."""
    others = [anchor for anchor in anchors if anchor not in (origin, destination)]
    return tuple(
        (origin, *between, destination)
        for count in range(MOST_ANCHORS_ON_THE_WAY + 1)
        for between in permutations(others, count)
    )


def pairs_on(paths: Iterable[Sequence[str]]) -> frozenset[Pair]:
    return frozenset(pair_of(a, b) for path in paths for a, b in pairwise(path))


def connects(market: Market, paths: Iterable[Sequence[str]]) -> bool:
    """Tell whether there is any path whose hops all have pools."""
    return any(all(market.pools.get(pair_of(*hop)) for hop in pairwise(path)) for path in paths)


def best_path(market: Market, paths: Iterable[Sequence[str]], amount: int, gas_cost: float = 0.0) -> tuple[Hop, ...]:
    """Return the path with the largest output less its gas, at ``gas_cost`` raw units out for a unit of gas.

    Of equals the shorter; empty when no path takes the amount (as far as its ticks are known).
    """
    known: dict[tuple[str, str, int], Hop | None] = {}
    found = [hops for path in paths if (hops := _walk(market, path, amount, known))]
    worth = [(hops[-1].amount_out - gas_cost * (market.swap_gas(hops) if gas_cost else 0), hops) for hops in found]
    return max(worth, key=lambda each: (each[0], -len(each[1])), default=(0.0, ()))[1]


def smallest(market: Market, paths: Sequence[Sequence[str]], amount: int) -> int | None:
    """Return the smallest amount above ``amount`` that gives a raw unit out; None if none below 2^128 does."""

    def gives(amount: int) -> bool:
        hops = best_path(market, paths, amount)
        return bool(hops) and hops[-1].amount_out > 0

    low, high = amount, amount * 2
    while not gives(high):
        low, high = high, high * 2
        if high >> 128:
            return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if gives(middle) else (middle, high)
    return high


Banned = frozenset[tuple[str, str]]
"""Tokens with contracts that they are not to be sold to."""


def _walk(
    market: Market,
    path: Sequence[str],
    amount: int,
    known: dict[tuple[str, str, int], Hop | None],
    banned: Banned = frozenset(),
) -> tuple[Hop, ...]:
    hops: list[Hop] = []
    for token_in, token_out in pairwise(path):
        key, without = (token_in, token_out, amount), {contract for token, contract in banned if token == token_in}
        if not without and key not in known:
            known[key] = market.best_hop(*key)
        hop = market.best_hop(*key, without) if without else known[key]
        if hop is None:
            return ()
        if first := next((each for each in hops if contract_of(each.pool) == contract_of(hop.pool)), None):
            # Either of them goes another way.
            ways = [
                _walk(market, path, hops[0].amount_in, known, banned | {(each.token_in, contract_of(hop.pool))})
                for each in (first, hop)
            ]
            return max(ways, key=lambda way: way[-1].amount_out if way else 0)
        hops.append(hop)
        amount = hop.amount_out
        if not amount:
            break
    return tuple(hops)
