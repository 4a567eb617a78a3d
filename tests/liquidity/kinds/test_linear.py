"""A rate: exact, rounded down both ways, and once more where what is paid is kept in shares."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhumbline.liquidity.kinds.linear import LinearState
from rhumbline.liquidity.kinds.unswappable import Unswappable

numbers = st.integers(1, 2**112)
states = st.builds(LinearState, numbers, numbers, numbers, numbers)
amounts = st.integers(1, 2**112)


@given(states, amounts, st.booleans())
def test_the_output_is_the_rate_rounded_down(state: LinearState, amount: int, zero_for_one: bool) -> None:
    if amount > (state.most0 if zero_for_one else state.most1):
        with pytest.raises(Unswappable, match="more than is taken"):
            state.output(amount, zero_for_one)
        return
    rate = (
        Fraction(state.numerator, state.denominator) if zero_for_one else Fraction(state.denominator, state.numerator)
    )
    output = state.output(amount, zero_for_one)
    assert output <= amount * rate < output + 1


@given(states, amounts, st.booleans(), st.booleans())
def test_the_input_for_an_output_is_the_least(
    state: LinearState, output: int, zero_for_one: bool, shares: bool
) -> None:
    state = replace(state, shares0=shares, shares1=shares, most0=2**128, most1=2**128)
    top, bottom = (state.numerator, state.denominator) if zero_for_one else (state.denominator, state.numerator)
    if shares and top < bottom:
        # A token that is kept in shares is worth at least one share: its rate only grew.
        return
    try:
        amount = state.input_for(output, zero_for_one)
    except Unswappable:
        return
    assert state.output(amount, zero_for_one) >= output
    assert amount == 1 or state.output(amount - 1, zero_for_one) < output


class Stake:
    """stETH as far as it rounds: two accounts with shares, and a wrapper (StETH.sol, WstETH.sol)."""

    def __init__(self, ether: int, shares: int, held: int) -> None:
        self.ether, self.shares = ether, shares
        self.owned = {"wrapper": shares, "executor": held}

    def worth(self, account: str) -> int:
        return self.owned[account] * self.ether // self.shares

    def unwrap(self, wrapped: int) -> int:
        """Return how much more the executor has."""
        before, paid = self.worth("executor"), wrapped * self.ether // self.shares
        moved = paid * self.shares // self.ether
        self.owned["wrapper"] -= moved
        self.owned["executor"] += moved
        return self.worth("executor") - before


@given(st.integers(10**18, 2**96), st.integers(1, 4 * 10**18), st.integers(1, 10**18), st.integers(0, 10**18))
def test_unwrapping_a_stake_gives_what_is_quoted_or_one_unit_more(
    shares: int, gain: int, wrapped: int, held: int
) -> None:
    ether = shares + shares * gain // 10**18
    state = LinearState(ether, shares, shares, ether, shares1=True)
    quoted = state.output(wrapped, True)
    assert Stake(ether, shares, 0).unwrap(wrapped) == quoted
    assert quoted <= Stake(ether, shares, held).unwrap(wrapped) <= quoted + 1
    assert 0 <= wrapped * ether // shares - quoted <= 1 + ether // shares


@given(states, st.booleans(), st.floats(1e-3, 1))
def test_the_ladder_is_the_rate_and_never_below_it(state: LinearState, zero_for_one: bool, way: float) -> None:
    ladder = state.ladder(zero_for_one)
    taken, given_out, slope = ladder.trade(ladder.start + way * 0.5e-6)
    exact = float(taken * state.spot(zero_for_one))
    assert exact * (1 - 1e-9) <= given_out <= exact * (1 + 1e-6) + 1e-300
    most = state.most0 if zero_for_one else state.most1
    assert ladder.trade(ladder.start + 1)[0] == pytest.approx(min(most, 2**128 - 1))
    assert slope >= 0


@pytest.mark.parametrize(
    ("state", "amount", "reason"),
    [
        (LinearState(1, 1, 10, 10), 0, "not positive"),
        (LinearState(1, 1, 10, 10), 11, "more than is taken"),
        (LinearState(1, 1, 0, 10), 1, "more than is taken"),
        (LinearState(0, 1, 10, 10), 1, "no rate"),
        (LinearState(1, 0, 10, 10), 1, "no rate"),
        (LinearState(2**144, 1, 10, 10), 1, "no rate"),
        (LinearState(1, 1, 2**200, 2**200), 2**128, "more than is taken"),
    ],
)
def test_what_is_not_taken_is_refused(state: LinearState, amount: int, reason: str) -> None:
    with pytest.raises(Unswappable, match=reason):
        state.output(amount, True)


def test_a_closed_direction_has_no_ladder_and_the_other_has() -> None:
    state = LinearState(10**18, 10**18, 0, 10**24)
    with pytest.raises(Unswappable):
        state.ladder(True)
    assert state.ladder(False).depth > 0


def test_there_is_no_fee() -> None:
    state = LinearState(3, 2, 10, 10)
    assert state.fee(10, True) == 0
    assert state.spot(True) == Fraction(3, 2)
    assert state.gas(10, True) == state.least_gas
