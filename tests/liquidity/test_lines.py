"""Pools of one rate tie prices, and carry what the others leave over."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhumbline.liquidity.kinds.ladder import CLOSED, line_gain, line_of, most_gain
from rhumbline.liquidity.kinds.linear import LinearState
from rhumbline.liquidity.kinds.pool_state import PoolState, both_ladders
from rhumbline.liquidity.kinds.pools import Pool, PoolKind
from rhumbline.liquidity.kinds.v2 import V2State
from rhumbline.liquidity.lines import Lines
from rhumbline.liquidity.market import Market
from rhumbline.liquidity.plan import Terms, find_plan
from tests.liquidity.made_market import token
from tests.liquidity.test_plan import ROUNDED, planned

STAKE = LinearState(100, 110, 10**24, 10**24)


def test_only_one_rate_both_ways_is_a_line() -> None:
    line = both_ladders(STAKE)
    assert line_of(line) == pytest.approx(-0.0953101798, abs=1e-9)
    assert line_of(both_ladders(V2State(10**24, 10**24))) is None
    assert line_of(both_ladders(LinearState(1, 1, 10**24, 0))) is None, "one way only"
    assert line_of((CLOSED, CLOSED)) is None


@given(st.floats(-1e-3, 1e-3))
def test_a_line_gains_all_that_it_takes_or_nothing(off: float) -> None:
    ladders = both_ladders(STAKE)
    price0, price1 = 1.0, 1.1 * (1 + off)
    gain = line_gain(ladders, price0, price1)
    exact = max(price1 * 100 / 110 - price0, (price0 * 110 / 100 - price1)) * 1e24
    assert gain == pytest.approx(max(exact, 0.0), rel=1e-6, abs=1e9)
    assert most_gain(ladders, 0.0, price0, price1) == gain


@given(st.lists(st.floats(-30, 30), min_size=5, max_size=5))
def test_tied_prices_keep_their_rates_and_values_go_to_the_group(logs: list[float]) -> None:
    line = both_ladders(STAKE)
    lines = Lines({4: (1, 2, line), 7: (2, 3, line), 9: (1, 3, line)}, 5, 0)
    aligned = lines.aligned(logs)
    assert lines.used == {4, 7} or lines.used == {4, 9}
    assert aligned[0] == logs[0]
    assert aligned[4] == logs[4]
    assert aligned[2] - aligned[1] == pytest.approx(0.0953101798, abs=1e-9)
    assert lines.together([1.0, 2.0, 3.0, 4.0, 5.0], 0) == [0.0, 9.0, 0.0, 0.0, 5.0]
    left = [0.0, -3.0, 1.0, 2.0, 0.0]
    for _, sold, bought, _, _ in (flows := lines.flows(left, [0.0] * 5, 1e-9)):
        assert {sold, bought} <= {1, 2, 3}
    values = list(left)
    for _, sold, bought, taken, given_out in flows:
        assert taken == given_out > 0
        values[sold] -= taken
        values[bought] += given_out
    assert values == pytest.approx([0.0] * 5)


@pytest.mark.parametrize("amount", [1_000, 10**15, 10**18, 10**23])
@pytest.mark.parametrize("ends", [(0, 1), (1, 0), (0, 2), (2, 1)])
def test_orders_of_any_size_go_through_a_line(amount: int, ends: tuple[int, int]) -> None:
    """A stake, and a pool of either token against a third."""
    stake = Pool(PoolKind.STAKE, token(1), token(0), token(1))
    one, other = (Pool(PoolKind.V2, token(0x50 + place), token(place), token(2)) for place in (0, 1))
    pools = {(each.token0, each.token1): (each,) for each in (stake, one, other)}
    states: dict[str, PoolState | None] = {
        stake.key: STAKE,
        one.key: V2State(10**25, 10**25),
        other.key: V2State(10**25, 11 * 10**24),
    }
    terms = Terms(token(ends[0]), token(ends[1]), amount, token(0), 0, forks=True)
    answer = find_plan(Market(pools, states), terms, [(token(ends[0]), token(ends[1]))])
    plan = planned(answer)
    # Below that the pools' own amounts have no digits left for it.
    assert answer.balanced or amount < 10**18
    assert plan.output <= plan.bound * ROUNDED
    assert plan.output > plan.bound * (1 - 1e-6) - 3
