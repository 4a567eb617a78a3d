"""The sandbox's pools: their prices to the unit, and no two of a pair worth trading against each other."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from rhumbline.devnet.evm.pools import DECIMALS, PLANS, PRICES, raw_amount, sqrt_price_x96

SYMBOLS = st.sampled_from(sorted(PRICES))


@given(first=SYMBOLS, second=SYMBOLS, shift=st.integers(-1000, 1000), straight=st.booleans())
def test_square_root_price_is_the_largest_below(first: str, second: str, shift: int, straight: bool) -> None:
    root = sqrt_price_x96(first, second, shift, first_is_token0=straight)
    price = Fraction(PRICES[first] * 10 ** DECIMALS[second], PRICES[second] * 10 ** DECIMALS[first])
    price *= Fraction(1_000_000 + shift, 1_000_000)
    exact = (price if straight else 1 / price) * 2**192
    assert root**2 <= exact < (root + 1) ** 2


@given(symbol=SYMBOLS, usd=st.integers(0, 10**9))
def test_raw_amounts_round_down(symbol: str, usd: int) -> None:
    exact = Fraction(usd * 100 * 10 ** DECIMALS[symbol], PRICES[symbol])
    assert raw_amount(symbol, usd) <= exact < raw_amount(symbol, usd) + 1


def test_pools_of_a_pair_differ_by_less_than_their_fees() -> None:
    for plan in PLANS:
        for other in PLANS:
            if {plan.first, plan.second} == {other.first, other.second}:
                shift = plan.shift if plan.first == other.first else -plan.shift
                assert abs(shift - other.shift) < 1000
                assert abs(shift - other.shift) < plan.fee + other.fee


def test_usdt_and_wbtc_have_no_pool() -> None:
    assert {"USDT", "WBTC"} not in [{plan.first, plan.second} for plan in PLANS]
