from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhumbline.domain.amount import (
    MAX_EVM,
    MAX_SVM,
    format_amount,
    less_bps,
    mul_div_up,
    parse_amount,
    share_down,
    slippage_bps,
)


@given(st.integers(1, MAX_EVM))
def test_every_amount_reads_back(amount: int) -> None:
    assert parse_amount(str(amount)) == amount


@pytest.mark.parametrize(
    "text",
    ["", "0", "-1", "+1", "1.5", "1e18", "01", "1_0", " 1", "1 ", "1\n", "0x1", "١", "NaN", str(2**256), "9" * 10_000],
)
def test_what_is_no_amount_is_refused(text: str) -> None:
    assert parse_amount(text) is None


def test_the_largest_amount_depends_on_the_chain() -> None:
    assert parse_amount(str(MAX_SVM), MAX_SVM) == MAX_SVM
    assert parse_amount(str(MAX_SVM + 1), MAX_SVM) is None
    assert parse_amount(str(MAX_EVM)) == MAX_EVM


@given(st.integers(0, MAX_EVM), st.fractions(0, 1))
def test_a_share_rounds_down(amount: int, share: Fraction) -> None:
    exact = amount * share
    assert exact - 1 < share_down(amount, share) <= exact


@given(st.integers(0, MAX_EVM), st.integers(0, MAX_EVM), st.integers(1, MAX_EVM))
def test_mul_div_up_rounds_up(amount: int, numerator: int, denominator: int) -> None:
    exact = Fraction(amount * numerator, denominator)
    assert exact <= mul_div_up(amount, numerator, denominator) < exact + 1


@given(st.integers(-MAX_EVM, MAX_EVM), st.integers(0, 36))
def test_a_formatted_amount_is_exact(amount: int, decimals: int) -> None:
    assert Fraction(format_amount(amount, decimals)) == Fraction(amount, 10**decimals)


def test_formatting() -> None:
    assert format_amount(1_500_000, 6) == "1.5"
    assert format_amount(1, 18) == "0.000000000000000001"
    assert format_amount(-120, 2) == "-1.2"
    assert format_amount(7, 0) == "7"


@given(st.fractions(0, 2), st.integers(1, 10_000))
def test_slippage_in_bps_rounds_down_to_the_most_at_most(share: Fraction, most: int) -> None:
    found = slippage_bps(share, most)
    assert found == most if share * 10_000 >= most else found <= share * 10_000 < found + 1


@given(st.integers(0, MAX_EVM), st.integers(0, 10_000))
def test_what_is_left_of_an_amount_rounds_down(amount: int, bps: int) -> None:
    left = less_bps(amount, bps)
    assert 10_000 * left <= amount * (10_000 - bps) < 10_000 * (left + 1)
