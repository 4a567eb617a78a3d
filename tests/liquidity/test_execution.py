"""Flows become hops of whole units: nothing is left over, nothing spent that has not come."""

import gc
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhumbline.liquidity.dual import Flow, Order
from rhumbline.liquidity.execution import Executed, output_of, run_again, run_flows, share_of, without_cycles
from rhumbline.liquidity.kinds.pools import Pool, PoolKind
from rhumbline.liquidity.kinds.tick_math import outermost_words
from rhumbline.liquidity.kinds.v2 import V2State
from rhumbline.liquidity.kinds.v3 import V3Pool, V3State
from rhumbline.liquidity.market import Market
from rhumbline.liquidity.plan import Terms, find_plan
from tests.liquidity.made_market import token

TOKENS = [token(number) for number in range(4)]
PLACES = [(0, 1), (0, 2), (1, 2), (1, 3), (2, 3), (0, 3), (2, 1)]
POOLS = [Pool(PoolKind.V2, token(0x40 + place), TOKENS[ends[0]], TOKENS[ends[1]]) for place, ends in enumerate(PLACES)]
MARKET = Market({}, {pool.key: V2State(10**21, 10**21) for pool in POOLS})


def run(amounts: list[float], amount: int = 10**18) -> Executed:
    flows = [
        Flow(number, *ends, amounts[number], amounts[number], 1.0, amounts[number])
        for number, ends in enumerate(PLACES)
        if amounts[number]
    ]
    return run_flows(MARKET, POOLS, TOKENS, Order(4, 0, 3, float(amount)), amount, flows)


@given(st.lists(st.floats(0, 1e18), min_size=7, max_size=7), st.integers(10**6, 10**18))
def test_flows_that_do_not_balance_are_scaled_to_what_there_is(amounts: list[float], amount: int) -> None:
    done = run(amounts, amount)
    assert len(done.flows) == len(done.hops)
    have = Counter({TOKENS[0]: amount})
    for hop in done.hops:
        have[hop.token_in] -= hop.amount_in
        assert have[hop.token_in] >= 0
        have[hop.token_out] += hop.amount_out
    if done.hops:
        assert +have == Counter({TOKENS[3]: output_of(done.hops)})
        assert run_again(MARKET, done.hops, amount) == done.hops


def test_what_leads_back_or_nowhere_is_left_out() -> None:
    done = run([5.0, 5.0, 3.0, 0.0, 4.0, 0.0, 3.0])
    assert {flow.edge for flow in done.flows} <= {0, 1, 2, 4}
    assert done.flows
    assert run([5.0, 5.0, 3.0, 0.0, 0.0, 0.0, 3.0]).hops == ()
    assert without_cycles([], 0, 3)[1] == []


def test_a_refusal_names_the_edge() -> None:
    states = dict(MARKET.states) | {POOLS[4].key: V2State(0, 0)}
    flows = [Flow(1, 0, 2, 1.0, 1.0, 1.0, 1.0), Flow(4, 2, 3, 1.0, 1.0, 1.0, 1.0)]
    done = run_flows(Market({}, states), POOLS, TOKENS, Order(4, 0, 3, 1e18), 10**18, flows)
    assert done == Executed((), (), 4)


@pytest.mark.parametrize(("part", "share"), [(0.0, 1), (1e-30, 1), (0.5, 1 << 31), (1.0, (1 << 32) - 1)])
def test_a_share_is_never_that_of_all(part: float, share: int) -> None:
    assert share_of(part) == share


@pytest.mark.parametrize("width", [1, 8, 50])
def test_a_pool_at_the_end_of_its_liquidity_takes_part(width: int) -> None:
    """A narrow range is wholly bought, whichever of both gets more: a plan offers it no more than it takes."""
    pair = (token(0), token(1))
    pools = Pool(PoolKind.V3, token(0x50), *pair, 500, 60), Pool(PoolKind.V2, token(0x51), *pair, 3000)
    ticks = {-60 * width: 10**24, 60 * width: -(10**24)}
    narrow = V3Pool(V3State(500, 60, 2**96, 0, 10**24, ticks, *outermost_words(60)))
    most = narrow.curve(True).inputs[-1]
    for reserve, amount in ((10**24, 3 * most), (10**23, most + most // 100), (10**27, 10 * most)):
        market = Market({pair: pools}, {pools[0].key: narrow, pools[1].key: V2State(reserve, reserve)})
        plan = find_plan(market, Terms(*pair, amount, token(1), 0, True), [pair]).plan
        assert plan is not None
        assert {hop.pool for hop in plan.hops} == set(pools)
        assert plan.output > plan.bound * (1 - 1e-6)


def test_nothing_is_left_to_the_garbage_collector() -> None:
    gc.collect()
    gc.disable()
    try:
        for _ in range(20):
            run([5.0, 5.0, 3.0, 0.0, 4.0, 0.0, 3.0])
        assert gc.collect() < 20
    finally:
        gc.enable()
