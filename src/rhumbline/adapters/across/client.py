"""The API's endpoints, and what its failures mean.

Source: ``api/_errors.ts`` and the handlers of across-protocol/frontend, ``bdcf46c`` of 2026-02-06, and the status
endpoint of across-protocol/indexer, ``a28c9a5`` of the same day, all read 2026-11-21.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from rhumbline.adapters.across.wire import Approval, DepositStatus, Limits, SuggestedFees
from rhumbline.domain.errors import (
    AdapterError,
    BelowMinimum,
    NoRoute,
    RequestRejected,
    SlippageTooTight,
    UpstreamFailed,
)
from rhumbline.gateways.http.upstream import Query, Upstream, UpstreamError, UpstreamRefused
from rhumbline.gateways.upstreams.spec import failure_of, known_failure, read_answer

_UNSUPPORTED_CHAIN = "Unsupported chain"


def _too_low(_: str) -> AdapterError:
    return BelowMinimum("the amount is too low for the fees", None)


def _too_high(_: str) -> AdapterError:
    return NoRoute("the amount is above what the route takes")


def _no_route(_: str) -> AdapterError:
    return NoRoute("the route is not served")


def _slippage(_: str) -> AdapterError:
    return SlippageTooTight("the permitted slippage is too small")


def _rejected(message: str) -> AdapterError:
    # A chain that is not served is an invalid parameter to the API.
    if message.startswith(_UNSUPPORTED_CHAIN):
        return NoRoute("a chain is not served")
    return RequestRejected("rejects the request")


def _passing(_: str) -> AdapterError:
    return UpstreamFailed("has a failure of its own")


CODES: Mapping[str, Callable[[str], AdapterError]] = MappingProxyType(
    {
        "AMOUNT_TOO_LOW": _too_low,
        "AMOUNT_TOO_HIGH": _too_high,
        "ROUTE_NOT_ENABLED": _no_route,
        "SWAP_LIQUIDITY_INSUFFICIENT": _no_route,
        "SWAP_QUOTE_UNAVAILABLE": _no_route,
        "SWAP_TYPE_NOT_GUARANTEED": _no_route,
        "SPONSORED_DONATION_BOX_FUNDS_INSUFFICIENT": _no_route,
        "MAX_BPS_TO_SPONSOR_TOO_HIGH": _no_route,
        "HYPERCORE_ACCOUNT_NOT_INITIALIZED": _no_route,
        "SWAP_SLIPPAGE_INSUFFICIENT": _slippage,
        "SPONSORED_SWAP_SLIPPAGE_TOO_HIGH": _slippage,
        "INVALID_PARAM": _rejected,
        "MISSING_PARAM": _rejected,
        "INVALID_METHOD": _rejected,
        "SIMULATION_ERROR": _rejected,
        "ABI_ENCODING_ERROR": _rejected,
        "UPSTREAM_RPC_ERROR": _passing,
        "UPSTREAM_HTTP_ERROR": _passing,
        "UPSTREAM_GATEWAY_TIMEOUT": _passing,
        "UNEXPECTED_ERROR": _passing,
    }
)
"""What each code of an ``AcrossApiError`` means; any other goes by its HTTP status."""


def meaning_of(error: UpstreamError) -> AdapterError:
    if isinstance(error, UpstreamRefused) and error.status != 429:
        body = error.body if isinstance(error.body, dict) else {}
        code, message = body.get("code"), body.get("message")
        if isinstance(code, str) and code in CODES:
            return known_failure(CODES[code](message if isinstance(message, str) else ""), error)
        if error.status == 404:
            return NoRoute("a token is not known")
    return failure_of(error)


async def suggested_fees(http: Upstream, query: Query) -> SuggestedFees:
    """Ask for the terms of a bare deposit; raise an AdapterError."""
    try:
        document = await http.get("/suggested-fees", query)
    except UpstreamError as error:
        raise meaning_of(error) from error
    return read_answer(SuggestedFees, document)


async def swap_approval(http: Upstream, query: Query) -> Approval | None:
    """Ask the Swap API for a transaction; None where it is not open to us (401, 404). Raise an AdapterError."""
    try:
        document = await http.get("/swap/approval", query)
    except UpstreamRefused as error:
        if error.status in (401, 404):
            return None
        raise meaning_of(error) from error
    except UpstreamError as error:
        raise meaning_of(error) from error
    return read_answer(Approval, document)


async def limits(http: Upstream, query: Query) -> Limits:
    """Ask for the smallest and the largest deposit of a route; raise an AdapterError."""
    try:
        document = await http.get("/limits", query)
    except UpstreamError as error:
        raise meaning_of(error) from error
    return read_answer(Limits, document)


async def deposit_status(http: Upstream, query: Query) -> DepositStatus | None:
    """Ask how a deposit stands; None when the API does not know it (yet). Raise an AdapterError."""
    try:
        document = await http.get("/deposit/status", query)
    except UpstreamRefused as error:
        if error.status == 404:
            return None
        raise meaning_of(error) from error
    except UpstreamError as error:
        raise meaning_of(error) from error
    return read_answer(DepositStatus, document)
