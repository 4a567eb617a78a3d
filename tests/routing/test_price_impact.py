"""The price impact is the adapter's word, else what fresh prices say."""

from fractions import Fraction

import pytest

from rhumbline.domain.price import PriceSnapshot
from rhumbline.domain.quote import Quote
from rhumbline.routing.price_impact import price_impact
from tests.routing.test_value_limits import USD, reader
from tests.routing.venues import toy_request


def prices_of(chain_id: int, token: str) -> PriceSnapshot | None:
    return reader({**USD, toy_request().origin_token.address: "2"})(chain_id, token)


@pytest.mark.parametrize(
    ("said", "known", "impact"),
    [
        (12, True, Fraction(12, 10_000)),
        (-3, False, Fraction(-3, 10_000)),
        (0, True, Fraction(0)),
        (None, True, Fraction(1, 2)),
        (None, False, None),
    ],
)
def test_the_price_impact_is_the_adapters_else_of_fresh_prices(
    said: int | None, known: bool, impact: Fraction | None
) -> None:
    quote = Quote("A", toy_request(10**6), 10**18, None, price_impact_bps=said)
    assert price_impact(quote, prices_of if known else reader({})) == impact
    stale = reader(dict.fromkeys(USD, "1"), stale=True)
    assert price_impact(quote, stale) == (None if said is None else Fraction(said, 10_000))
