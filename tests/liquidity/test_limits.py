"""Plans keep to every limit, and what is left of them is still a plan."""

from itertools import pairwise

import pytest

from rhumbline.liquidity import limits
from rhumbline.liquidity.kinds.curve import CurveState
from rhumbline.liquidity.kinds.pools import Pool, PoolKind
from rhumbline.liquidity.limits import is_within, size_of
from rhumbline.liquidity.market import Hop, Market, contract_of
from rhumbline.liquidity.plan import Terms, find_plan
from tests.liquidity.made_market import made_market, token
from tests.liquidity.test_plan import found, planned

ROW = [(token(a), token(b)) for a, b in pairwise(range(8))]


@pytest.mark.parametrize(
    ("name", "value"), [("MOST_POOLS", 3), ("MOST_IN_A_ROW", 2), ("MOST_GAS", 250_000), ("MOST_BYTES", 1_100)]
)
def test_a_plan_is_cut_to_each_limit(monkeypatch: pytest.MonkeyPatch, name: str, value: int) -> None:
    market, usd = made_market(0)
    whole = planned(found(market, usd, 1e6, 0.0))
    monkeypatch.setattr(limits, name, value)
    assert not is_within(market, whole.hops)
    cut = planned(found(market, usd, 1e6, 0.0))
    assert is_within(market, cut.hops)
    assert cut.output < whole.output
    assert cut.output > whole.output * 0.9
    assert cut.bound == whole.bound, "the bound is of all pools"


def test_ways_are_counted_through_each_hop() -> None:
    def hop(a: str, b: str) -> Hop:
        return Hop(Pool(PoolKind.V2, a + b, a, b), a, b, 1, 1)

    market = Market({}, {})
    assert max(limits._ways([hop(*pair) for pair in ROW])) == 7
    beside = [hop("a", "b"), hop("a", "c"), hop("b", "c"), hop("c", "d")]
    assert limits._ways(beside) == [3, 2, 3, 3]
    assert market.pools == {}


def test_a_plan_s_size_is_at_least_that_of_its_packed_form() -> None:
    market, usd = made_market(1)
    plan = planned(found(market, usd, 1e6, 0.0))
    assert size_of(plan.hops) == 900 + 27 * len(plan.hops) + 2 * _pairs(plan.hops) + 20 * len(
        {name for each in plan.hops for name in (each.token_in, each.token_out)}
    )


def _pairs(hops: tuple[Hop, ...]) -> int:
    return sum(hop.pool.kind is PoolKind.V2 for hop in hops)


def test_edges_of_one_contract_are_used_one_at_a_time() -> None:
    """Three coins in one pool, and through the third as good as straight: a second trade would find another state."""
    rates, balances, address = (10**18,) * 3, (10**24, 10**24, 10**24), token(0x99)
    pools, states = {}, {}
    for one, other in ((0, 1), (0, 2), (1, 2)):
        pool = Pool(PoolKind.CURVE, address, token(one), token(other), id=f"{address}/{one}/{other}/3")
        pools[pool.token0, pool.token1] = (pool,)
        states[pool.key] = CurveState(20_000, 1_000_000, 20_000_000_000, rates, balances, one, other)
    market = Market(pools, dict(states))
    terms = Terms(token(0), token(1), 10**23, token(0), 0, forks=True)
    paths = [(token(0), token(2), token(1)), (token(0), token(1))]
    plan = planned(find_plan(market, terms, paths))
    assert [hop.pool.id for hop in plan.hops] == [f"{address}/0/1/3"]
    assert planned(find_plan(market, terms, paths[1:])).hops == plan.hops
    assert find_plan(Market({pair: pools[pair] for pair in list(pools)[1:]}, dict(states)), terms, paths).plan is None


def test_v4_s_pools_are_each_for_themselves() -> None:
    one, other = (Pool(PoolKind.V4, token(9), token(0), token(1), id=f"0x{number:064x}") for number in (1, 2))
    assert contract_of(one) != contract_of(other)
    assert contract_of(Pool(PoolKind.CURVE, token(9), token(0), token(1), id="a")) == token(9)
