"""Stableswap quotes against the contract's own answers and a second implementation, and what holds for any pool.

``curve_quotes.json`` has rows of A in hundredths, fee, off-peg multiplier, rates, balances, places of the coins sold
and bought, amount, and the answer. Those of ``exchange`` are what ``exchange`` of CurveStableSwapNG v7.0.0 answered,
compiled from its published source (github.com/curvefi/stableswap-ng, 2abe778) and asked on a local chain, 2026-11;
null is a revert. Those of ``curvesim`` are what ``CurvePool.exchange`` of curvesim 0.5.0 (PyPI) answered: its D divides
in another order, so a few differ by units.
"""

import json
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from math import log
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from rhumbline.liquidity.kinds.curve import CurveState
from rhumbline.liquidity.kinds.unswappable import Unswappable

QUOTES = json.loads((Path(__file__).parent / "curve_quotes.json").read_text())
FEE_UNITS = 10**10
USD = 10**18

Row = tuple[int, int, int, list[int], list[int], int, int, int, int | None]


def asked(row: Row) -> int | None:
    amplification, fee, off_peg, rates, balances, sold, bought, amount, _ = row
    places = sorted((sold, bought))
    state = CurveState(amplification, fee, off_peg, tuple(rates), tuple(balances), *places)
    try:
        return state.output(amount, sold < bought)
    except Unswappable:
        return None


def test_quotes_are_the_contracts_to_the_wei() -> None:
    rows = QUOTES["exchange"]
    assert [row for row in rows if asked(row) != row[-1]] == []
    assert sum(row[-1] is None for row in rows) > 20
    assert {len(row[3]) for row in rows} == {2, 3, 4, 8}


def test_quotes_are_a_second_implementations() -> None:
    rows = QUOTES["curvesim"]
    off = [abs((asked(row) or 0) - row[-1]) for row in rows]
    assert sum(each == 0 for each in off) > 0.98 * len(rows)
    assert all(each <= 10 for each in off)


@st.composite
def states(draw: st.DrawFn) -> CurveState:
    """A pool of 2 to 8 coins that are worth something, more or less balanced, with any fee that Curve allows."""
    count = draw(st.integers(2, 8))
    decimals = draw(st.lists(st.sampled_from((6, 8, 18)), min_size=count, max_size=count))
    whole = 10 ** draw(st.integers(3, 9))
    skews = draw(st.lists(st.integers(1, 60), min_size=count, max_size=count))
    worth = draw(st.lists(st.integers(5, 25), min_size=count, max_size=count))
    rates = [10 ** (36 - each) * factor // 10 for each, factor in zip(decimals, worth, strict=True)]
    balances = [whole * skew * 10**each // 20 for each, skew in zip(decimals, skews, strict=True)]
    fee = draw(st.integers(0, 10**8))
    off_peg = draw(st.sampled_from((0, FEE_UNITS, 2 * FEE_UNITS, 5 * FEE_UNITS, 20 * FEE_UNITS)))
    first = draw(st.integers(0, count - 1))
    second = draw(st.integers(0, count - 2))
    second += second >= first
    return CurveState(100 * draw(st.integers(1, 20_000)), fee, off_peg, tuple(rates), tuple(balances), first, second)


parts = st.integers(1, 10**6)
"""What is sold, in millionths of what the pool has of it."""


def sold(state: CurveState, part: int, zero_for_one: bool) -> int:
    balance = state.balances[state.index0 if zero_for_one else state.index1]
    return balance * part // 10**6


def after(state: CurveState, amount: int, output: int, zero_for_one: bool) -> CurveState:
    """The pool once a swap was made, the DAO's share of the fee left in it."""
    balances = list(state.balances)
    places = (state.index0, state.index1) if zero_for_one else (state.index1, state.index0)
    balances[places[0]] += amount
    balances[places[1]] -= output
    return replace(state, balances=tuple(balances))


@given(states(), parts, st.booleans())
def test_a_swap_never_lowers_what_the_pool_is_worth(state: CurveState, part: int, zero_for_one: bool) -> None:
    amount = sold(state, part, zero_for_one)
    try:
        output = state.output(amount, zero_for_one)
    except Unswappable:
        return
    # Two of D's searches end within one unit each.
    assert after(state, amount, output, zero_for_one).invariant >= state.invariant - 2


@given(states(), parts, st.booleans())
def test_there_and_back_gains_nothing(state: CurveState, part: int, zero_for_one: bool) -> None:
    amount = sold(state, part, zero_for_one)
    try:
        output = state.output(amount, zero_for_one)
        back = after(state, amount, output, zero_for_one).output(output, not zero_for_one)
    except Unswappable:
        return
    assert back <= amount


@given(states(), parts, parts, st.booleans())
def test_more_in_gives_less_out_by_the_fees_steps_at_most(
    state: CurveState, part: int, more: int, zero_for_one: bool
) -> None:
    few = sold(state, part, zero_for_one)
    many = few + sold(state, more, zero_for_one)
    try:
        less, output = state.output(few, zero_for_one), state.output(many, zero_for_one)
    except Unswappable:
        return
    if state.off_peg <= FEE_UNITS:
        assert output >= less
    else:
        fees = [state.fee(each, zero_for_one) / each for each in (few, many)]
        assert output >= less * (1 - max(0.0, fees[1] - fees[0])) * (1 - 1e-9) - 1


@given(states(), parts, st.booleans())
def test_the_input_for_an_output_gives_it_and_a_unit_less_does_not(
    state: CurveState, part: int, zero_for_one: bool
) -> None:
    try:
        output = state.output(sold(state, part, zero_for_one), zero_for_one)
        assume(output > 0)
        amount = state.input_for(output, zero_for_one)
    except Unswappable:
        return
    assert state.output(amount, zero_for_one) >= output
    with suppress(Unswappable):
        assert state.output(amount - 1, zero_for_one) < output


@given(states(), st.booleans())
def test_the_fee_grows_up_to_the_multiple_away_from_the_balance(state: CurveState, zero_for_one: bool) -> None:
    for part in (1_000, 10**6, 10**8):
        amount = sold(state, part, zero_for_one)
        try:
            fee = Fraction(state.fee(amount, zero_for_one), amount)
        except Unswappable:
            continue
        most = state.base_fee * max(state.off_peg, FEE_UNITS) // FEE_UNITS
        assert Fraction(state.base_fee, FEE_UNITS) <= fee + Fraction(1, amount) + Fraction(1, FEE_UNITS)
        assert fee <= Fraction(most, FEE_UNITS) + Fraction(1, amount)


@given(states(), st.booleans(), st.floats(1e-5, 2))
def test_the_ladder_is_the_curve_to_a_hundredth_of_a_basis_point(
    state: CurveState, zero_for_one: bool, beyond: float
) -> None:
    ladder = state.ladder(zero_for_one)
    # Where the fee falls faster than the price the ladder begins with the straight line above both.
    spot = -0.5 * log(state.spot(zero_for_one)) + ladder.half_fee
    most = state.base_fee * max(1, state.off_peg / FEE_UNITS) / FEE_UNITS
    assert spot - most - 1e-6 <= ladder.start <= spot + 1e-9
    taken, given_out, slope = ladder.trade(ladder.start + beyond)
    assert slope >= 0
    # What is rounded, a unit out and one 1e18th of a value, drowns.
    assume(min(given_out, taken) > 1e9)
    output = state.output(int(taken), zero_for_one)
    assert output * (1 - 1e-8) <= given_out <= output * (1 + 1.1e-6)


TWO = CurveState(20_000, 10**6, 2 * FEE_UNITS, (10**30, USD), (10**12, 10**24), 0, 1)


@pytest.mark.parametrize(
    ("state", "amount", "reason"),
    [
        (TWO, 0, "not positive"),
        (TWO, -(10**30), "not positive"),
        (TWO, 10**60, "256 bits"),
        (TWO, 2**256, "256 bits"),
        (replace(TWO, balances=(0, 10**24)), 10**6, "empty"),
        (replace(TWO, balances=(10**12, 0)), 10**6, "empty"),
        (replace(TWO, balances=(0, 0)), 10**6, "empty"),
        (replace(TWO, rates=(0, USD)), 10**6, "empty"),
        (replace(TWO, rates=(2**255, USD)), 10**6, "256 bits"),
        (replace(TWO, amplification=0), 10**6, "256 bits"),
        (replace(TWO, amplification=2**255), 10**6, "256 bits"),
        (replace(TWO, balances=(10**40, 10**50)), 10**6, "256 bits"),
        (replace(TWO, rates=(10**30, USD), balances=(10**12, 10**24), off_peg=2**250), 10**6, "256 bits"),
    ],
)
def test_what_the_contract_reverts_is_refused(state: CurveState, amount: int, reason: str) -> None:
    for ask in (state.output, state.fee):
        with pytest.raises(Unswappable, match=reason):
            ask(amount, True)


@pytest.mark.parametrize(
    "state",
    [
        replace(TWO, balances=(1, 1)),
        replace(TWO, balances=(1, 10**30)),
        replace(TWO, balances=(10**18, 1), amplification=100),
        replace(TWO, rates=(10**60, 1)),
        replace(TWO, amplification=10**20),
        replace(TWO, rates=(10**18,) * 8, balances=(10**3, *((10**27,) * 7))),
        replace(TWO, off_peg=2**120),
    ],
)
def test_a_strange_pool_has_a_ladder_or_none_at_once(state: CurveState) -> None:
    for zero_for_one in (True, False):
        try:
            ladder = state.ladder(zero_for_one)
        except Unswappable:
            continue
        taken, given_out, slope = ladder.trade(ladder.start + 0.1)
        assert taken > 0
        assert given_out > 0
        assert slope >= 0


def test_ramping_takes_the_hundredths_of_a() -> None:
    """``get_dy`` leaves them out; what ``exchange`` pays is quoted."""
    skewed = replace(TWO, balances=(10**12, 2 * 10**24), amplification=20_050)
    assert skewed.output(10**11, True) != replace(skewed, amplification=20_000).output(10**11, True)
