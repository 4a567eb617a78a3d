"""DFlow's endpoint and the meaning of its failures."""

from collections.abc import Iterable

from rhumbline.adapters.dflow.wire import Order
from rhumbline.domain.errors import BelowMinimum, NoRoute, RequestRejected, UpstreamFailed
from rhumbline.domain.quote import QuoteRequest
from rhumbline.gateways.http.strict_json import Json
from rhumbline.gateways.svm.programs import WRAPPED_SOL
from rhumbline.gateways.upstreams.error_table import ErrorTable, text_at
from rhumbline.gateways.upstreams.spec import read_answer
from rhumbline.gateways.upstreams.upstream import Upstream

ROOM = 288
"""Bytes of the transaction that stay free for ours: two fees, tracking and compute budget were measured at 233; a mint
that takes a fee of its transfers has some more."""


def _codes(_: int, body: Json) -> Iterable[str]:
    return (text_at(body, "code"),)


ERRORS = ErrorTable(
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
        "requested_input_amount_is_zero": (BelowMinimum, "does not trade so small an amount"),
        "zero_out_amount": (BelowMinimum, "does not trade so small an amount"),
    },
    _codes,
)


async def find_order(http: Upstream, request: QuoteRequest, slippage_bps: int) -> Order:
    """Ask for a swap in one transaction that the wallet alone signs; raise an AdapterError."""
    mints = request.pair(WRAPPED_SOL)
    query = {
        "inputMint": mints[0],
        "outputMint": mints[1],
        "amount": str(request.amount),
        "userPublicKey": request.sender,
        "slippageBps": str(slippage_bps),
        # Otherwise DFlow may open an order that somebody fills later.
        "allowAsyncExec": "false",
        "includeAddressLookupTables": "true",
        "reserveTransactionSize": str(ROOM + request.reserved),
        "wrapAndUnwrapSol": "true" if request.sells_native or request.buys_native else "false",
        # The price of units is ours to set.
        "prioritizationFeeLamports": "disabled",
    }
    if request.payout_address != request.sender:
        query["destinationWallet"] = request.payout_address
    return read_answer(Order, await ERRORS.answer(http.get("/order", query)))
