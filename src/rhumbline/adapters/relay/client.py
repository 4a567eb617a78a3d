"""Relay's endpoints and the meaning of its error codes."""

from collections.abc import Mapping
from types import MappingProxyType

from pydantic import TypeAdapter, ValidationError

from rhumbline.adapters.relay.deployments import Deployment
from rhumbline.adapters.relay.wire import ErrorAnswer, QuoteAnswer, StatusAnswer, Text
from rhumbline.domain.amount import slippage_bps
from rhumbline.domain.chain import ChainType
from rhumbline.domain.errors import (
    BelowMinimum,
    CredentialsRejected,
    NoRoute,
    RequestRejected,
    SlippageTooTight,
    UpstreamFailed,
)
from rhumbline.domain.quote import QuoteRequest
from rhumbline.gateways.http.strict_json import Json
from rhumbline.gateways.upstreams.error_table import ErrorTable
from rhumbline.gateways.upstreams.fields import EvmAddress
from rhumbline.gateways.upstreams.spec import AdapterContext, Published, read_answer
from rhumbline.gateways.upstreams.upstream import Upstream

_DEPOSITORY = ("protocol", "v2", "depository")
PATHS: Mapping[ChainType, Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        ChainType.EVM: {
            "depository": _DEPOSITORY,
            "router": ("contracts", "v3", "erc20Router"),
            "approval_proxy": ("contracts", "v3", "approvalProxy"),
        },
        ChainType.SVM: {"depository": _DEPOSITORY},
    }
)
"""Where a chain's row has the contracts of the versions used here, beside those of older versions."""
_ADDRESS: Mapping[ChainType, TypeAdapter[str]] = MappingProxyType(
    {ChainType.EVM: TypeAdapter(EvmAddress), ChainType.SVM: TypeAdapter(Text)}
)


def _codes(_: int, body: Json) -> list[str]:
    return [read_answer(ErrorAnswer, body).error_code] if isinstance(body, dict) and "errorCode" in body else []


ERRORS = ErrorTable(
    {
        "AMOUNT_TOO_LOW": (BelowMinimum, "finds the amount too low"),
        "SWAP_IMPACT_TOO_HIGH": (SlippageTooTight, "would move the price too far"),
        "NO_SWAP_ROUTES_FOUND": (NoRoute, "has no route"),
        "NO_QUOTES": (NoRoute, "has no quote"),
        "NO_INTERNAL_SWAP_ROUTES_FOUND": (NoRoute, "has no swap between the tokens"),
        "UNSUPPORTED_ROUTE": (NoRoute, "does not support the route"),
        "INSUFFICIENT_LIQUIDITY": (NoRoute, "has too little liquidity"),
        "UNSUPPORTED_CHAIN": (NoRoute, "does not support a chain"),
        "CHAIN_DISABLED": (NoRoute, "has switched a chain off"),
        "UNSUPPORTED_CURRENCY": (NoRoute, "does not support a token"),
        "INVALID_INPUT_CURRENCY": (NoRoute, "does not know the input token"),
        "INVALID_OUTPUT_CURRENCY": (NoRoute, "does not know the output token"),
        "SOLANA_TX_TOO_LARGE": (NoRoute, "has a route that does not fit a transaction"),
        "INSUFFICIENT_FUNDS": (RequestRejected, "finds too little in the wallet"),
        "INVALID_ADDRESS": (RequestRejected, "rejects an address"),
        "INVALID_RECIPIENT": (RequestRejected, "rejects the receiver"),
        "SANCTIONED_WALLET_ADDRESS": (RequestRejected, "does not serve one of the wallets"),
        "SANCTIONED_CURRENCY": (RequestRejected, "does not serve one of the tokens"),
        "USER_RECIPIENT_MISMATCH": (RequestRejected, "serves this only from a wallet to itself"),
        "INVALID_SLIPPAGE_TOLERANCE": (RequestRejected, "rejects the slippage"),
        "EXTRA_TXS_NOT_SUPPORTED": (RequestRejected, "rejects the request"),
        "INVALID_EXTRA_TXS": (RequestRejected, "rejects the request"),
        "INVALID_GAS_LIMIT_FOR_DEPOSIT_SPECIFIED_TXS": (RequestRejected, "rejects the request"),
        "UNSUPPORTED_EXECUTION_TYPE": (RequestRejected, "rejects the request"),
        "UNAUTHORIZED": (CredentialsRejected, "refuses our credentials"),
        "FORBIDDEN": (CredentialsRejected, "refuses our credentials"),
        "REQUEST_TIMED_OUT": (UpstreamFailed, "waited too long for a node"),
        "RPC_HTTP_ERROR": (UpstreamFailed, "could not ask a node"),
        "SERVICE_UNAVAILABLE": (UpstreamFailed, "is not available"),
        "PRICE_FETCH_FAILED": (UpstreamFailed, "has no prices now"),
        "ROUTE_TEMPORARILY_RESTRICTED": (UpstreamFailed, "restricts the route for now"),
        "SWAP_QUOTE_FAILED": (RequestRejected, "could not price the swap"),
        "DESTINATION_TX_FAILED": (RequestRejected, "saw the delivery fail"),
        "ERC20_ROUTER_ADDRESS_NOT_FOUND": (RequestRejected, "found no router"),
        "PERMIT_FAILED": (RequestRejected, "could not read a signature"),
    },
    _codes,
)
"""The documented codes (references/api/api_core_concepts/handling-errors, read 2026-11-21); others by HTTP status.

So is UNKNOWN_ERROR, which says nothing. What fails to be priced, tried or made for a question fails again for it.
"""


async def find_quote(
    http: Upstream,
    request: QuoteRequest,
    places: tuple[Deployment, Deployment],
    output: int | None = None,
    topup: int = 0,
) -> QuoteAnswer:
    """Ask for a quote between two places, with its transactions and its signed order; raise an AdapterError.

    ``output`` asks for the input for an expected output instead (``tradeType``, references/api/get-quote-v2).
    ``topup`` asks for so much native beside the output, in Relay's own units.
    """
    tokens = request.pair(places[0].native, places[1].native)
    body = {
        "user": request.sender,
        "recipient": request.payout_address,
        "originChainId": places[0].relay_id,
        "destinationChainId": places[1].relay_id,
        "originCurrency": tokens[0],
        "destinationCurrency": tokens[1],
        "amount": str(request.amount if output is None else output),
        "tradeType": "EXACT_INPUT" if output is None else "EXPECTED_OUTPUT",
        # Without it there is no automatic refund.
        "refundTo": request.refund_address,
        "slippageTolerance": str(slippage_bps(request.slippage)),
        # The wallet is named as the depositor, whoever calls.
        "explicitDeposit": True,
        "usePermit": False,
        "useDepositAddress": False,
        "topupGas": topup > 0,
        "includeProtocolData": True,
        **({"topupGasAmount": str(topup)} if topup else {}),
    }
    return read_answer(QuoteAnswer, await ERRORS.answer(http.post("/quote/v2", body)))


async def find_status(http: Upstream, request_id: str) -> StatusAnswer | None:
    """Ask for a request's status, None if Relay does not know it; raise an AdapterError."""
    try:
        answer = await ERRORS.answer(http.get("/intents/status/v3", {"requestId": request_id}))
    except (RequestRejected, NoRoute) as failure:
        # An answer that is none is refused; a refusal says that the request is not known.
        if failure.__cause__ is None:
            raise
        return None
    return read_answer(StatusAnswer, answer)


async def published(context: AdapterContext[Deployment]) -> Published:
    """Read the contracts that Relay publishes for the chains with a deployment; raise an AdapterError.

    The vendor's page of addresses is made of the same list.
    """
    document = await ERRORS.answer(context.http.get("/chains"))
    rows = document.get("chains") if isinstance(document, dict) else None
    if not isinstance(rows, list):
        raise UpstreamFailed("answered something unexpected: chains is not as documented")
    ours = {place.relay_id: number for number, place in context.deployments.items() if number in context.chains}
    found: dict[int, dict[str, str]] = {}
    for row in rows:
        number = row.get("id") if isinstance(row, dict) else None
        if not isinstance(number, int) or isinstance(number, bool) or number not in ours:
            continue
        if ours[number] in found:
            raise UpstreamFailed("answered a chain twice")
        found[ours[number]] = _contracts(row, context.chains[ours[number]].type)
    return found


def _contracts(row: Json, chain_type: ChainType) -> dict[str, str]:
    try:
        addresses = {name: _at(row, path) for name, path in PATHS[chain_type].items()}
        address = _ADDRESS[chain_type]
        return {
            name: address.validate_python(each, strict=True) for name, each in addresses.items() if each is not None
        }
    except (ValidationError, TypeError):
        raise UpstreamFailed("answered something unexpected: a chain's contracts are not as documented") from None


def _at(row: Json, path: tuple[str, ...]) -> Json:
    """Return the value at a path, None if it ends early; raise TypeError if something on the way is no object."""
    for name in path:
        if row is None:
            return None
        if not isinstance(row, dict):
            raise TypeError
        row = row.get(name)
    return row
