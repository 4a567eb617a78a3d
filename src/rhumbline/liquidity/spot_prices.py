"""Where a search for prices begins: what tokens are worth at the pools' prices before any trade."""

from collections.abc import Iterable
from heapq import heappop, heappush
from math import exp

from rhumbline.liquidity.dual import Edge

_NEARBY = 1e-5
"""How far from a pool's price it is seen how deep it is: half a basis point and less."""


def spot_logs(edges: Iterable[Edge], destination: int) -> dict[int, float]:
    """Return the logarithm of each token's price in the destination; only if reached.

    From the tokens that have one, always through the pool where most can be traded next to its price.
    """
    near: dict[int, list[Edge]] = {}
    for edge in edges:
        near.setdefault(edge.token0, []).append(edge)
        near.setdefault(edge.token1, []).append(edge)
    logs: dict[int, float] = {}
    queue = [(0.0, 0, destination, 0.0)]
    while queue:
        *_, token, log = heappop(queue)
        if token in logs:
            continue
        logs[token] = log
        for edge in near.get(token, ()):
            forward = edge.ladders[0]
            step = -2 * (forward.start - forward.half_fee)
            other, theirs = (edge.token1, log - step) if token == edge.token0 else (edge.token0, log + step)
            if other not in logs:
                depth = forward.trade(forward.start + _NEARBY)[0] * exp(theirs if other == edge.token0 else log)
                heappush(queue, (-depth, len(queue), other, theirs))
    return logs
