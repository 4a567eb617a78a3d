"""Mayan's endpoints, and what its errors mean.

The price API and the explorer are two hosts. Errors have ``code``, ``msg`` or ``message``, and ``data``; only three
codes are documented, so whatever else is refused goes by its HTTP status.
"""

from collections.abc import Iterable, Sequence
from decimal import ROUND_CEILING

from pydantic import ValidationError

from rhumbline.adapters.mayan.bytes32 import MAYAN_PROGRAM, marker_of
from rhumbline.adapters.mayan.deployments import Deployment
from rhumbline.adapters.mayan.kinds.order import Kind, Order
from rhumbline.adapters.mayan.wire import QuotesSaid, Said, SwapSaid, TransferSaid
from rhumbline.domain.errors import AdapterError, BelowMinimum, NoRoute, RequestRejected, UpstreamFailed
from rhumbline.domain.quote import QuoteRequest
from rhumbline.gateways.http.strict_json import Json
from rhumbline.gateways.http.upstream import Upstream, UpstreamError, UpstreamRefused
from rhumbline.gateways.upstreams.fields import LARGEST_AMOUNT, Number
from rhumbline.gateways.upstreams.spec import failure_of, read_answer

SDK_VERSION = "15_2_0"
"""The version of the SDK whose calldata we make; it is asked for with underscores."""
MOST_SLIPPAGE_BPS = 500
SLIPPAGE_MARGIN_BPS = 4
"""How much less slippage is asked for than is permitted: Mayan's share (3) comes off after a minimum is measured, and a
published quote guarantees 1.5 less than its own slippage says."""
_FLAGS = ((Kind.WORMHOLE, "wormhole"), (Kind.SWIFT, "swift"), (Kind.MCTP, "mctp"), (Kind.FAST_MCTP, "fastMctp"))


class _Faulted(Said):
    code: str | int | None = None
    msg: str | None = None
    message: str | None = None
    data: dict[str, object] | None = None


class _Smallest(Said):
    min_amount_in: Number


def quotes_query(
    request: QuoteRequest, kinds: Iterable[Kind], places: Sequence[Deployment], version: str
) -> Sequence[tuple[str, str]]:
    """Return the question for quotes of these kinds; ``places`` are origin and destination."""
    here, there = places
    asked = frozenset(kinds)
    return [
        *((flag, _truth(kind in asked)) for kind, flag in _FLAGS),
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
        ("slippageBps", str(slippage_bps(request))),
        ("destinationAddress", request.receiver),
        ("sdkVersion", version),
    ]


async def ask_quotes(
    http: Upstream, request: QuoteRequest, query: Sequence[tuple[str, str]], version: str
) -> QuotesSaid:
    """Ask for the quotes of a request, unread yet. Raise an AdapterError."""
    try:
        answer = read_answer(QuotesSaid, await http.get("/quote", query))
    except UpstreamError as error:
        raise fault_of(error, request) from error
    if answer.minimum_sdk_version is not None and answer.minimum_sdk_version > _numbers(version):
        raise RequestRejected("wants a newer version of its protocol than is spoken here")
    return answer


async def ask_swap(
    http: Upstream, request: QuoteRequest, order: Order, here: Deployment, slippage: int, version: str
) -> SwapSaid:
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
    try:
        return read_answer(SwapSaid, await http.get("/get-swap/evm", query))
    except UpstreamError as error:
        raise fault_of(error, request) from error


async def ask_transfer(explorer: Upstream, name: str) -> TransferSaid | None:
    """Ask how a transfer stands, by its origin's transaction or its order's hash; None where it is not known."""
    try:
        said = read_answer(TransferSaid, await explorer.get(f"/swap/trx/{name}"))
    except UpstreamRefused as error:
        if error.status == 404:
            return None
        raise failure_of(error) from error
    except UpstreamError as error:
        raise failure_of(error) from error
    if not said.status and not said.client_status:
        raise UpstreamFailed("answered a transfer without its status")
    return said


def slippage_bps(request: QuoteRequest) -> int:
    """Return the slippage to ask for in hundredths of a percent, rounded down, at most what Mayan takes.

    It leaves a margin, so that what is guaranteed in the end is within what the request permits.
    """
    return min(MOST_SLIPPAGE_BPS, max(0, int(request.slippage * 10_000) - SLIPPAGE_MARGIN_BPS))


def _truth(value: bool) -> str:
    return "true" if value else "false"


def _numbers(version: str) -> list[int]:
    return [int(part) for part in version.split("_")]


def fault_of(error: UpstreamError, request: QuoteRequest) -> AdapterError:
    """Return what a refusal means: the table of Mayan's error codes; its texts are not shown."""
    if not isinstance(error, UpstreamRefused) or error.status in (401, 403, 429):
        return failure_of(error)
    # A code that blames the amount or the route does so under any status.
    fault = _faulted(error.body)
    words = fault.msg or fault.message or ""
    if fault.code == "AMOUNT_TOO_SMALL":
        return BelowMinimum("the amount is below Mayan's minimum", _smallest(fault, request.origin_token.decimals))
    if fault.code in (None, 0, "0") and words.startswith("Amount too small"):
        return BelowMinimum("the amount is below Mayan's minimum", None)
    if fault.code == "ROUTE_NOT_FOUND" or (fault.code in (None, 0, "0") and words == "Route not found"):
        return NoRoute("no route between the two tokens for this amount")
    if fault.code == "SDK_VERSION_TOO_OLD":
        return RequestRejected("wants a newer version of its protocol than is spoken here")
    return failure_of(error)


def _faulted(body: Json) -> _Faulted:
    try:
        return _Faulted.model_validate(body)
    except ValidationError:
        return _Faulted()


def _smallest(fault: _Faulted, decimals: int) -> int | None:
    """Return the smallest amount in raw units, rounded up; None when it is not told soundly."""
    try:
        least = _Smallest.model_validate(fault.data).min_amount_in
    except ValidationError:
        return None
    amount = int(least.scaleb(decimals).to_integral_value(ROUND_CEILING))
    return amount if 0 < amount <= LARGEST_AMOUNT else None
