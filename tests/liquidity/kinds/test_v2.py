"""Constant product: exact, monotone, never more than there is."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhumbline.liquidity.kinds.unswappable import Unswappable
from rhumbline.liquidity.kinds.v2 import MAX_RESERVE, V2State

reserves = st.integers(1, 2**104)
amounts = st.integers(1, 2**104)


@given(reserves, reserves, amounts, st.booleans())
def test_output_is_the_invariants_share_rounded_down(x: int, y: int, amount: int, zero_for_one: bool) -> None:
    reserve_in, reserve_out = (x, y) if zero_for_one else (y, x)
    counted = Fraction(amount * 997, 1000)
    exact = reserve_out * counted / (reserve_in + counted)
    output = V2State(x, y).output(amount, zero_for_one)
    assert output <= exact < output + 1
    assert output < reserve_out


@given(reserves, reserves, amounts)
def test_the_pair_accepts_the_output_and_not_one_unit_more(x: int, y: int, amount: int) -> None:
    """`UniswapV2Pair.swap` compares the product of the balances, the input's fee taken off, with the old one."""

    def accepted(output: int) -> bool:
        return (1000 * (x + amount) - 3 * amount) * 1000 * (y - output) >= x * y * 1000**2

    output = V2State(x, y).output(amount, True)
    assert accepted(output)
    assert not accepted(output + 1)


@given(reserves, reserves, amounts)
def test_the_input_for_an_output_suffices_and_at_most_two_units_less_do_not(x: int, y: int, output: int) -> None:
    """`getAmountIn` adds one to what it rounded down, so it asks a unit too much where nothing was to be rounded."""
    state = V2State(x, y)
    try:
        amount = state.input_for(output, True)
    except Unswappable:
        assert output >= y or x + x * output * 1000 // ((y - output) * 997) + 1 > MAX_RESERVE
        return
    assert amount == x * output * 1000 // ((y - output) * 997) + 1
    assert state.output(amount, True) >= output
    assert amount < 3 or state.output(amount - 2, True) < output


@given(reserves, reserves, amounts, st.integers(1, 2**64))
def test_more_in_never_gives_less_out(x: int, y: int, amount: int, more: int) -> None:
    state = V2State(x, y)
    assert state.output(amount + more, True) >= state.output(amount, True)


@given(amounts)
def test_the_fee_is_rounded_up(amount: int) -> None:
    fee = V2State(1, 1).fee(amount, True)
    assert fee >= Fraction(3 * amount, 1000) > fee - 1


def test_a_forks_fee_is_data() -> None:
    assert V2State(10**12, 10**12, 9975, 10000).output(10**6, True) == 997_499
    assert V2State(10**12, 10**12).output(10**6, True) == 996_999


@pytest.mark.parametrize(
    ("state", "amount", "reason"),
    [
        (V2State(10, 10), 0, "not positive"),
        (V2State(0, 10), 1, "empty"),
        (V2State(10, 0), 1, "empty"),
        (V2State(10, 10), MAX_RESERVE - 9, "can hold"),
        (V2State(0, 0), 5, "empty"),
    ],
)
def test_what_the_contracts_revert_is_refused(state: V2State, amount: int, reason: str) -> None:
    with pytest.raises(Unswappable, match=reason):
        state.output(amount, True)


@pytest.mark.parametrize(
    ("state", "output", "reason"),
    [
        (V2State(10, 10), 0, "not positive"),
        (V2State(10, 10), -1, "not positive"),
        (V2State(10, 10), 10, "not that much"),
        (V2State(0, 10), 1, "not that much"),
        (V2State(10, 0), 1, "not that much"),
        (V2State(MAX_RESERVE, 10), 1, "can hold"),
    ],
)
def test_an_output_that_the_contracts_revert_is_refused(state: V2State, output: int, reason: str) -> None:
    with pytest.raises(Unswappable, match=reason):
        state.input_for(output, True)


def test_the_largest_amount_the_pair_can_hold_is_quoted() -> None:
    assert V2State(10, 10).output(MAX_RESERVE - 10, True) == 9


def test_spot_is_the_ratio_of_the_reserves() -> None:
    assert V2State(4, 6).spot(True) == Fraction(3, 2)
    assert V2State(4, 6).spot(False) == Fraction(2, 3)
