"""The input for an output: enough, not a unit too much for its plan, and next to what trying everything finds."""

from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhumbline.liquidity.exact_output import Needed, find_input, least_input
from rhumbline.liquidity.execution import output_of, run_again
from rhumbline.liquidity.kinds.pools import Pool, PoolKind
from rhumbline.liquidity.kinds.v2 import V2State
from rhumbline.liquidity.market import Market
from rhumbline.liquidity.plan import Terms, find_plan
from tests.liquidity.made_market import made_market, token
from tests.liquidity.test_plan import PATHS, ROUNDED

TO_FIFTH = Terms(token(0), token(5), 0, token(1), 0, forks=True)


def needed(market: Market, terms: Terms, wanted: int) -> Needed:
    found, _ = find_input(market, terms, wanted, PATHS)
    assert found is not None
    return found


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("worth", [1e2, 1e4, 1e6])
@pytest.mark.parametrize("gas_usd", [0.0, 0.3])
@pytest.mark.parametrize("forks", [True, False])
def test_the_input_suffices_and_a_unit_less_does_not(seed: int, worth: float, gas_usd: float, forks: bool) -> None:
    market, usd = made_market(seed)
    wanted = int(worth / usd[5])
    terms = Terms(token(0), token(5), 0, token(1), int(gas_usd / 70_000 / usd[1]), forks)
    found = needed(market, terms, wanted)
    hops = found.plan.hops
    assert sum(hop.amount_in for hop in hops if hop.token_in == token(0)) == found.input
    assert output_of(hops) == found.plan.output >= wanted
    less = run_again(market, hops, found.input - 1)
    assert not less or output_of(less) < wanted
    assert run_again(market, hops, found.input) == hops
    assert found.least <= found.input * ROUNDED
    if forks and not gas_usd:
        assert found.input <= found.least * (1 + 2e-5) + 3
    assert found.plan.output <= found.plan.bound * ROUNDED


@pytest.mark.parametrize("seed", range(3))
def test_there_and_back_is_the_same_order(seed: int) -> None:
    """What an input gives needs that input again, but for what the search leaves."""
    market, usd = made_market(seed)
    amount = int(1e5 / usd[0])
    plan = find_plan(market, Terms(token(0), token(5), amount, token(1), 0, forks=True), PATHS).plan
    assert plan is not None
    assert needed(market, TO_FIFTH, plan.output).input == pytest.approx(amount, rel=1e-6, abs=1)


reserves = st.integers(30, 400)


@given(st.lists(st.tuples(reserves, reserves), min_size=1, max_size=2), st.integers(1, 40))
def test_against_every_split_of_every_input(pools: list[tuple[int, int]], wanted: int) -> None:
    """Pools so small that all can be tried; a plan counts in whole units, so it may need a few more."""
    pair = token(0), token(5)
    states = {f"0x{number:040x}": V2State(*each) for number, each in enumerate(pools)}
    market = Market({pair: tuple(Pool(PoolKind.V2, each, *pair) for each in states)}, dict(states))
    first, *others = states.values()

    def most(amount: int) -> int:
        if not others:
            return first.output(amount, True)
        parts = range(amount + 1)
        return max(sum(s.output(x, True) for s, x in ((first, p), (others[0], amount - p)) if x) for p in parts)

    found, _ = find_input(market, TO_FIFTH, wanted, [pair])
    if found is None:
        assert most(400) < wanted + len(pools)
        return
    least = next(amount for amount in count(1) if most(amount) >= wanted)
    assert found.plan.output >= wanted
    assert least <= found.input
    assert found.least <= least * ROUNDED
    assert found.input <= least * 1.1 + 4


def test_what_no_input_gives_is_said() -> None:
    market, _ = made_market(1)
    assert find_input(market, TO_FIFTH, 10**60, PATHS)[0] is None
    assert find_input(market, Terms(token(0), token(99), 0, token(1), 0), 10, ())[0] is None


@given(st.integers(1, 10**9), st.integers(1, 10**9))
def test_more_wanted_never_needs_less(one: int, other: int) -> None:
    """Of one plan; its pools are asked again with each input."""
    market, usd = made_market(0)
    plan = find_plan(market, Terms(token(0), token(5), int(1e4 / usd[0]), token(1), 0, forks=True), PATHS).plan
    assert plan is not None
    low, high = (least_input(market, plan.hops, plan.output * each // 10**9 + 1) for each in sorted((one, other)))
    assert low is not None
    assert high is not None
    assert low <= high
