"""Plans over every kind of pool: they add up, keep to limits and bounds, and the bound holds at any prices."""

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from math import exp

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhumbline.liquidity import dual
from rhumbline.liquidity.dual import Balance, Edge, Order, at_prices
from rhumbline.liquidity.kinds.pool_state import both_ladders
from rhumbline.liquidity.kinds.pools import Pool, PoolKind
from rhumbline.liquidity.kinds.unswappable import Unswappable
from rhumbline.liquidity.kinds.v2 import V2State
from rhumbline.liquidity.limits import is_within
from rhumbline.liquidity.market import Market
from rhumbline.liquidity.paths import token_paths
from rhumbline.liquidity.plan import Found, Terms, find_plan
from tests.liquidity.made_market import made_market, token
from tests.liquidity.mixed_market import ANCHORS, NATIVE, SHARE, STAKE, mixed_market
from tests.liquidity.test_plan import PATHS, ROUNDED, found, planned


@cache
def mixed(seed: int, ends: tuple[int, int], worth: float, gas_usd: float) -> tuple[Market, Terms, Found]:
    """Sell one token of a market of all kinds for another."""
    market, usd = mixed_market(seed)
    price = int(gas_usd / 70_000 / usd[NATIVE])
    terms = Terms(token(ends[0]), token(ends[1]), int(worth / usd[ends[0]]), token(NATIVE), price, forks=True)
    paths = token_paths(terms.origin, terms.destination, [token(number) for number in ANCHORS])
    return market, terms, find_plan(market, terms, paths)


MIXED = [
    (seed, ends, worth, gas_usd)
    for seed in range(2)
    for ends in ((NATIVE, 2), (2, 4), (STAKE, SHARE), (7, 3))
    for worth, gas_usd in ((1e3, 0.02), (1e5, 0.0), (1e6, 2.0))
]


@pytest.mark.parametrize(("seed", "ends", "worth", "gas_usd"), MIXED)
def test_plans_over_all_kinds_add_up_below_their_bounds(
    seed: int, ends: tuple[int, int], worth: float, gas_usd: float
) -> None:
    market, terms, answer = mixed(seed, ends, worth, gas_usd)
    plan = planned(answer)
    have = Counter({terms.origin: terms.amount})
    for hop in plan.hops:
        assert hop.amount_out == market.state(hop.pool).output(hop.amount_in, hop.zero_for_one) > 0
        have[hop.token_in] -= hop.amount_in
        assert have[hop.token_in] >= 0
        have[hop.token_out] += hop.amount_out
    assert +have == Counter({terms.destination: plan.output})
    assert is_within(market, plan.hops)
    assert plan.output <= plan.bound * ROUNDED
    assert plan.net <= plan.net_bound * ROUNDED
    if gas_usd == 0.02:
        assert plan.output > plan.bound * 0.9999


def test_every_kind_is_traded_with() -> None:
    kinds = {hop.pool.kind for case in MIXED for hop in planned(mixed(*case)[2]).hops}
    assert kinds == set(PoolKind)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("gas_usd", [0.0, 0.3])
def test_the_order_of_pools_does_not_matter(seed: int, gas_usd: float) -> None:
    market, usd = mixed_market(seed)
    terms = Terms(token(7), token(2), int(1e5 / usd[7]), token(NATIVE), int(gas_usd / 70_000 / usd[NATIVE]), forks=True)
    dice, plans = random.Random(seed), []
    for _ in range(3):
        pairs = dice.sample(sorted(market.pools), len(market.pools))
        pools = {pair: tuple(dice.sample(market.pools[pair], len(market.pools[pair]))) for pair in pairs}
        plans.append(planned(find_plan(Market(pools, market.states), terms, PATHS)))
    assert plans[0] == plans[1] == plans[2]


@pytest.mark.parametrize("seed", range(4))
def test_another_pool_never_lowers_what_comes_out(seed: int) -> None:
    market, usd = made_market(seed)
    every = [pool for pools in market.pools.values() for pool in pools]
    outputs = []
    for count in range(5, len(every) + 1, 5):
        pools: dict[tuple[str, str], tuple[Pool, ...]] = {}
        for pool in every[:count]:
            pair = pool.token0, pool.token1
            pools[pair] = (*pools.get(pair, ()), pool)
        answer = found(Market(pools, market.states), usd, 1e5, 0.0)
        outputs.append(0 if answer.plan is None else answer.plan.output)
    assert outputs[-1] > 0
    assert all(more >= less * (1 - 1e-6) for less, more in pairwise(outputs))


class Prices:
    """The dual of an order over a market, at any prices."""

    def __init__(self, market: Market, terms: Terms, without: tuple[PoolKind, ...] = ()) -> None:
        pools = [pool for some in market.pools.values() for pool in some if pool.kind not in without]
        names = sorted({token for pool in pools for token in (pool.token0, pool.token1)})
        number = {name: place for place, name in enumerate(names)}
        self.edges = {
            place: Edge(number[pool.token0], number[pool.token1], both_ladders(market.state(pool)))
            for place, pool in enumerate(pools)
        }
        ends = number[terms.origin], number[terms.destination]
        self.order = Order(len(names), *ends, float(terms.amount))
        self.names = names

    def at(self, logs: Sequence[float]) -> Balance:
        return at_prices(self.edges, self.order, logs)


@given(st.integers(0, 3), st.lists(st.floats(-0.2, 0.2), min_size=8, max_size=8))
def test_no_prices_whatever_give_a_bound_below_a_plan(seed: int, steps: list[float]) -> None:
    market, terms, answer = mixed(seed, (NATIVE, 2), 1e4, 0.0)
    plan, prices_of = planned(answer), Prices(market, terms)
    moved = dict(zip(prices_of.names, steps, strict=True)) | {terms.destination: 0.0}
    logs = [plan.dual.logs[name] + moved[name] for name in prices_of.names]
    assert plan.output <= prices_of.at(logs).bound * ROUNDED


@given(st.integers(0, 3), st.integers(0, 7), st.lists(st.floats(-0.01, 0.01), min_size=8, max_size=8))
def test_the_bound_has_no_steps(seed: int, moved: int, steps: list[float]) -> None:
    """Its slope is what a token has too much of: a millionth of a price changes it by no more than that says."""
    market, terms, answer = mixed(seed, (NATIVE, 2), 1e4, 0.0)
    plan, prices_of = planned(answer), Prices(market, terms, (PoolKind.VAULT, PoolKind.STAKE))
    logs = [plan.dual.logs[name] + step for name, step in zip(prices_of.names, steps, strict=False)]
    moved %= len(logs)
    values, slopes = [], []
    for step in (-1e-6, 0.0, 1e-6):
        now = prices_of.at([log + step * (place == moved) for place, log in enumerate(logs)])
        values.append(now.bound)
        prices = [exp(each) for each in now.logs]
        left = prices[moved] * prices_of.order.amount * (moved == prices_of.order.origin)
        left += sum(prices[moved] * flow.amount_out for flow in now.flows if flow.token_out == moved)
        left -= sum(prices[moved] * flow.amount_in for flow in now.flows if flow.token_in == moved)
        slopes.append(abs(left))
    for one, other in pairwise(values):
        assert abs(other - one) <= 1.01e-6 * max(slopes) + 1e-12 * max(values)


@dataclass(frozen=True, slots=True)
class Refusing(V2State):
    """A pool that looks well and takes nothing: a locked one, or a contract that cannot compute some amounts."""

    def output(self, amount: int, zero_for_one: bool) -> int:
        raise Unswappable("not today")


def test_a_pool_that_refuses_its_part_is_left_out() -> None:
    market, usd = made_market(0)
    without = planned(found(market, usd, 1e5, 0.0))
    states = dict(market.states)
    depth = int(1e8 / usd[0]), int(1e8 / usd[5])
    bad = Pool(PoolKind.V2, token(0x777), token(0), token(5))
    states[bad.key] = Refusing(*depth)
    pools = {**market.pools, (token(0), token(5)): (*market.pools.get((token(0), token(5)), ()), bad)}
    plan = planned(found(Market(pools, states), usd, 1e5, 0.0))
    assert bad not in {hop.pool for hop in plan.hops}
    assert len(plan.hops) > 1
    assert plan.output > without.output * 0.99


def test_prices_that_were_not_found_are_told() -> None:
    market, usd = made_market(0)
    assert found(market, usd, 1e5, 0.0).balanced
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(dual, "MOST_STEPS", 1)
        answer = found(market, usd, 1e5, 0.0)
    assert not answer.balanced
    plan = planned(answer)
    assert plan.output <= plan.bound * ROUNDED, "the bound holds at any prices"
