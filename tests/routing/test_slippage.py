from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhumbline.domain.account import ApiClient
from rhumbline.domain.route import RouteRequest
from rhumbline.domain.token import Token
from rhumbline.routing.slippage import (
    PairKind,
    is_same_asset,
    least_output,
    lost_share,
    pair_kind,
    permitted_loss,
    promisable,
)
from tests.routing.venues import DAI, OTHER, USDC, WALLET, WETH, toy_chain, toy_token

CHAIN = toy_chain()
NATIVE = CHAIN.native
USD, BRIDGED = toy_token(), toy_token(OTHER, "USDC", chain=2)
STABLE, WRAPPED = toy_token(DAI, "DAI", 18), toy_token(WETH, "WETH", 18)
RARE, FALSE = toy_token(OTHER, "RARE"), toy_token(OTHER, "USDC", listed=False)


@pytest.mark.parametrize(
    ("sold", "bought", "kind"),
    [
        (NATIVE, WRAPPED, PairKind.WRAP),
        (WRAPPED, NATIVE, PairKind.WRAP),
        (USD, BRIDGED, PairKind.SAME_ASSET),
        (USD, STABLE, PairKind.STABLE),
        (USD, NATIVE, PairKind.MAJOR),
        (WRAPPED, STABLE, PairKind.MAJOR),
        (RARE, USD, PairKind.LONG_TAIL),
        (FALSE, STABLE, PairKind.UNLISTED),
        (USD, FALSE, PairKind.UNLISTED),
    ],
)
def test_kinds_of_pairs(sold: Token, bought: Token, kind: PairKind) -> None:
    assert pair_kind(CHAIN, sold, bought) is kind


@pytest.mark.parametrize(
    ("sold", "bought", "same"),
    [
        (USD, BRIDGED, True),
        (USD, toy_token(OTHER, "USDC", 18, chain=2), True),
        (toy_token(OTHER, "USDC", 18, chain=2), USD, True),
        (USD, USD, True),
        (USD, STABLE, False),
        (USD, FALSE, False),
        (FALSE, USD, False),
        (FALSE, FALSE, False),
        (replace(USD, coin_key=None), replace(BRIDGED, coin_key=None), False),
        (USD, replace(BRIDGED, listed=False), False),
        (USD, replace(BRIDGED, coin_key="usdc"), False),
    ],
)
def test_one_asset_is_known_by_its_coin_key(sold: Token, bought: Token, same: bool) -> None:
    """By coin key alone, of two listed tokens: neither symbols nor a stranger's word make tokens the same."""
    assert is_same_asset(sold, bought) is same


def request(slippage: Fraction | None = None, *, auto: bool = False) -> RouteRequest:
    return RouteRequest(CHAIN, CHAIN, USDC, DAI, 1, WALLET, WALLET, ApiClient(), slippage=slippage, auto_slippage=auto)


@pytest.mark.parametrize(
    ("kind", "default", "auto", "auto_at_40_bp"),
    [
        (PairKind.WRAP, "0", "0", "0.001"),
        (PairKind.SAME_ASSET, "0.005", "0.0005", "0.0015"),
        (PairKind.STABLE, "0.001", "0.001", "0.002"),
        (PairKind.MAJOR, "0.005", "0.003", "0.004"),
        (PairKind.LONG_TAIL, "0.005", "0.01", "0.011"),
        (PairKind.UNLISTED, "0.005", "0.02", "0.021"),
    ],
)
def test_the_table(kind: PairKind, default: str, auto: str, auto_at_40_bp: str) -> None:
    assert permitted_loss(request(), kind, 40) == Fraction(default)
    assert permitted_loss(request(auto=True), kind, None) == Fraction(auto)
    assert permitted_loss(request(auto=True), kind, 40) == Fraction(auto_at_40_bp)
    assert permitted_loss(request(auto=True), kind, 9000) == Fraction(5, 100)


@pytest.mark.parametrize("bound", ["0", "0.0001", "0.3", "1"])
def test_the_callers_bound_holds_and_auto_wins_over_it(bound: str) -> None:
    assert permitted_loss(request(Fraction(bound)), PairKind.UNLISTED, 500) == Fraction(bound)
    assert permitted_loss(request(Fraction(bound), auto=True), PairKind.MAJOR, 0) == Fraction(3, 1000)


@pytest.mark.parametrize(
    ("output", "loss", "least"),
    [
        (1000, "0.005", 995),
        (999, "0.005", 995),
        (1, "0.005", 1),
        (10**30 + 1, "0.001", 999 * 10**27 + 1),
        (7, "1", 1),
        (7, "0", 7),
    ],
)
def test_what_may_be_lost_rounds_down_and_the_minimum_is_never_nothing(output: int, loss: str, least: int) -> None:
    assert least_output(output, Fraction(loss)) == least


@given(st.integers(1, 2**256), st.fractions(0, 1))
def test_the_minimum_is_never_a_unit_less_than_the_share_that_is_kept(output: int, loss: Fraction) -> None:
    least = least_output(output, loss)
    assert 1 <= least <= output
    assert least == 1 or least - 1 < output * (1 - loss) <= least


def test_a_client_that_asks_again_with_its_own_bound_as_a_slippage_gets_that_bound() -> None:
    """Clients print a JavaScript number, which is as Python prints one: up to its precision no unit is missing."""
    random = Random(20261123)
    for _ in range(20_000):
        output = random.randrange(1, 10 ** random.randrange(1, 15))
        bound = random.randrange(output - output // random.choice((1, 2, 10, 100, 1000)), output + 1)
        slippage = Fraction(repr((output - bound) / output))
        assert least_output(output, slippage) >= bound


@given(st.integers(10**15, 2**256 - 1), st.integers(0, 10**6))
def test_beyond_a_number_s_precision_only_what_the_number_cannot_say_is_missing(output: int, millionths: int) -> None:
    bound = output - output * millionths // 10**6
    slippage = Fraction(repr((output - bound) / output))
    assert bound - least_output(output, slippage) <= output // 2**52


@given(st.integers(1, 2**128), st.integers(0, 9_999))
def test_a_minimum_that_an_upstream_has_rounded_down_is_promised_of_a_smaller_output(output: int, bps: int) -> None:
    fixed, loss = output * (10_000 - bps) // 10_000, Fraction(bps, 10_000)
    promised = promisable(output, fixed, loss)
    if fixed == 0:
        assert promised == output
    else:
        assert least_output(promised, loss) == fixed
        assert promised == output or least_output(promised + 1, loss) > fixed
        assert 0 <= (output - promised) * (1 - loss) < 2 - loss


@given(st.integers(3, 2**128), st.integers(1, 9_999))
def test_a_minimum_that_is_not_merely_rounded_changes_no_promise(output: int, bps: int) -> None:
    loss = Fraction(bps, 10_000)
    least = least_output(output, loss)
    assert promisable(output, least, loss) == promisable(output, least - 2, loss) == output


def test_lost_share() -> None:
    assert lost_share(Fraction(100), Fraction(75)) == Fraction(1, 4)
    assert lost_share(Fraction(100), Fraction(110)) < 0
