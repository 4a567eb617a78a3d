"""Ranks offers for one wanted output by what they take, gas and native fees included. Pure; see docs/quotes.md."""

from collections.abc import Callable, Iterable, Sequence

from rhumbline.routing.offer import Offers
from rhumbline.routing.quote_prices import unit_values, usd_price
from rhumbline.routing.ranking import Exact, Merits, duration, score

FailedShare = Callable[[str], Exact]
"""The share of an adapter's tries that came to nothing."""
Handicap = Callable[[str], Exact]
"""The share of the value that an adapter's track record costs it."""


def input_merits(found: Sequence[Offers], failed: FailedShare, handicap: Handicap = lambda key: 0) -> list[Merits]:
    """Return what offers are compared by, each list of offers having one: all gain the same, and differ in cost.

    Without the prices of the input and of the native asset the input alone counts. What counts as gained, by which time
    and failures are priced, is the value of the least input.
    """
    if not found:
        return []
    context = found[0].context
    tokens = context.pair.origin, context.request.origin.native
    unit, native = unit_values(*((token, usd_price(token, context.prices)) for token in tokens))
    if unit is None or native is None:
        unit, native = 1, 0
    most_gas = max(offers.offers[0].quote.gas_units or 0 for offers in found)
    inputs = [offers.context.request.amount * unit for offers in found]
    merits = []
    for offers, paid in zip(found, inputs, strict=True):
        quote = offers.offers[0].quote
        gas = most_gas if quote.gas_units is None else quote.gas_units
        beside = quote.native_fee + (0 if offers.network is None else offers.network.cost(gas))
        charged = failed(quote.adapter), handicap(quote.adapter)
        merits.append(Merits(min(inputs), paid + beside * native, duration(quote), *charged))
    return merits


def ranked(found: Iterable[Offers], failed: FailedShare, handicap: Handicap = lambda key: 0) -> list[Offers]:
    """Return the offers in the order of their request, the best first; among equals by the adapter's key."""
    listed = sorted(found, key=lambda offers: offers.offers[0].quote.adapter)
    compared = zip(listed, input_merits(listed, failed, handicap), strict=True)

    def place(each: tuple[Offers, Merits]) -> tuple[Exact, Exact]:
        first, second = score(each[1], each[0].context.request.order)
        return -first, -second

    return [offers for offers, _ in sorted(compared, key=place)]
