"""How much native ``destinationGas=auto`` is: what ten ordinary swaps cost on the destination now, within a bound."""

from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

from rhumbline.domain.chain import ChainType
from rhumbline.domain.errors import NoAvailableQuotes
from rhumbline.domain.route import RouteRequest
from rhumbline.routing.composer import Composer
from rhumbline.routing.quote_prices import PriceReader, usd_price

SWAPS = 10
SWAP_UNITS = 200_000
"""The gas of an ordinary swap: a router, two pools, two transfers."""
MOST_USD = Decimal(5)
"""However dear a chain is, no more than this is bought without being asked for."""


async def with_gas_settled(
    request: RouteRequest, composers: Mapping[ChainType, Composer], prices: PriceReader
) -> RouteRequest:
    """Return the request with the native amount that ``auto`` means; the same without ``auto``.

    Raise NoAvailableQuotes if the destination's gas price is not known now.
    """
    if not request.auto_destination_gas:
        return request
    there = request.destination
    composer = composers.get(there.type)
    network = None if composer is None else await composer.price(there)
    if network is None:
        raise NoAvailableQuotes(
            f"destinationGas: the gas price of {there.name} is not known now; name an amount in wei, or leave it out"
        )
    amount, price = network.cost(SWAPS * SWAP_UNITS), usd_price(there.native, prices)
    if price is not None:
        amount = min(amount, int(Fraction(MOST_USD) / Fraction(price) * 10**there.native.decimals))
    return replace(request, destination_gas=max(amount, 1), auto_destination_gas=False)
