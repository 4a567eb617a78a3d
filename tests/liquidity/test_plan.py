"""A plan adds up to the unit, stays below its bounds, and is never worse than the best single path."""

from collections import Counter
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhumbline.liquidity.kinds.curve import CurveState
from rhumbline.liquidity.kinds.pool_state import PoolState
from rhumbline.liquidity.kinds.pools import Pool, PoolKind
from rhumbline.liquidity.kinds.v2 import V2State
from rhumbline.liquidity.market import Market, contract_of
from rhumbline.liquidity.paths import best_path, token_paths
from rhumbline.liquidity.plan import Found, Plan, Terms, find_plan
from tests.liquidity.kinds.test_properties import KINDS
from tests.liquidity.kinds.test_v3 import amounts
from tests.liquidity.made_market import made_market, token

POOLS = st.one_of(*(kind.pools for kind in KINDS.values()))
ROUNDED, USD = 1 + 1e-9, 10**18
PATHS = token_paths(token(0), token(5), [token(number) for number in range(1, 5)])
CASES = [(seed, worth, gas_usd) for seed in range(3) for worth in (1e3, 1e6) for gas_usd in (0.0, 0.02, 2.0)]


def found(market: Market, usd: list[float], worth: float, gas_usd: float, *, forks: bool = True) -> Found:
    """Sell the first token for the sixth; ``gas_usd`` is what a swap of 70,000 gas costs."""
    price = int(gas_usd / 70_000 / usd[1])
    return find_plan(market, Terms(token(0), token(5), int(worth / usd[0]), token(1), price, forks), PATHS)


def planned(answer: Found) -> Plan:
    assert answer.plan is not None
    return answer.plan


@pytest.mark.parametrize(("seed", "worth", "gas_usd"), CASES)
@pytest.mark.parametrize("forks", [True, False])
def test_a_plan_adds_up_below_its_bounds(seed: int, worth: float, gas_usd: float, forks: bool) -> None:
    market, usd = made_market(seed)
    plan = planned(found(market, usd, worth, gas_usd, forks=forks))
    have = Counter({token(0): int(worth / usd[0])})
    for hop in plan.hops:
        assert hop.amount_out == market.state(hop.pool).output(hop.amount_in, hop.zero_for_one) > 0
        have[hop.token_in] -= hop.amount_in
        assert have[hop.token_in] >= 0, "no hop spends what has not come yet"
        have[hop.token_out] += hop.amount_out
    assert +have == Counter({token(5): plan.output})
    assert len({hop.pool for hop in plan.hops}) == len(plan.hops)
    if not forks:
        exits = Counter(hop.token_in for hop in plan.hops)
        assert all(count == 1 for name, count in exits.items() if name != token(0))
    assert plan.output <= plan.bound * ROUNDED
    assert plan.net <= plan.net_bound * ROUNDED


@pytest.mark.parametrize(("seed", "worth", "gas_usd"), CASES)
def test_a_plan_is_close_to_its_bound_and_above_the_best_single_path(seed: int, worth: float, gas_usd: float) -> None:
    market, usd = made_market(seed)
    plan = planned(found(market, usd, worth, gas_usd))
    gas_cost = plan.dual.gas_cost
    single = best_path(market, PATHS, int(worth / usd[0]), gas_cost)
    assert plan.net >= (single[-1].amount_out - market.swap_gas(single) * gas_cost) / ROUNDED
    if not gas_usd:
        assert 1 - plan.output / plan.bound < 5e-6


def test_gas_that_costs_more_than_a_split_gains_leaves_one_path() -> None:
    market, usd = made_market(0)
    free, dear = (planned(found(market, usd, 1e4, gas_usd)) for gas_usd in (0.0, 500.0))
    assert len(dear.hops) < len(free.hops)
    assert len({hop.token_in for hop in dear.hops}) == len(dear.hops)


def test_another_pool_never_lowers_the_bound() -> None:
    market, usd = made_market(2)
    bounds = []
    for count in range(1, 7):
        pools = {pair: some[:count] for pair, some in market.pools.items()}
        bounds.append(planned(found(Market(pools, market.states), usd, 1e6, 0.0)).bound)
    assert all(more >= less / ROUNDED for less, more in pairwise(bounds))


def test_what_no_pool_takes_has_no_plan() -> None:
    market, _ = made_market(1)
    assert find_plan(market, Terms(token(0), token(5), 10**45, token(1), 0), PATHS).plan is None
    assert find_plan(market, Terms(token(0), token(99), 10**18, token(1), 0), ()).plan is None


def test_pools_of_native_itself_come_first() -> None:
    """Who sells native sells it to them before the rest is wrapped."""
    pair = token(0), token(1)
    pools = [Pool(PoolKind.V2, token(number), *pair, native=number == 12) for number in range(10, 14)]
    market = Market({pair: tuple(pools)}, {pool.key: V2State(10**22, 10**22) for pool in pools})
    plan = find_plan(market, Terms(token(0), token(1), 10**20, token(0), 0, forks=True), [pair]).plan
    assert plan is not None
    assert sorted(hop.pool.key for hop in plan.hops) == [pool.key for pool in pools]
    assert [hop.pool.native for hop in plan.hops] == [True, False, False, False]
    assert [hop.share > 0 for hop in plan.hops] == [True, True, True, False]


@given(st.lists(st.tuples(st.sampled_from([(0, 1), (0, 5), (1, 5)]), POOLS), max_size=6), amounts)
def test_no_states_however_odd_break_the_search(pools: list[tuple[tuple[int, int], PoolState]], amount: int) -> None:
    """Prices that contradict each other by any factor, empty ranges, amounts from one unit to more than there is."""
    found: dict[tuple[str, str], tuple[Pool, ...]] = {}
    states: dict[str, PoolState | None] = {}
    for number, (places, state) in enumerate(pools):
        pair, address = (token(places[0]), token(places[1])), f"0x{number:040x}"
        kind = PoolKind.V2 if isinstance(state, V2State) else PoolKind.V3
        found[pair] = (*found.get(pair, ()), Pool(kind, address, *pair))
        states[address] = state
    for forks in (True, False):
        answer = find_plan(Market(found, states), Terms(token(0), token(5), amount, token(1), 10**9, forks), PATHS)
        if (plan := answer.plan) is not None and plan.output:
            assert sum(hop.amount_in for hop in plan.hops if hop.token_in == token(0)) == amount
            assert plan.output == sum(hop.amount_out for hop in plan.hops if hop.token_out == token(5))


def three_coins() -> Market:
    """A pool of three coins is three ways through the same balances; a pair beside it joins two of them."""
    state = CurveState(20_000, 10**6, 0, (USD,) * 3, (10**24, 2 * 10**24, 3 * 10**24), 0, 1)
    ways = [(0, 1), (0, 2), (1, 2)]
    pools = [
        Pool(PoolKind.CURVE, "0x" + "33" * 20, token(a), token(b), id=f"{'0x' + '33' * 20}/{a}/{b}/3") for a, b in ways
    ]
    states: dict[str, PoolState | None] = {
        pool.key: replace(state, index0=a, index1=b) for pool, (a, b) in zip(pools, ways, strict=True)
    }
    pair = Pool(PoolKind.V2, "0x" + "44" * 20, token(0), token(1))
    states[pair.key] = V2State(10**23, 10**23)
    found: dict[tuple[str, str], tuple[Pool, ...]] = {(pool.token0, pool.token1): (pool,) for pool in pools}
    found[token(0), token(1)] += (pair,)
    return Market(found, states)


@pytest.mark.parametrize("amount", [10**18, 10**22, 10**23, 10**24])
def test_no_plan_goes_twice_through_the_same_balances(amount: int) -> None:
    """A trade by one way changes what the others give, and what was planned would not be delivered."""
    terms = Terms(token(0), token(2), amount, token(1), 0, forks=True)
    plan = planned(find_plan(three_coins(), terms, token_paths(token(0), token(2), [token(1)])))
    assert len({contract_of(hop.pool) for hop in plan.hops}) == len(plan.hops)
    assert plan.output <= plan.bound * ROUNDED


def test_a_path_does_not_either_though_its_hops_would_be_the_best() -> None:
    market, path = three_coins(), (token(0), token(1), token(2))
    hops = best_path(market, [path], 10**20)
    assert [hop.pool.kind for hop in hops] == [PoolKind.V2, PoolKind.CURVE]
    assert hops[1].amount_in == hops[0].amount_out
    alone = {pair: tuple(each for each in pools if each.kind is PoolKind.CURVE) for pair, pools in market.pools.items()}
    market = Market(alone, market.states)
    assert not best_path(market, [path], 10**20)
    assert len(best_path(market, [path, (token(0), token(2))], 10**20)) == 1
