from dataclasses import replace
from fractions import Fraction

import pytest

from rhumbline.domain.amount import MAX_EVM, MAX_SVM
from rhumbline.domain.chain import NATIVE_EVM, NATIVE_SVM, Chain, ChainType
from rhumbline.domain.errors import RequestRejected
from rhumbline.domain.quote import Quote, QuoteRequest
from rhumbline.domain.token import Token

ETHER = Token(1, NATIVE_EVM, "ETH", 18, "Ether")
SOL = Token(2, NATIVE_SVM, "SOL", 9, "Solana")
DOLLAR = Token(1, "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48", "USDC", 6, "USD Coin")
ETHEREUM = Chain(1, "ethereum", "Ethereum", ChainType.EVM, ETHER, mainnet=True)
SOLANA = Chain(2, "solana", "Solana", ChainType.SVM, SOL, mainnet=True)
REQUEST = QuoteRequest(ETHEREUM, ETHEREUM, ETHER, DOLLAR, 100, "a", "b", "a", "b", Fraction(1, 100), 1_900_000_000)


def test_the_native_asset_goes_by_an_upstreams_own_marker() -> None:
    assert REQUEST.pair("0xeee") == ("0xeee", DOLLAR.address)
    assert (REQUEST.sells_native, REQUEST.buys_native) == (True, False)
    crossing = replace(REQUEST, destination=SOLANA, destination_token=SOL)
    assert crossing.pair("0xeee", "wrapped") == ("0xeee", "wrapped")
    assert crossing.pair("native") == ("native", "native")
    assert crossing.buys_native


@pytest.mark.parametrize(("amount", "largest"), [(1, MAX_EVM), (MAX_EVM, MAX_EVM), (MAX_SVM, MAX_SVM)])
def test_an_amount_that_fits(amount: int, largest: int) -> None:
    replace(REQUEST, amount=amount).expect_amount(largest)


@pytest.mark.parametrize(
    ("amount", "largest"), [(0, MAX_EVM), (-1, MAX_SVM), (MAX_SVM + 1, MAX_SVM), (2**53, 2**53 - 1)]
)
def test_an_amount_that_does_not(amount: int, largest: int) -> None:
    words = "positive" if largest == MAX_EVM else f"at most {largest.bit_length()} bits"
    with pytest.raises(RequestRejected, match=words):
        replace(REQUEST, amount=amount).expect_amount(largest)


def test_a_minimum_is_needed_that_the_output_reaches() -> None:
    quote = Quote("A", REQUEST, 100, None)
    assert replace(quote, min_output_amount=100).required_minimum() == 100
    for minimum in (None, 0, -1, 101):
        with pytest.raises(RequestRejected, match="min_output_amount"):
            replace(quote, min_output_amount=minimum).required_minimum()
