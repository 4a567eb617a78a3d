"""DFlow's endpoint, and what its failures mean."""

from collections.abc import Mapping
from types import MappingProxyType

from rhumbline.adapters.dflow.wire import Order
from rhumbline.domain.chain import NATIVE_SVM
from rhumbline.domain.errors import AdapterError, BelowMinimum, NoRoute, RequestRejected, UpstreamFailed
from rhumbline.domain.quote import QuoteRequest
from rhumbline.domain.token import Token
from rhumbline.gateways.http.upstream import Upstream, UpstreamError, UpstreamRefused
from rhumbline.gateways.svm.programs import WRAPPED_SOL
from rhumbline.gateways.upstreams.spec import known_failure, read_answer

ROOM = 288
"""Bytes of the transaction that stay free for ours: two fees, tracking and compute budget were measured at 233; a mint
that takes a fee of its transfers has some more."""

ERRORS: Mapping[str, tuple[type[AdapterError], str]] = MappingProxyType(
    {
        "route_not_found": (NoRoute, "has no route"),
        "price_impact_too_high": (NoRoute, "has no route without moving the price too far"),
        "invalid_input_mint": (NoRoute, "does not know the input token"),
        "invalid_output_mint": (NoRoute, "does not know the output token"),
        "same_input_and_output_mint": (RequestRejected, "does not trade a token for itself"),
        "invalid_slippage_bps": (RequestRejected, "rejects the slippage"),
        "invalid_user_public_key": (RequestRejected, "rejects the wallet"),
        "invalid_destination_wallet": (RequestRejected, "rejects the receiver"),
        "unverified_wallet_not_allowed": (RequestRejected, "does not serve this wallet"),
        "wallet_restricted": (RequestRejected, "does not serve this wallet"),
        "failed_to_compute_route": (UpstreamFailed, "failed to compute a route"),
        "failed_to_construct_order": (UpstreamFailed, "failed to make a transaction"),
        "failed_to_compute_swap": (UpstreamFailed, "failed to compute a swap"),
        "amm_map_not_initialized": (UpstreamFailed, "is starting"),
        "amm_map_lagging": (UpstreamFailed, "lags behind the chain"),
    }
)
TOO_LITTLE = ("requested_input_amount_is_zero", "zero_out_amount")


def headers(credentials: Mapping[str, str]) -> Mapping[str, str]:
    """Return what goes with every call."""
    return {"x-api-key": credentials["api_key"]}


def mint(token: Token) -> str:
    """Name a token as DFlow does: SOL by the mint of its wrapped form."""
    return WRAPPED_SOL if token.address == NATIVE_SVM else token.address


async def find_order(http: Upstream, request: QuoteRequest, slippage_bps: int) -> Order:
    """Ask for a swap in one transaction that the wallet alone signs; raise an AdapterError."""
    query = {
        "inputMint": mint(request.origin_token),
        "outputMint": mint(request.destination_token),
        "amount": str(request.amount),
        "userPublicKey": request.sender,
        "slippageBps": str(slippage_bps),
        # Else DFlow may open an order that somebody fills later.
        "allowAsyncExec": "false",
        "includeAddressLookupTables": "true",
        "reserveTransactionSize": str(ROOM),
        "wrapAndUnwrapSol": "true" if NATIVE_SVM in _pair(request) else "false",
        # The price of units is ours to set.
        "prioritizationFeeLamports": "disabled",
    }
    if request.payout_address != request.sender:
        query["destinationWallet"] = request.payout_address
    try:
        return read_answer(Order, await http.get("/order", query))
    except UpstreamError as error:
        raise _failure(error) from error


def _pair(request: QuoteRequest) -> tuple[str, str]:
    return request.origin_token.address, request.destination_token.address


def _failure(error: UpstreamError) -> AdapterError:
    known: AdapterError | None = None
    if isinstance(error, UpstreamRefused) and error.status != 429 and isinstance(error.body, dict):
        code = error.body.get("code")
        if code in TOO_LITTLE:
            return BelowMinimum("does not trade so small an amount", None)
        named = ERRORS.get(code) if isinstance(code, str) else None
        known = None if named is None else named[0](named[1])
    return known_failure(known, error)
