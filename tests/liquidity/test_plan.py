"""A plan adds up to the unit, stays below its bounds, and is never worse than the best single path."""

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhumbline.liquidity.kinds.pool_state import PoolState
from rhumbline.liquidity.kinds.v2 import V2State
from rhumbline.liquidity.market import Market
from rhumbline.liquidity.paths import best_path, token_paths
from rhumbline.liquidity.plan import Found, Plan, Terms, find_plan
from rhumbline.liquidity.pools import Pool, Version
from tests.liquidity.kinds.test_pool_state import KINDS
from tests.liquidity.kinds.test_v3 import amounts
from tests.liquidity.made_market import made_market, token

ROUNDED = 1 + 1e-9
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
    gas_cost = (plan.output - plan.net) / market.swap_gas(plan.hops)
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


@given(st.lists(st.tuples(st.sampled_from([(0, 1), (0, 5), (1, 5)]), st.one_of(*KINDS.values())), max_size=6), amounts)
def test_no_states_however_odd_break_the_search(pools: list[tuple[tuple[int, int], PoolState]], amount: int) -> None:
    """Prices that contradict each other by any factor, empty ranges, amounts from one unit to more than there is."""
    found: dict[tuple[str, str], tuple[Pool, ...]] = {}
    states: dict[str, PoolState | None] = {}
    for number, (places, state) in enumerate(pools):
        pair, address = (token(places[0]), token(places[1])), f"0x{number:040x}"
        version = Version.V2 if isinstance(state, V2State) else Version.V3
        found[pair] = (*found.get(pair, ()), Pool(version, address, *pair))
        states[address] = state
    for forks in (True, False):
        answer = find_plan(Market(found, states), Terms(token(0), token(5), amount, token(1), 10**9, forks), PATHS)
        if (plan := answer.plan) is not None and plan.output:
            assert sum(hop.amount_in for hop in plan.hops if hop.token_in == token(0)) == amount
            assert plan.output == sum(hop.amount_out for hop in plan.hops if hop.token_out == token(5))
