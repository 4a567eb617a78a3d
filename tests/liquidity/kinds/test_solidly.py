"""Both curves: what the contract and another implementation answer, and what must hold whatever the numbers."""

import json
from contextlib import suppress
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from rhumbline.liquidity.kinds.solidly import SolidlyState
from rhumbline.liquidity.kinds.unswappable import Unswappable

RECORDED = json.loads(Path(__file__).with_name("solidly_quotes.json").read_text())
units = st.sampled_from([10**2, 10**6, 10**8, 10**18])
rates = st.sampled_from([0, 1, 5, 30, 300])
amounts = st.integers(0, 100).flatmap(lambda bits: st.integers(1 << bits, (2 << bits) - 1))


@st.composite
def states(draw: st.DrawFn, stable: bool | None = None) -> SolidlyState:
    """A pool of three to thirty billion whole tokens a side."""
    unit0, unit1 = draw(units), draw(units)
    reserve0 = draw(st.integers(100 * unit0, 10**9 * unit0))
    reserve1 = reserve0 * draw(st.integers(33, 30_000)) * unit1 // unit0 // 1000
    kind = draw(st.booleans()) if stable is None else stable
    return SolidlyState(reserve0, max(reserve1, 1), unit0, unit1, draw(rates), kind)


@pytest.mark.parametrize("source", ["contract", "degenbot"])
def test_outputs_are_those_of_the_contract_and_of_another_implementation(source: str) -> None:
    kinds = set()
    for *numbers, amount, zero_for_one, expected in RECORDED[source]["quotes"]:
        state = SolidlyState(*numbers)
        kinds.add((state.stable, zero_for_one, expected is None))
        if expected is None:
            with pytest.raises(Unswappable):
                state.output(amount, zero_for_one)
        else:
            assert state.output(amount, zero_for_one) == expected
    assert len(kinds) >= 4


def exact_invariant(state: SolidlyState, reserve0: int, reserve1: int) -> Fraction:
    x, y = Fraction(reserve0, state.unit0), Fraction(reserve1, state.unit1)
    return x**3 * y + y**3 * x if state.stable else x * y


@given(states(), amounts, st.booleans())
def test_the_output_is_the_curves_share_but_for_its_last_digits(
    state: SolidlyState, amount: int, zero_for_one: bool
) -> None:
    """Three of 10^-18 tokens, and what one raw unit is; a volatile pool never pays too much."""
    with suppress(Unswappable):
        output, counted = state.output(amount, zero_for_one), amount - state.fee(amount, zero_for_one)
        unit = state.unit1 if zero_for_one else state.unit0
        slack = -(-3 * unit // 10**18) if state.stable else 0

        def left(output: int) -> Fraction:
            after = (state.reserve0, state.reserve1)
            after = (after[0] + counted, after[1] - output) if zero_for_one else (after[0] - output, after[1] + counted)
            return exact_invariant(state, *after)

        before = exact_invariant(state, state.reserve0, state.reserve1)
        assert left(max(output - slack, 0)) >= before
        assert left(output + slack + 1) < before


@given(states(), amounts, st.integers(1, 2**64), st.booleans())
def test_more_in_never_gives_less_out(state: SolidlyState, amount: int, more: int, zero_for_one: bool) -> None:
    with suppress(Unswappable):
        assert state.output(amount + more, zero_for_one) >= state.output(amount, zero_for_one)


@given(states(), amounts, st.booleans())
def test_the_input_for_an_output_is_the_least(state: SolidlyState, amount: int, zero_for_one: bool) -> None:
    try:
        output = state.output(amount, zero_for_one)
        assume(output > 0)
    except Unswappable:
        return
    least = state.input_for(output, zero_for_one)
    assert least <= amount
    assert state.output(least, zero_for_one) >= output
    for fewer in {least - 1, least - 2, least // 2} - {0, -1}:
        with suppress(Unswappable):
            assert state.output(fewer, zero_for_one) < output


@given(states(), st.integers(1, 10**30), st.booleans())
def test_an_output_that_is_not_there_has_no_input(state: SolidlyState, more: int, zero_for_one: bool) -> None:
    reserve = state.reserve1 if zero_for_one else state.reserve0
    for output in (0, -1, reserve, reserve + more):
        with pytest.raises(Unswappable):
            state.input_for(output, zero_for_one)


@given(
    st.integers(0, 2**256 - 1), st.integers(0, 2**256 - 1), units, units, st.integers(0, 10_000), st.booleans(),
    st.integers(-1, 2**256), st.booleans(),
)  # fmt: skip
def test_any_numbers_have_an_answer_or_a_refusal(
    reserve0: int, reserve1: int, unit0: int, unit1: int, rate: int, stable: bool, amount: int, zero_for_one: bool
) -> None:
    state = SolidlyState(reserve0, reserve1, unit0, unit1, rate, stable)
    with suppress(Unswappable):
        assert 0 <= state.output(amount, zero_for_one) < (reserve1 if zero_for_one else reserve0)
    with suppress(Unswappable):
        assert state.input_for(amount, zero_for_one) > 0
    with suppress(Unswappable):
        assert state.ladder(zero_for_one).depth > 0


@given(amounts, rates)
def test_the_fee_is_rounded_down(amount: int, rate: int) -> None:
    fee = SolidlyState(1, 1, 1, 1, rate, stable=False).fee(amount, True)
    assert fee <= Fraction(rate * amount, 10_000) < fee + 1


@pytest.mark.parametrize("stable", [True, False])
@pytest.mark.parametrize(
    ("reserves", "amount", "reason"),
    [((10, 10), 0, "not positive"), ((0, 10), 1, "empty"), ((10, 0), 1, "empty"), ((10, 10), 2**255, "computes with")],
)
def test_what_the_contract_reverts_is_refused(
    reserves: tuple[int, int], amount: int, reason: str, stable: bool
) -> None:
    with pytest.raises(Unswappable, match=reason):
        SolidlyState(*reserves, 10**6, 10**6, 30, stable).output(amount, True)


def test_a_newton_search_that_does_not_end_is_refused() -> None:
    """The contract goes to and fro between two numbers 255 times: a pool of less than a token."""
    state = SolidlyState(425 * 10**15, 185 * 10**15, 10**18, 10**18, 5, stable=True)
    assert state.output(10**10, True) > 0
    with pytest.raises(Unswappable, match="cannot compute"):
        state.output(2 * 10**10, True)


def test_spot_is_the_slope_of_the_curve() -> None:
    assert SolidlyState(4 * 10**6, 6 * 10**18, 10**6, 10**18, 30, stable=False).spot(True) == Fraction(3, 2) * 10**12
    even = SolidlyState(5 * 10**6, 5 * 10**18, 10**6, 10**18, 5, stable=True)
    assert (even.spot(True), even.spot(False)) == (Fraction(10**12), Fraction(1, 10**12))
    # x = 1, y = 2: y (3x² + y²) / x (x² + 3y²) = 14 / 13.
    assert SolidlyState(10**6, 2 * 10**6, 10**6, 10**6, 5, stable=True).spot(True) == Fraction(14, 13)


@given(states(), st.booleans(), st.floats(1e-6, 3))
def test_the_ladder_holds_the_curve_to_a_hundredth_of_a_basis_point(
    state: SolidlyState, zero_for_one: bool, beyond: float
) -> None:
    taken, given_out, _ = (ladder := state.ladder(zero_for_one)).trade(ladder.start + beyond)
    assert not ladder.ends_before(ladder.start + beyond)
    assume(taken > 1e9 and given_out > 1e9)
    with suppress(Unswappable):
        assert state.output(int(taken), zero_for_one) == pytest.approx(given_out, rel=1e-6)
