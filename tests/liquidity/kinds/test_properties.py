"""What holds for every kind of pool. A new kind is one more entry of ``KINDS``."""

import copy
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from math import log
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from rhumbline.liquidity.kinds.ladder import Ladder
from rhumbline.liquidity.kinds.linear import LinearState
from rhumbline.liquidity.kinds.pool_state import PoolState
from rhumbline.liquidity.kinds.slipstream import SlipstreamPool
from rhumbline.liquidity.kinds.solidly import SolidlyPool, SolidlyState
from rhumbline.liquidity.kinds.tick_math import LOWEST_LIMIT, MIN_TICK, outermost_words
from rhumbline.liquidity.kinds.unswappable import Unswappable
from rhumbline.liquidity.kinds.v2 import V2State
from rhumbline.liquidity.kinds.v3 import V3Pool, V3State
from rhumbline.liquidity.kinds.v4 import V4Pool, V4State
from tests.liquidity.kinds.test_curve import TWO as STABLE
from tests.liquidity.kinds.test_curve import states as curve_states
from tests.liquidity.kinds.test_linear import states as linear_states
from tests.liquidity.kinds.test_solidly import states as solidly_states
from tests.liquidity.kinds.test_v2 import reserves
from tests.liquidity.kinds.test_v3 import amounts, states
from tests.liquidity.kinds.test_v4 import pools as v4_pools

NEVER = (0, -1, -(10**30), 2**256, 10**100)
"""Amounts that no pool takes or gives."""
LARGE = (10**30, 2**112, 2**127, 2**128, 2**255, 2**256 - 1)
ROUNDING_DROWNS = 1e11
"""From so many raw units on, roundings are far below a hundredth of a basis point."""


@dataclass(frozen=True)
class Kind:
    """Pools of a kind at random; and by what is wrong with them, pools with a direction that takes nothing.

    ``dust``: raw units by which roundings may be in the trader's favour. ``gaps``: some amounts in between are refused.
    ``rises``: more in never gives less out, which a fee that grows with the trade does not hold.
    """

    pools: st.SearchStrategy[PoolState]
    refused: Mapping[str, tuple[PoolState, bool]]
    dust: int = 0
    gaps: bool = False
    rises: bool = True


def v3(tick: int, liquidity: int, ticks: Mapping[int, int], price: int = 1 << 96) -> V3Pool:
    return V3Pool(V3State(3000, 60, price, tick, liquidity, ticks, *outermost_words(60)))


def v4(fee: int, *, liquidity: int = 10**20, protocol_fee: int = 0) -> V4Pool:
    return V4Pool(V4State(fee, 60, 1 << 96, 0, liquidity, {}, *outermost_words(60), protocol_fee))


def solidly(reserve0: int, reserve1: int, rate: int = 5) -> SolidlyPool:
    return SolidlyPool(SolidlyState(reserve0, reserve1, 10**18, 10**18, rate, stable=True))


KINDS = {
    "v2": Kind(
        st.builds(V2State, reserves, reserves),
        {
            "empty": (V2State(0, 0), True),
            "nothing to give": (V2State(10**20, 0), True),
            "nothing to compare with": (V2State(10**20, 0), False),
            "more than a pair can hold": (V2State(2**112, 10**20), True),
        },
    ),
    "v3": Kind(
        states().map(V3Pool),
        {
            "empty": (v3(0, 0, {}), True),
            "nothing to give": (v3(0, 0, {60: 10**20, 120: -(10**20)}), True),
            "at the lowest price": (v3(MIN_TICK, 10**20, {}, LOWEST_LIMIT), True),
            "ticks that contradict the liquidity": (v3(0, 10, {-60: 11, 60: -11}), True),
        },
    ),
    "v4": Kind(
        v4_pools,
        {
            "empty": (v4(0, liquidity=0), True),
            "the whole input is fee": (v4(1_000_000), True),
            "the whole input is fee, the protocol's counted": (v4(999_999, protocol_fee=1000), True),
        },
    ),
    "solidly": Kind(
        solidly_states().map(SolidlyPool),
        {
            "empty": (solidly(0, 0), True),
            "nothing to give": (solidly(10**20, 0), True),
            "nothing to compare with": (solidly(0, 10**20), True),
            "the fee is everything": (solidly(10**20, 10**20, 10_000), True),
            "more than the curve computes with": (solidly(2**200, 2**200), True),
        },
        dust=3,
        gaps=True,
    ),
    "curve": Kind(
        curve_states(),
        {
            "empty": (replace(STABLE, balances=(0, 0)), True),
            "nothing to give": (replace(STABLE, balances=(10**12, 0)), True),
            "nothing to compare with": (replace(STABLE, balances=(0, 10**24)), True),
            "a rate of nothing": (replace(STABLE, rates=(10**30, 0)), True),
            "a rate of everything": (replace(STABLE, rates=(2**255, 10**18)), True),
            "no amplification": (replace(STABLE, amplification=0), True),
            "more than the curve computes with": (replace(STABLE, balances=(10**40, 10**50)), True),
        },
        dust=10,
        gaps=True,
        rises=False,
    ),
    "linear": Kind(
        linear_states,
        {
            "closed": (LinearState(10**18, 10**18, 0, 10**30), True),
            "closed the other way": (LinearState(10**18, 10**18, 10**30, 0), False),
            "without a rate": (LinearState(0, 10**18, 10**30, 10**30), True),
            "a rate without end": (LinearState(10**18, 0, 10**30, 10**30), True),
        },
    ),
    "slipstream": Kind(states().map(SlipstreamPool), {"empty": (SlipstreamPool(v3(0, 0, {}).state), True)}),
}
kinds = pytest.mark.parametrize("kind", KINDS)
refused = pytest.mark.parametrize(
    ("kind", "wrong"), [(name, wrong) for name, kind in KINDS.items() for wrong in kind.refused]
)


@kinds
@given(st.data(), amounts, amounts, st.booleans())
def test_more_never_gives_less_and_nothing_beats_the_price(
    kind: str, data: st.DataObject, amount: int, more: int, zero_for_one: bool
) -> None:
    pool, dust = data.draw(KINDS[kind].pools), KINDS[kind].dust
    with suppress(Unswappable):
        part = pool.output(amount, zero_for_one)
        assert 0 <= part <= amount * pool.spot(zero_for_one) + dust
        assert 0 <= pool.fee(amount, zero_for_one) <= amount
        assert pool.gas(amount, zero_for_one) >= pool.least_gas
        whole = pool.output(amount + more, zero_for_one)
        assert part <= whole or not KINDS[kind].rises
        assert whole <= (amount + more) * pool.spot(zero_for_one) + dust


@kinds
@given(st.data(), amounts, st.booleans())
def test_the_input_for_an_output_gives_it(kind: str, data: st.DataObject, output: int, zero_for_one: bool) -> None:
    pool = data.draw(KINDS[kind].pools)
    with suppress(Unswappable):
        assert pool.output(pool.input_for(output, zero_for_one), zero_for_one) >= output


@kinds
@given(st.data(), amounts, st.booleans())
def test_less_than_an_output_never_asks_for_more(
    kind: str, data: st.DataObject, amount: int, zero_for_one: bool
) -> None:
    """One unit less: for the very output, contracts may ask for more than it took.

    V2's library adds a unit where nothing was rounded, and V3 asks for a whole step where a part gave as many units.
    """
    pool = data.draw(KINDS[kind].pools)
    with suppress(Unswappable):
        output = pool.output(amount, zero_for_one)
        assume(output > 1)
        assert pool.input_for(output - 1, zero_for_one) <= amount or not KINDS[kind].rises


@kinds
@given(st.data(), amounts, amounts, st.booleans())
def test_more_never_asks_for_less(kind: str, data: st.DataObject, output: int, more: int, zero_for_one: bool) -> None:
    pool = data.draw(KINDS[kind].pools)
    with suppress(Unswappable):
        few, many = pool.input_for(output, zero_for_one), pool.input_for(output + more, zero_for_one)
        assert few <= many or not KINDS[kind].rises


@kinds
@given(st.data(), st.booleans(), st.floats(1e-6, 3))
def test_the_ladder_is_the_curve_to_a_hundredth_of_a_basis_point(
    kind: str, data: st.DataObject, zero_for_one: bool, beyond: float
) -> None:
    """What pays at a price is what the pool takes up to that price; nothing pays below the fee."""
    pool = data.draw(KINDS[kind].pools)
    ladder = _ladder(pool, zero_for_one)
    assume(ladder is not None)
    assert ladder is not None
    start = -0.5 * log(pool.spot(zero_for_one)) + ladder.half_fee
    # Where the fee falls as the pool comes nearer to its balance, the price rises first: a line above it is the bound.
    assert start - 2 * ladder.half_fee - 1e-6 <= ladder.start <= start + 1e-6
    assert ladder.start == pytest.approx(start, abs=1e-6) or not KINDS[kind].rises
    taken, given_out, slope = ladder.trade(ladder.start + beyond)
    assert slope >= 0
    assume(not ladder.ends_before(ladder.start + beyond))
    if min(taken, given_out) < ROUNDING_DROWNS:
        return
    try:
        # A billionth less, so that what floats add cannot reach beyond the pool's end.
        assert pool.output(int(taken * (1 - 1e-9)), zero_for_one) == pytest.approx(given_out, rel=1e-6)
    except Unswappable:
        assert KINDS[kind].gaps


@kinds
@given(st.data(), st.booleans())
def test_amounts_that_are_none_are_refused(kind: str, data: st.DataObject, zero_for_one: bool) -> None:
    pool = data.draw(KINDS[kind].pools)
    for amount in NEVER:
        for ask in (pool.output, pool.input_for):
            with pytest.raises(Unswappable):
                ask(amount, zero_for_one)


@kinds
@given(st.data(), st.sampled_from(LARGE), st.booleans())
def test_a_large_amount_is_right_or_refused(kind: str, data: st.DataObject, amount: int, zero_for_one: bool) -> None:
    pool = data.draw(KINDS[kind].pools)
    with suppress(Unswappable):
        assert pool.output(amount, zero_for_one) <= amount * pool.spot(zero_for_one) + KINDS[kind].dust
    with suppress(Unswappable):
        assert pool.input_for(amount, zero_for_one) * pool.spot(zero_for_one) >= amount - KINDS[kind].dust


@refused
@pytest.mark.parametrize("amount", [1, 10**6, 10**18, 10**30])
def test_a_pool_that_takes_nothing_says_so(kind: str, wrong: str, amount: int) -> None:
    pool, zero_for_one = KINDS[kind].refused[wrong]
    for ask in (pool.output, pool.input_for):
        with pytest.raises(Unswappable):
            ask(amount, zero_for_one)
    if (ladder := _ladder(pool, zero_for_one)) is not None:
        assert ladder.trade(ladder.start + 1)[:2] == (0, 0)


@kinds
@given(st.data(), amounts, st.booleans())
def test_asking_changes_nothing(kind: str, data: st.DataObject, amount: int, zero_for_one: bool) -> None:
    pool = data.draw(KINDS[kind].pools)
    before = copy.deepcopy(pool)
    first = _answers(pool, amount, zero_for_one)
    _answers(pool, 3 * amount + 1, not zero_for_one)
    assert _answers(pool, amount, zero_for_one) == first == _answers(before, amount, zero_for_one)
    assert _facts(pool) == _facts(before)


@kinds
@given(st.data())
def test_a_state_is_made_of_whole_numbers(kind: str, data: st.DataObject) -> None:
    """So it can be written down and read again elsewhere without any loss."""
    assert _is_whole(tuple(_facts(data.draw(KINDS[kind].pools)).values()))


def _ladder(pool: PoolState, zero_for_one: bool) -> Ladder | None:
    try:
        return pool.ladder(zero_for_one)
    except Unswappable:
        return None


def _answers(pool: PoolState, amount: int, zero_for_one: bool) -> list[object]:
    answers: list[object] = []
    for ask in (pool.output, pool.input_for, pool.fee, pool.gas):
        try:
            answers.append(ask(amount, zero_for_one))
        except Unswappable as refusal:
            answers.append(str(refusal))
    return answers


def _facts(pool: PoolState) -> dict[str, object]:
    """Return the fields of a pool's state, which is the pool itself where it keeps nothing beside it."""
    state: Any = getattr(pool, "state", pool)
    return {field.name: getattr(state, field.name) for field in fields(state)}


def _is_whole(value: object) -> bool:
    if isinstance(value, Mapping):
        return all(_is_whole(each) for each in (*value, *value.values()))
    return all(map(_is_whole, value)) if isinstance(value, tuple) else isinstance(value, int)
