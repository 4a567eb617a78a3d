"""A route's request as the caller sent it, for the quotes of its steps."""

from dataclasses import replace
from fractions import Fraction

from pydantic import MISSING, JsonValue

from rhumbline.api.wire.arrival_request import wanted_of
from rhumbline.api.wire.solana_terms import parameters_of
from rhumbline.domain.chain import ChainType
from rhumbline.domain.route import Order, RouteRequest, TradeType

FEE_PROOF = "feeProof"


def quote_request_of(request: RouteRequest, adapter: str) -> dict[str, JsonValue]:
    """Return the parameters by which `GET /v1/quotes` answers this step."""
    kind = "includeExchanges" if request.origin.id == request.destination.id else "includeBridges"
    return {**route_request_of(request, None), kind: adapter}


def without_integrator_fee(request: RouteRequest) -> RouteRequest:
    """Return the request without the integrator's fee, which an earlier step has taken already."""
    return replace(request, fee_share=None)


def route_request_of(request: RouteRequest, proof: str | None) -> dict[str, JsonValue]:
    adapters = request.adapters
    defaulted = request.receiver_defaulted and request.receiver == request.sender
    filters = {
        "includeBridges": adapters.include_bridges,
        "includeExchanges": adapters.include_exchanges,
        "excludeBridges": adapters.exclude_bridges or None,
        "excludeExchanges": adapters.exclude_exchanges or None,
    }
    parameters: dict[str, JsonValue | None] = {
        "senderAddress": request.sender,
        "receiverAddress": None if defaulted else request.receiver,
        "originChainId": request.origin.id,
        "destinationChainId": request.destination.id,
        "amount": str(request.amount if request.wanted_output is None else request.wanted_output),
        "originCurrency": request.origin_token,
        "destinationCurrency": request.destination_token,
        "integrator": request.integrator,
        "fee": None if request.fee_share is None else float(request.fee_share),
        "slippage": None if request.slippage is None else float(request.slippage),
        "slippageMode": "auto" if request.auto_slippage else None,
        "tradeType": None if request.wanted_output is None else TradeType.EXACT_OUTPUT.value,
        "order": None if request.order is Order.RECOMMENDED else request.order.value,
        **{name: None if keys is None else ",".join(sorted(keys)) for name, keys in filters.items()},
        **(parameters_of(request.solana) if request.origin.type is ChainType.SVM else {}),
        "refundTo": request.refund_to,
        FEE_PROOF: proof,
    }
    return {name: value for name, value in parameters.items() if value is not None} | wanted_of(request)


def number_of(share: Fraction | None) -> float | MISSING:
    return MISSING if share is None else float(share)
