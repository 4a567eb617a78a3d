"""Fees by direction, and what the manager cannot account for; the exact amounts are in tests/liquidity/exact."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhumbline.liquidity.kinds.tick_math import outermost_words
from rhumbline.liquidity.kinds.unswappable import Unswappable
from rhumbline.liquidity.kinds.v3 import V3Pool, V3State
from rhumbline.liquidity.kinds.v4 import V4Pool, V4State
from tests.liquidity.kinds.test_v3 import amounts, ceil_div, states

MILLION = 1_000_000
MOST = 2**127 - 1
protocol_fees = st.integers(0, 1000)
pools = st.builds(
    lambda state, down, up: V4Pool(
        V4State(
            state.fee, state.spacing, state.sqrt_price, state.tick, state.liquidity, state.ticks, state.first_word,
            state.last_word, down | up << 12,
        )
    ),
    states(), protocol_fees, protocol_fees,
)  # fmt: skip


def pool(fee: int, protocol_fee: int = 0, liquidity: int = 10**24) -> V4Pool:
    return V4Pool(V4State(fee, 60, 1 << 96, 0, liquidity, {}, *outermost_words(60), protocol_fee))


@given(st.integers(0, MILLION), protocol_fees, protocol_fees)
def test_the_protocol_takes_its_fee_first_and_the_providers_theirs_of_the_rest(fee: int, down: int, up: int) -> None:
    state = pool(fee, down | up << 12).state
    for zero_for_one, protocol in ((True, down), (False, up)):
        whole = protocol + Fraction(fee * (MILLION - protocol), MILLION)
        assert state.swap_fee(zero_for_one) == ceil_div(whole.numerator, whole.denominator)


@given(states(), amounts, st.booleans())
def test_without_a_fee_for_the_protocol_it_is_a_pool_of_v3(state: V3State, amount: int, zero_for_one: bool) -> None:
    fields = state.fee, state.spacing, state.sqrt_price, state.tick, state.liquidity, state.ticks
    ours = V4Pool(V4State(*fields, state.first_word, state.last_word))
    for asked, expected in (
        (ours.output, V3Pool(state).output), (ours.input_for, V3Pool(state).input_for),
    ):  # fmt: skip
        try:
            wanted = expected(amount, zero_for_one)
        except Unswappable:
            with pytest.raises(Unswappable):
                asked(amount, zero_for_one)
        else:
            assert wanted > MOST or asked(amount, zero_for_one) == wanted


def test_each_direction_has_its_own_fee() -> None:
    ours = pool(3000, 1000)
    assert ours.output(10**18, True) < ours.output(10**18, False)
    assert ours.input_for(10**18, True) > ours.input_for(10**18, False)


@pytest.mark.parametrize("ask", ["output", "input_for", "fee", "gas"])
def test_amounts_beyond_int128_are_refused(ask: str) -> None:
    deep = pool(0, liquidity=2**127)
    answer = getattr(deep, ask)(MOST // 4, True)
    assert 0 <= answer <= MOST
    with pytest.raises(Unswappable, match="account for"):
        getattr(deep, ask)(MOST + 1, True)


def test_what_an_output_would_cost_is_bounded_as_well() -> None:
    deep = pool(999_999, liquidity=2**127)
    with pytest.raises(Unswappable, match="account for"):
        deep.input_for(2**126, True)


@pytest.mark.parametrize("zero_for_one", [True, False])
def test_a_pool_that_keeps_all_of_an_input_is_refused(zero_for_one: bool) -> None:
    """The contract answers 0 for an exact input, and reverts for an exact output."""
    for state in (pool(MILLION), pool(999_999, 1000 | 1000 << 12)):
        for ask in (state.output, state.input_for):
            with pytest.raises(Unswappable, match="whole input"):
                ask(10**18, zero_for_one)
