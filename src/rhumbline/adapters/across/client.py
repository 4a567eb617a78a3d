"""The API's endpoints, their parameters, and the meaning of their failures.

Source: ``api/_errors.ts`` and the handlers of across-protocol/frontend, ``bdcf46c`` of 2026-02-06, and the status
endpoint of across-protocol/indexer, ``a28c9a5`` of the same day, all read 2026-11-21.
"""

from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction

from rhumbline.adapters.across.route import Route
from rhumbline.adapters.across.wire import Approval, DepositStatus, Limits, SuggestedFees
from rhumbline.domain.amount import slippage_bps
from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.domain.errors import (
    AdapterError,
    BelowMinimum,
    NoRoute,
    RequestRejected,
    SlippageTooTight,
    UpstreamFailed,
)
from rhumbline.domain.quote import QuoteRequest
from rhumbline.gateways.http.strict_json import Json
from rhumbline.gateways.upstreams.error_table import ErrorTable, Meaning, text_at
from rhumbline.gateways.upstreams.spec import read_answer
from rhumbline.gateways.upstreams.upstream import Query, Upstream

_LARGEST_SLIPPAGE_BPS = 5_000
_UNSUPPORTED_CHAIN = "Unsupported chain"
_NOT_FOUND = "404"
_NO_ROUTE: Meaning = (NoRoute, "the route is not served")
_TIGHT: Meaning = (SlippageTooTight, "the permitted slippage is too small")
_REJECTED: Meaning = (RequestRejected, "rejects the request")
_PASSING: Meaning = (UpstreamFailed, "has a failure of its own")


def _codes(status: int, body: Json) -> list[str]:
    code = text_at(body, "code")
    # A chain that is not served is an invalid parameter to the API.
    if code == "INVALID_PARAM" and text_at(body, "message").startswith(_UNSUPPORTED_CHAIN):
        code = _UNSUPPORTED_CHAIN
    return [code, str(status)]


ERRORS = ErrorTable(
    {
        "AMOUNT_TOO_LOW": (BelowMinimum, "the amount is too low for the fees"),
        "AMOUNT_TOO_HIGH": (NoRoute, "the amount is above what the route takes"),
        "ROUTE_NOT_ENABLED": _NO_ROUTE,
        "SWAP_LIQUIDITY_INSUFFICIENT": _NO_ROUTE,
        "SWAP_QUOTE_UNAVAILABLE": _NO_ROUTE,
        "SWAP_TYPE_NOT_GUARANTEED": _NO_ROUTE,
        "SPONSORED_DONATION_BOX_FUNDS_INSUFFICIENT": _NO_ROUTE,
        "MAX_BPS_TO_SPONSOR_TOO_HIGH": _NO_ROUTE,
        "HYPERCORE_ACCOUNT_NOT_INITIALIZED": _NO_ROUTE,
        "SWAP_SLIPPAGE_INSUFFICIENT": _TIGHT,
        "SPONSORED_SWAP_SLIPPAGE_TOO_HIGH": _TIGHT,
        _UNSUPPORTED_CHAIN: (NoRoute, "a chain is not served"),
        "INVALID_PARAM": _REJECTED,
        "MISSING_PARAM": _REJECTED,
        "INVALID_METHOD": _REJECTED,
        "SIMULATION_ERROR": _REJECTED,
        "ABI_ENCODING_ERROR": _REJECTED,
        "UPSTREAM_RPC_ERROR": _PASSING,
        "UPSTREAM_HTTP_ERROR": _PASSING,
        "UPSTREAM_GATEWAY_TIMEOUT": _PASSING,
        "UNEXPECTED_ERROR": _PASSING,
        _NOT_FOUND: (NoRoute, "a token is not known"),
    },
    _codes,
)
"""The meaning of each code of an ``AcrossApiError``; others go by their HTTP status."""


def fees_query(request: QuoteRequest, route: Route, amount: int | None) -> Mapping[str, str]:
    """Return what ``/suggested-fees`` and, without an amount, ``/limits`` are asked with.

    With a ``message`` the API runs a fill that calls the recipient with it, and counts its gas into the relayer's fee:
    it refuses a recipient that is no contract (``api/suggested-fees.ts`` and ``_utils.ts``, read 2026-11-21).
    """
    query = {
        "inputToken": route.input_token,
        "outputToken": route.output_token,
        "originChainId": str(route.origin.chain_id),
        "destinationChainId": str(route.destination.chain_id),
        "recipient": request.payout_address,
    }
    if amount is not None:
        query["amount"] = str(amount)
    if amount is not None and request.message:
        query["message"] = "0x" + request.message.hex()
    if request.origin_token.decimals != request.destination_token.decimals:
        query["allowUnmatchedDecimals"] = "true"
    return query


def swap_query(request: QuoteRequest, route: Route, integrator: str | None) -> Mapping[str, str]:
    """Return what ``/swap/approval`` is asked with, in the wrapped token for native input.

    With the native one the API goes through its periphery.
    """
    native = request.destination_token.address == NATIVE_EVM
    query = {
        "tradeType": "exactInput",
        "amount": str(request.amount),
        "inputToken": route.input_token,
        "outputToken": NATIVE_EVM if native else route.output_token,
        "originChainId": str(route.origin.chain_id),
        "destinationChainId": str(route.destination.chain_id),
        "depositor": request.refund_address,
        "recipient": request.payout_address,
        "refundAddress": request.refund_address,
        "refundOnOrigin": "true",
        "slippage": slippage_text(request.slippage),
        "skipOriginTxEstimation": "true",
        "skipChecks": "true",
        "strictTradeType": "true",
        "routingPreference": "across",
    }
    if integrator is not None:
        query["integratorId"] = integrator
    return query


def slippage_text(slippage: Fraction) -> str:
    """Write a share as the Swap API takes it: a decimal fraction of at most 0.5, in four places, rounded down."""
    return format(Decimal(slippage_bps(slippage, _LARGEST_SLIPPAGE_BPS)).scaleb(-4).normalize(), "f")


async def suggested_fees(http: Upstream, request: QuoteRequest, route: Route) -> SuggestedFees:
    """Ask for the terms of a bare deposit; raise an AdapterError."""
    query = fees_query(request, route, request.amount)
    return read_answer(SuggestedFees, await ERRORS.answer(http.get("/suggested-fees", query)))


async def swap_approval(http: Upstream, query: Query) -> Approval | None:
    """Ask the Swap API for a transaction; None if we have no access (401, 404). Raise an AdapterError."""
    document = await ERRORS.find(http.get("/swap/approval", query), unknown=(401, 404))
    return None if document is None else read_answer(Approval, document)


async def smallest_deposit(http: Upstream, request: QuoteRequest, route: Route) -> int | None:
    """Ask for a route's smallest deposit, which errors do not contain; None if the amount is not the reason."""
    try:
        found = read_answer(Limits, await ERRORS.answer(http.get("/limits", fees_query(request, route, None))))
    except AdapterError:
        return None
    return found.min_deposit if found.min_deposit > request.amount else None


async def deposit_status(http: Upstream, query: Query) -> DepositStatus | None:
    """Ask for a deposit's status; None if the API does not know it (yet). Raise an AdapterError."""
    document = await ERRORS.find(http.get("/deposit/status", query))
    return None if document is None else read_answer(DepositStatus, document)
