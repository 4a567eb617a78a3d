"""Pools as a price needs them, whatever they answer."""

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhumbline.liquidity.pools import Pool
from rhumbline.pricing.evm.pools import Market, market, median
from tests.pricing.evm.test_onchain import PAIR, V2, V3, reserves, weights, word


@pytest.mark.parametrize(
    ("pool", "answers"),
    [
        (V3, (word(0), word(1), word(1), word(1))),
        (V3, (None, word(1), word(1), word(1))),
        (V3, (word(2**96), None, word(1), word(1))),
        (V3, (word(2**96), word(1), b"", word(1))),
        (V2, (None,)),
        (V2, (word(1),)),
        (V2, (word(0) + word(5),)),
        (V2, (word(5) + word(0),)),
    ],
)
def test_what_does_not_answer_as_a_pool_is_none(pool: Pool, answers: tuple[bytes | None, ...]) -> None:
    assert market(pool, answers) is None


def test_tokens_far_from_the_price_do_not_make_a_pool_deep() -> None:
    far = market(V3, (word(2**96), word(10), word(10**30), word(10**30)))
    narrow = market(V3, (word(2**96), word(10**30), word(10), word(10)))
    assert far is not None
    assert narrow is not None
    assert far.reserves == narrow.reserves == (10, 10)


@given(reserves, reserves, st.integers(0, 36), st.integers(0, 36))
def test_both_sides_of_a_pool_agree(reserve0: int, reserve1: int, decimals0: int, decimals1: int) -> None:
    """Pricing one token in the other and back is exact: nothing is rounded before the end."""
    found = market(V2, (word(reserve0) + word(reserve1),))
    assert found == Market(PAIR, Fraction(reserve1, reserve0), (reserve0, reserve1))
    assert found is not None
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
