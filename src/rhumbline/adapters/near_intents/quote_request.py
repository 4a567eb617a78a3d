"""The question to 1Click: which assets, how much, to whom, with how much slippage, until when. Pure."""

from dataclasses import dataclass

from rhumbline.adapters.near_intents.deployments import Deployment
from rhumbline.adapters.near_intents.wire import instant
from rhumbline.domain.amount import BASIS_POINTS
from rhumbline.domain.quote import QuoteRequest
from rhumbline.gateways.chain_types.addresses import is_address


@dataclass(frozen=True, slots=True)
class Route:
    """Both chains and the asset IDs of both tokens."""

    origin: Deployment
    destination: Deployment
    origin_asset: str
    destination_asset: str


def route_of(request: QuoteRequest, places: tuple[Deployment, Deployment] | None) -> Route | None:
    """Return the route from wallet to wallet between two chains' known tokens; None where there is none."""
    ends = ((request.origin, request.sender), (request.destination, request.receiver))
    if places is None or request.origin.id == request.destination.id or request.payout_address != request.receiver:
        return None
    if not all(is_address(chain.type, wallet) for chain, wallet in ends):
        return None
    origin, destination = places
    given, wanted = origin.asset(request.origin_token.address), destination.asset(request.destination_token.address)
    return None if given is None or wanted is None else Route(origin, destination, given, wanted)


def question(route: Route, request: QuoteRequest, tolerance: int, *, dry: bool) -> dict[str, object]:
    """Return the body of ``POST /v0/quote``; ``tolerance`` is in basis points, ``dry`` reserves no address.

    Refunds begin at the deadline, which must leave a deposit that was sent in the last moment the time to confirm.
    """
    return {
        "dry": dry,
        "depositMode": "SIMPLE",
        "swapType": "EXACT_INPUT",
        "slippageTolerance": tolerance,
        "originAsset": route.origin_asset,
        "depositType": "ORIGIN_CHAIN",
        "destinationAsset": route.destination_asset,
        "amount": str(request.amount),
        "refundTo": request.sender,
        "refundType": "ORIGIN_CHAIN",
        "recipient": request.payout_address,
        "recipientType": "DESTINATION_CHAIN",
        "deadline": instant(request.deadline + route.origin.deposit_s),
    }


def tolerance_for(output: int, minimum: int) -> int:
    """Return the largest slippage, in whole basis points, under which ``output`` still guarantees ``minimum``.

    Rounded down; none if the output is not above the minimum.
    """
    return max(output - minimum, 0) * BASIS_POINTS // output if output > 0 else 0
