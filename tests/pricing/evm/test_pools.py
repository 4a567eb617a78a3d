"""Pools as a price needs them, whatever they answer."""

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhumbline.liquidity.kinds.pool_state import PoolState
from rhumbline.liquidity.kinds.v2 import V2State
from rhumbline.liquidity.kinds.v3 import V3Pool, V3State
from rhumbline.pricing.evm.pools import median, priced_pool
from tests.pricing.evm.test_onchain import PAIR, POOL, reserves, weights


def ranged(liquidity: int, width: int) -> V3Pool:
    """A pool at the price 1 with one range, so many ticks below and above it."""
    nets = {-width: liquidity, width: -liquidity}
    return V3Pool(V3State(500, 10, 2**96, 0, liquidity, nets, -4, 3))


@pytest.mark.parametrize("state", [None, V2State(0, 5), V2State(5, 0)])
def test_what_cannot_be_swapped_with_is_none(state: PoolState | None) -> None:
    assert priced_pool(POOL, state) is None


def test_tokens_far_from_the_price_do_not_make_a_pool_deep() -> None:
    """A narrow range has what lies in it, whatever its liquidity would be if it never ended; a wide one no more."""
    narrow, wide = priced_pool(POOL, ranged(10**30, 10)), priced_pool(POOL, ranged(10**18, 10_000))
    assert narrow is not None
    assert wide is not None
    assert [round(each / 10**26, 1) for each in narrow.reserves] == [5.0, 5.0]
    assert all(0.3 < each / 10**18 < 1 for each in wide.reserves)


@given(reserves, reserves, st.integers(0, 36), st.integers(0, 36))
def test_both_sides_of_a_pool_agree(reserve0: int, reserve1: int, decimals0: int, decimals1: int) -> None:
    """Pricing one token in the other and back is exact: nothing is rounded before the end."""
    found = priced_pool(POOL, V2State(reserve0, reserve1))
    assert found is not None
    assert (found.tokens, found.spot) == (PAIR, Fraction(reserve1, reserve0))
    assert all(
        0.99 * real <= seen <= 1.000001 * real for seen, real in zip(found.reserves, (reserve0, reserve1), strict=True)
    )
    decimals = {PAIR[0]: decimals0, PAIR[1]: decimals1}
    there, _ = found.price(PAIR[0], decimals, {PAIR[1]: Fraction(1)})
    back, _ = found.price(PAIR[1], decimals, {PAIR[0]: there})
    assert back == 1


@given(weights, st.integers(1, 10**6))
def test_half_of_the_liquidity_is_on_each_side_of_the_median(
    prices: list[tuple[Fraction, Fraction]], least: int
) -> None:
    found = median(prices, Decimal(least))
    deep = [(price, liquidity) for price, liquidity in prices if liquidity >= least]
    if not deep:
        assert found is None
        return
    assert found is not None
    usd = Fraction(found[0])
    exact = max(price for price, _ in deep if price * (1 - Fraction(1, 10**15)) <= usd)
    total = sum(liquidity for _, liquidity in deep)
    assert usd <= exact
    assert sum(liquidity for price, liquidity in deep if price < exact) * 2 <= total
    assert sum(liquidity for price, liquidity in deep if price > exact) * 2 <= total
