"""Mayan's endpoints and the meaning of its errors.

The price API and the explorer are two hosts. Errors have ``code``, ``msg`` or ``message``, and ``data``; only three
codes are documented, so whatever else is refused goes by its HTTP status.
"""

from collections.abc import Awaitable, Iterable, Sequence
from decimal import ROUND_CEILING

from pydantic import ValidationError

from rhumbline.adapters.mayan.bytes32 import MAYAN_PROGRAM, marker_of
from rhumbline.adapters.mayan.deployments import Deployment
from rhumbline.adapters.mayan.gas_drop import whole_drop
from rhumbline.adapters.mayan.kinds.order import Kind, Order
from rhumbline.adapters.mayan.wire import QuotesReply, SwapReply, TransferReply
from rhumbline.domain.amount import slippage_bps
from rhumbline.domain.errors import BelowMinimum, NoRoute, RequestRejected, UpstreamFailed
from rhumbline.domain.quote import QuoteRequest
from rhumbline.gateways.http.strict_json import Json
from rhumbline.gateways.upstreams.error_table import SUCCESS, ErrorTable, Meaning
from rhumbline.gateways.upstreams.fields import LARGEST_AMOUNT, CamelAnswer, Number
from rhumbline.gateways.upstreams.spec import read_answer
from rhumbline.gateways.upstreams.upstream import Upstream, UpstreamRefused

SDK_VERSION = "15_2_0"
"""The version of the SDK whose calldata we make, in the form of the request."""
MOST_SLIPPAGE_BPS = 500
SLIPPAGE_MARGIN_BPS = 4
"""How much less slippage is requested than permitted: Mayan's share (3) is deducted after a minimum is measured, and a
published quote guarantees 1.5 less than its own slippage says.
"""
_FLAGS = ((Kind.WORMHOLE, "wormhole"), (Kind.SWIFT, "swift"), (Kind.MCTP, "mctp"), (Kind.FAST_MCTP, "fastMctp"))


_TOO_SMALL: Meaning = (BelowMinimum, "the amount is below Mayan's minimum")
_NO_ROUTE: Meaning = (NoRoute, "no route between the two tokens for this amount")
_OLD_VERSION: Meaning = (RequestRejected, "wants a newer version of its protocol than this adapter uses")


class _Failure(CamelAnswer):
    code: str | int | None = None
    msg: str | None = None
    message: str | None = None
    data: dict[str, object] | None = None


class _Smallest(CamelAnswer):
    min_amount_in: Number


def _codes(status: int, body: Json) -> list[str]:
    if status in (SUCCESS, 401, 403):
        return []
    failure = _read_failure(body)
    if failure.code not in (None, 0, "0"):
        return [str(failure.code)]
    words = failure.msg or failure.message or ""
    return [
        text for text in ERRORS.meanings if words == text or (text == "Amount too small" and words.startswith(text))
    ]


ERRORS = ErrorTable(
    {
        "AMOUNT_TOO_SMALL": _TOO_SMALL,
        "Amount too small": _TOO_SMALL,
        "ROUTE_NOT_FOUND": _NO_ROUTE,
        "Route not found": _NO_ROUTE,
        "SDK_VERSION_TOO_OLD": _OLD_VERSION,
    },
    _codes,
)
"""Mayan's error codes, and its texts if there is no code; a code counts under any status."""


def quotes_query(
    request: QuoteRequest, kinds: Iterable[Kind], places: Sequence[Deployment], version: str
) -> Sequence[tuple[str, str]]:
    """Return the question for quotes of these kinds; ``places`` are origin and destination.

    Raise NoRoute for more native on arrival than Mayan brings.
    """
    here, there = places
    requested = frozenset(kinds)
    return [
        *((flag, "true" if kind in requested else "false") for kind, flag in _FLAGS),
        ("monoChain", "false"),
        ("shuttle", "false"),
        ("gasless", "false"),
        ("onlyDirect", "false"),
        # All of them: the fastest and the best may both be of no use to us.
        ("fullList", "true"),
        ("solanaProgram", MAYAN_PROGRAM),
        ("forwarderAddress", here.forwarder),
        ("amountIn64", str(request.amount)),
        ("fromToken", marker_of(request.origin_token.address, request.origin.type)),
        ("fromChain", here.name),
        ("toToken", marker_of(request.destination_token.address, request.destination.type)),
        ("toChain", there.name),
        ("slippageBps", str(requested_slippage_bps(request))),
        ("destinationAddress", request.receiver),
        *([("gasDrop", f"{whole_drop(request, there):f}")] if request.destination_gas else []),
        ("sdkVersion", version),
    ]


async def ask_quotes(
    http: Upstream, request: QuoteRequest, query: Sequence[tuple[str, str]], version: str
) -> QuotesReply:
    """Ask for the quotes of a request, unparsed. Raise an AdapterError; BelowMinimum has the smallest amount."""
    answer = read_answer(QuotesReply, await _answer(http.get("/quote", query), request))
    if answer.minimum_sdk_version is not None and answer.minimum_sdk_version > [
        int(part) for part in version.split("_")
    ]:
        kind, reason = _OLD_VERSION
        raise kind(reason)
    return answer


async def ask_swap(
    http: Upstream, request: QuoteRequest, order: Order, here: Deployment, slippage: int, version: str
) -> SwapReply:
    """Ask for the swap on the origin, made by the Forwarder and paid to it. Raise an AdapterError."""
    query = [
        ("forwarderAddress", here.forwarder),
        ("slippageBps", str(slippage)),
        ("fromToken", marker_of(request.origin_token.address, request.origin.type)),
        ("middleToken", order.input_token.lower()),
        ("chainName", here.name),
        ("amountIn64", str(order.amount)),
        ("sdkVersion", version),
    ]
    return read_answer(SwapReply, await _answer(http.get("/get-swap/evm", query), request))


async def ask_transfer(explorer: Upstream, name: str) -> TransferReply | None:
    """Ask for a transfer's status, by its origin's transaction or its order's hash; None if it is unknown."""
    document = await ERRORS.find(explorer.get(f"/swap/trx/{name}"))
    if document is None:
        return None
    reply = read_answer(TransferReply, document)
    if not reply.status and not reply.client_status:
        raise UpstreamFailed("answered a transfer without its status")
    return reply


async def _answer(call: Awaitable[Json], request: QuoteRequest) -> Json:
    try:
        return await ERRORS.answer(call)
    except BelowMinimum as failure:
        body = failure.__cause__.body if isinstance(failure.__cause__, UpstreamRefused) else None
        raise BelowMinimum(failure.reason, _smallest(body, request.origin_token.decimals)) from failure


def requested_slippage_bps(request: QuoteRequest) -> int:
    """Return the slippage to request in hundredths of a percent, rounded down, at most Mayan's largest.

    It leaves a margin, so that the final guarantee is within what the request permits.
    """
    return min(MOST_SLIPPAGE_BPS, max(0, slippage_bps(request.slippage) - SLIPPAGE_MARGIN_BPS))


def _read_failure(body: Json) -> _Failure:
    try:
        return _Failure.model_validate(body)
    except ValidationError:
        return _Failure()


def _smallest(body: Json, decimals: int) -> int | None:
    """Return the smallest amount in raw units, rounded up; None if it is missing or malformed."""
    try:
        least = _Smallest.model_validate(_read_failure(body).data).min_amount_in
    except ValidationError:
        return None
    amount = int(least.scaleb(decimals).to_integral_value(ROUND_CEILING))
    return amount if 0 < amount <= LARGEST_AMOUNT else None
