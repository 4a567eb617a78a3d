"""Prices at ticks, and amounts between prices, are the contract's."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rhumbline.liquidity.kinds.tick_math import (
    MAX_SQRT_PRICE,
    MAX_TICK,
    MIN_SQRT_PRICE,
    MIN_TICK,
    amount0_between,
    amount1_between,
    price_after_input,
    sqrt_price_at,
)
from tests.liquidity.kinds.test_v3 import ceil_div

prices = st.integers(1, 100) | st.integers(MIN_SQRT_PRICE, MAX_SQRT_PRICE)


@settings(max_examples=200)
@given(prices, prices, st.integers(0, 100) | st.integers(0, 2**128 - 1))
def test_amounts_between_prices_round_the_way_they_say(a: int, b: int, liquidity: int) -> None:
    low, high = sorted((a, b))
    exact0 = Fraction((liquidity << 96) * (high - low), high * low)
    exact1 = Fraction(liquidity * (high - low), 1 << 96)
    for exact, between in ((exact0, amount0_between), (exact1, amount1_between)):
        assert between(a, b, liquidity, up=False) == exact.numerator // exact.denominator
        assert between(a, b, liquidity, up=True) == ceil_div(exact.numerator, exact.denominator)


@settings(max_examples=200)
@given(st.integers(MIN_SQRT_PRICE, MAX_SQRT_PRICE), st.integers(1, 2**128 - 1), st.integers(0, 2**200), st.booleans())
def test_the_price_moves_against_the_trader_and_never_past_the_exact_one(
    price: int, liquidity: int, amount: int, zero_for_one: bool
) -> None:
    after = price_after_input(price, liquidity, amount, zero_for_one)
    if zero_for_one:
        exact = Fraction((liquidity << 96) * price, (liquidity << 96) + amount * price)
        assert exact <= after <= price
    else:
        exact = price + Fraction(amount << 96, liquidity)
        assert price <= after <= exact < after + 1


def test_prices_at_ticks_are_the_contracts() -> None:
    assert sqrt_price_at(MIN_TICK) == MIN_SQRT_PRICE
    assert sqrt_price_at(MAX_TICK) == MAX_SQRT_PRICE
    assert sqrt_price_at(0) == 1 << 96
    for tick in (MIN_TICK - 1, MAX_TICK + 1):
        with pytest.raises(ValueError, match="beyond"):
            sqrt_price_at(tick)


@given(st.integers(MIN_TICK, MAX_TICK - 1))
def test_prices_rise_with_the_ticks_by_one_basis_point(tick: int) -> None:
    low, high = sqrt_price_at(tick), sqrt_price_at(tick + 1)
    assert abs(Fraction(high, low) ** 2 - Fraction(10001, 10000)) < Fraction(1, 10**6)
