"""Fees in USD."""

from decimal import Decimal
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from rhumbline.api.wire.fees import value_in_usd
from rhumbline.domain.amount import MAX_EVM


@given(st.integers(0, MAX_EVM), st.integers(0, 36), st.decimals(0, 10**6, places=12))
def test_a_fee_in_usd_is_never_understated(amount: int, decimals: int, price: Decimal) -> None:
    exact = Fraction(amount, 10**decimals) * Fraction(price)
    written = Fraction(value_in_usd(amount, decimals, price))
    assert exact <= written < exact + Fraction(1, 10**6)
