"""Which pools of a pair are worth reading at every block: the deepest."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from rhumbline.liquidity.kinds.pool_state import PoolState
from rhumbline.liquidity.kinds.pools import Pair, Pool
from rhumbline.liquidity.kinds.unswappable import Unswappable
from rhumbline.liquidity.market import Market

MOST_POOLS = 12
RANK_AGAIN_S = 600.0
_NEAR = 0.01
"""Half the logarithm of 1.02: depth is the amount sold until the price has moved by 2 %."""


@dataclass(frozen=True, slots=True)
class _Ranked:
    found: tuple[Pool, ...]
    kept: tuple[Pool, ...]
    at: float


class PoolRanking:
    """Ranks the pools of pairs that have many. ``seconds`` is a monotonic clock."""

    def __init__(self, seconds: Callable[[], float]) -> None:
        self._seconds = seconds
        self._ranked: dict[Pair, _Ranked] = {}

    def chosen(self, found: Mapping[Pair, tuple[Pool, ...]]) -> dict[Pair, tuple[Pool, ...]]:
        """Return the pools to read: of a pair that was ranked lately its deepest, of another all that were found."""
        return {pair: self._chosen(pair, pools) for pair, pools in found.items()}

    def learn(self, market: Market) -> None:
        """Rank the pairs of which more pools were read than are kept."""
        now = self._seconds()
        for pair, pools in market.pools.items():
            if len(pools) > MOST_POOLS:
                depths = {pool.key: _depth(market.states[pool.key]) for pool in pools}
                kept = sorted(pools, key=lambda pool: -depths[pool.key])[:MOST_POOLS]
                self._ranked[pair] = _Ranked(pools, tuple(kept), now)

    def _chosen(self, pair: Pair, pools: tuple[Pool, ...]) -> tuple[Pool, ...]:
        ranked = self._ranked.get(pair)
        if ranked is None or ranked.found != pools or self._seconds() - ranked.at >= RANK_AGAIN_S:
            return pools
        return ranked.kept


def _depth(state: PoolState | None) -> float:
    """Raw units of token1 that a pool gives until its price has moved by 2 %; the same for all pools of a pair."""
    if state is None:
        return -1.0
    try:
        ladder = state.ladder(True)
        return ladder.trade(ladder.start + _NEAR)[1]
    except Unswappable:
        return -1.0
