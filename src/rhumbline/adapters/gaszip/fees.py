"""What Gas.zip keeps, itemised in our words."""

from rhumbline.adapters.gaszip.wire import Offer
from rhumbline.domain.fee import FeeItem, FeeType
from rhumbline.domain.quote import QuoteRequest


def read_fees(request: QuoteRequest, offer: Offer, output: int) -> tuple[FeeItem, ...]:
    """Return the destination's gas, and, between chains with the same asset, what the service keeps besides."""
    gas = offer.gas or 0
    items = [FeeItem(FeeType.RELAYER_GAS, gas, request.destination_token)] if gas else []
    if is_same_asset(request) and (kept := request.amount - output - gas) > 0:
        items.append(FeeItem(FeeType.RELAYER_SERVICE, kept, request.origin_token))
    return tuple(items)


def is_same_asset(request: QuoteRequest) -> bool:
    """Tell whether both chains have one native asset, counted in one unit."""
    origin, destination = request.origin_token, request.destination_token
    same = origin.coin_key is not None and origin.coin_key == destination.coin_key
    return same and origin.decimals == destination.decimals
