"""What Relay keeps, itemised in our words."""

from rhumbline.adapters.relay.deployments import Deployment
from rhumbline.adapters.relay.wire import Currency, FeeAmount, Fees
from rhumbline.domain.fee import FeeItem, FeeType
from rhumbline.domain.quote import QuoteRequest
from rhumbline.domain.token import Token
from rhumbline.gateways.evm.address import checksummed, is_address

_LONGEST = 20


def read_fees(fees: Fees, request: QuoteRequest, places: tuple[Deployment, Deployment]) -> tuple[FeeItem, ...]:
    """Return what is off the output already.

    The relayer's two parts, or their sum where one is negative (a subsidy), and an app's fee. The API's ``gas`` is the
    origin's transaction, which the wallet pays.
    """
    parts = ((FeeType.RELAYER_GAS, fees.relayer_gas), (FeeType.RELAYER_SERVICE, fees.relayer_service))
    told = [(kind, fee) for kind, fee in parts if fee is not None]
    if len(told) < len(parts) or any(fee.amount < 0 for _, fee in told):
        told = [] if fees.relayer is None else [(FeeType.RELAYER, fees.relayer)]
    if fees.app is not None:
        told.append((FeeType.APP, fees.app))
    items = [_item(kind, fee, request, places) for kind, fee in told if fee.amount > 0]
    return tuple(item for item in items if item is not None)


def _item(
    kind: FeeType, fee: FeeAmount, request: QuoteRequest, places: tuple[Deployment, Deployment]
) -> FeeItem | None:
    token = _token(fee.currency, request, places)
    return None if token is None else FeeItem(kind, int(fee.amount), token)


def _token(currency: Currency, request: QuoteRequest, places: tuple[Deployment, Deployment]) -> Token | None:
    """Return the token of a fee, with our own metadata where it is one of ours; None for one of a third chain."""
    chains = (request.origin, request.destination)
    here = [sides for sides in zip(places, chains, strict=True) if sides[0].relay_id == currency.chain_id]
    for place, chain in here:
        if currency.address == place.native:
            return chain.native
        for token in (request.origin_token, request.destination_token):
            if token.chain_id == chain.id and token.address.lower() == currency.address.lower():
                return token
    if not here or not is_address(currency.address):
        return None
    symbol, name = currency.symbol[:_LONGEST], currency.name[:_LONGEST]
    return Token(here[0][1].id, checksummed(currency.address), symbol, currency.decimals, name, listed=False)
