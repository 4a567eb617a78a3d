"""Prices keep 18 significant digits, and what is beyond them is cut off."""

from decimal import Decimal
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from rhumbline.domain.price import DIGITS, cut, ratio

PRICES = st.decimals("1e-30", "1e30", allow_nan=False, allow_infinity=False, places=None)


@given(PRICES)
def test_a_price_is_never_rounded_up(usd: Decimal) -> None:
    assert cut(usd) <= usd
    assert usd - cut(usd) < usd * Decimal(10) ** (1 - DIGITS)
    assert len(cut(usd).as_tuple().digits) <= DIGITS


@given(PRICES, PRICES)
def test_a_ratio_of_prices_is_never_rounded_up(numerator: Decimal, denominator: Decimal) -> None:
    exact = Fraction(numerator) / Fraction(denominator)
    assert exact * (1 - Fraction(10) ** (1 - DIGITS)) < Fraction(ratio(numerator, denominator)) <= exact
