"""What gas on arrival adds to the first input; what the first input is shows in tests/routing/test_exact_output.py."""

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest

from rhumbline.domain.price import PriceSnapshot, PriceTier
from rhumbline.domain.token import Token
from rhumbline.routing.first_input import worth_of_gas
from rhumbline.routing.quote_prices import no_prices
from tests.routing.venues import USDC, toy_chain

SOLD = Token(1, USDC, "USDC", 6, "USD Coin")


def at(usd: str) -> Any:
    seen = datetime(2026, 11, 28, tzinfo=UTC)
    return lambda chain, token: PriceSnapshot(
        chain, token, Decimal(usd), "test", seen, stale=False, tier=PriceTier.HOT, refreshing=False
    )


@pytest.mark.parametrize(("prices", "worth"), [(at("2000"), 10**6), (at("3e-9"), 10**6), (no_prices, 0), (at("0"), 0)])
def test_what_gas_is_worth_is_rounded_up(prices: Any, worth: int) -> None:
    """At one price for both, a whole native is a whole token, and a wei more a unit more."""
    assert worth_of_gas(10**18, toy_chain(2), SOLD, prices) == worth
    assert worth_of_gas(10**18 + 1, toy_chain(2), SOLD, prices) == (worth + 1 if worth else 0)
