"""Of a pair with many pools the deepest are read at every block."""

from fractions import Fraction

from rhumbline.liquidity.kinds.pool_state import PoolState
from rhumbline.liquidity.kinds.pools import Pool, PoolKind
from rhumbline.liquidity.kinds.v2 import V2State
from rhumbline.liquidity.kinds.v3 import V3Pool, V3State
from rhumbline.liquidity.market import Market
from rhumbline.liquidity.ranking import MOST_POOLS, RANK_AGAIN_S, PoolRanking

PAIR = ("0x" + "11" * 20, "0x" + "22" * 20)
MANY = tuple(Pool(PoolKind.V2, f"0x{number:040x}", *PAIR, 3000) for number in range(MOST_POOLS + 8))


def test_the_deepest_are_kept_for_a_while() -> None:
    now = [0.0]
    ranking = PoolRanking(lambda: now[0])
    found = {PAIR: MANY}
    assert ranking.chosen(found) == found
    states: dict[str, PoolState | None] = {
        pool.key: V2State(10**18 * (1 + number), 10**18 * (1 + number)) for number, pool in enumerate(MANY)
    }
    states[MANY[-1].key] = None
    states[MANY[-2].key] = V2State(0, 10**30)
    ranking.learn(Market(found, states))
    assert ranking.chosen(found)[PAIR] == tuple(reversed(MANY[6 : 6 + MOST_POOLS]))
    assert ranking.chosen({PAIR: MANY[:-1]})[PAIR] == MANY[:-1], "with other pools it is ranked anew"
    now[0] = RANK_AGAIN_S
    assert ranking.chosen(found) == found


def test_what_lies_far_from_the_price_is_not_deep() -> None:
    """A range away from the price, and one that ends at once, have less near the price than a small pair."""
    ranking = PoolRanking(lambda: 0.0)
    far = V3Pool(V3State(500, 10, 2**96, 0, 0, {5000: 10**30, 6000: -(10**30)}, -4, 3))
    narrow = V3Pool(V3State(500, 10, 2**96, 0, 10**19, {-10: 10**19, 10: -(10**19)}, -4, 3))
    small = [V2State(10**18 + number, 10**18) for number in range(len(MANY) - 2)]
    states: dict[str, PoolState | None] = dict(zip((pool.key for pool in MANY), [far, narrow, *small], strict=True))
    assert far.spot(True) == Fraction(1)
    ranking.learn(Market({PAIR: MANY}, states))
    kept = ranking.chosen({PAIR: MANY})[PAIR]
    assert MANY[0] not in kept
    assert MANY[1] not in kept


def test_a_pair_with_few_pools_is_read_whole() -> None:
    ranking = PoolRanking(lambda: 0.0)
    few = {PAIR: MANY[:MOST_POOLS]}
    ranking.learn(Market(few, {pool.key: V2State(1, 1) for pool in MANY}))
    assert ranking.chosen(few) == few
