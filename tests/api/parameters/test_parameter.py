"""Rules over all texts: what they read is what they say, and the schema agrees."""

import re
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from functools import partial

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from rhumbline.api.parameters.parameter import Amount, Share, Unreadable, Whole
from rhumbline.domain.amount import MAX_EVM

FEE = Share(Fraction(1, 10), "0.01 is 1 %")
NUMBERS = st.text("0123456789.eE+-_ ", max_size=12)


def fault_of(read: Callable[[], object]) -> str:
    try:
        read()
    except Unreadable as fault:
        return str(fault)
    return ""


@given(st.one_of(st.integers(-5, 2**256 + 5).map(str), st.text("0123456789 _.-+e", max_size=6), st.text(max_size=4)))
def test_amounts(text: str) -> None:
    schema = Draft202012Validator({"type": "string", **Amount().schema})
    try:
        amount = Amount().read(text)
    except Unreadable:
        assert not (schema.is_valid(text) and int(text) <= MAX_EVM)
    else:
        assert str(amount) == text
        assert 0 < amount <= MAX_EVM
        assert schema.is_valid(text)


@given(st.one_of(NUMBERS, st.decimals(0, Decimal("0.1"), places=5).map(str)))
def test_shares_are_exact(text: str) -> None:
    try:
        share = FEE.read(text)
    except Unreadable:
        return
    assert share == Fraction(text)
    assert 0 <= share <= Fraction(1, 10)


@pytest.mark.parametrize("text", ["0", "0.1", "0.10", "1e-1", "1E-18", "0.0", "-0", "0e5"])
def test_shares_that_are_fine(text: str) -> None:
    assert FEE.read(text) == Fraction(text)


@given(st.integers(1, 10**40), st.integers(0, 60))
@example(5 * 10**41 + 1, 43)
@example(10**18 + 1, 19)
@example(10**30, 48)
def test_every_digit_of_a_share_is_kept(digits: int, places: int) -> None:
    """However many digits it has: nothing is rounded before it is judged."""
    number, text = Fraction(digits, 10**places), f"{digits}e-{places}"
    told = fault_of(partial(FEE.read, text))
    if places > 30:
        assert "exponent of at least -30" in told
    elif number > Fraction(1, 10):
        assert "from 0 to 0.1" in told
    else:
        assert FEE.read(text) == number


@given(st.floats(0, 1, allow_subnormal=False).filter(lambda number: number == 0 or number >= 1e-30))
@example(0.0034712345678901235)
@example(1.2345678901234567e-7)
def test_what_a_program_prints_of_a_number_is_read(number: float) -> None:
    """Browsers print the shortest digits that tell a number from its neighbours, as Python does."""
    text = repr(number)
    assert Share(Fraction(1), "").read(text) == Fraction(Decimal(text))


def test_the_longest_share() -> None:
    fitting = "0." + "0" * 61 + "1"
    assert FEE.read(fitting) == Fraction(1, 10**62)
    assert "64 characters; got 65" in fault_of(partial(FEE.read, "0." + "0" * 62 + "1"))


@given(st.text("0123456789 -+._", max_size=20))
def test_whole_numbers(text: str) -> None:
    rule = Whole(1, 200)
    try:
        assert str(rule.read(text)) == text
    except Unreadable:
        assert not re.fullmatch(r"[1-9][0-9]?|1[0-9][0-9]|200", text)
