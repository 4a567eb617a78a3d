"""The input with which the search for a wanted output begins: what the output is worth at known prices. Pure."""

from fractions import Fraction
from math import ceil

from rhumbline.domain.amount import MAX_SVM, mul_div_up
from rhumbline.domain.chain import Chain, ChainType
from rhumbline.domain.route import RouteRequest
from rhumbline.domain.token import Token
from rhumbline.routing.preparer import LARGEST_AMOUNT
from rhumbline.routing.quote_context import QuoteContext
from rhumbline.routing.quote_prices import PriceReader, unit_values, usd, usd_price
from rhumbline.routing.slippage import PairKind, output_for, permitted_loss


def first_guess(context: QuoteContext, wanted: int) -> int | None:
    """Return the net input that a wanted output is worth, with the permitted loss; None without prices."""
    sold, bought = context.pair.origin, context.pair.destination
    output = output_for(wanted, permitted_loss(context.request, context.pair.kind, None))
    if context.pair.kind in (PairKind.WRAP, PairKind.SAME_ASSET):
        return mul_div_up(output, 10**sold.decimals, 10**bought.decimals)
    of_sold, of_bought = unit_values(*((token, usd_price(token, context.prices)) for token in (sold, bought)))
    return mul_div_up(output, of_bought, of_sold) if of_sold and of_bought else None


def worth_of_gas(amount: int, destination: Chain, sold: Token, prices: PriceReader) -> int:
    """Return what ``amount`` wei of the destination's native are worth in raw units of ``sold``, rounded up.

    0 without prices: what pools charge shows with the first question.
    """
    price, paid = usd_price(destination.native, prices), usd_price(sold, prices)
    if not price or not paid:
        return 0
    unit: int = 10**sold.decimals
    return ceil(usd(amount, destination.native, price) * unit / Fraction(paid))


def most_input(request: RouteRequest) -> int:
    """Return the largest input that the origin's chain can move, and anybody can have."""
    return min(MAX_SVM if request.origin.type is ChainType.SVM else LARGEST_AMOUNT, LARGEST_AMOUNT)


def why_none(context: QuoteContext, wanted: int) -> str:
    """Return why prices name no input to begin with."""
    if first_guess(context, wanted) is None:
        return "there is no price from which the input could be guessed"
    return beyond(most_input(context.request))


def beyond(largest: int) -> str:
    return f"would need more than the largest possible input, {largest}"
