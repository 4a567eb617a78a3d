"""How far a trade moves the price. Pure."""

from fractions import Fraction
from typing import Any

from rhumbline.domain.amount import BASIS_POINTS
from rhumbline.domain.quote import Quote
from rhumbline.routing.quote_prices import PriceReader, fresh_price
from rhumbline.routing.ranking import usd
from rhumbline.routing.slippage import lost_share


def price_impact(quote: Quote[Any], prices: PriceReader) -> Fraction | None:
    """Return the share of its value that the trade loses, negative for a gain; None where nobody can tell.

    It is what the adapter says, else what fresh prices say of output and upstream's input.
    """
    if quote.price_impact_bps is not None:
        return Fraction(quote.price_impact_bps, BASIS_POINTS)
    asked = quote.request
    paid, got = fresh_price(asked.origin_token, prices), fresh_price(asked.destination_token, prices)
    if paid is None or got is None:
        return None
    received = usd(quote.output_amount, asked.destination_token, got)
    return lost_share(usd(asked.amount, asked.origin_token, paid), received)
