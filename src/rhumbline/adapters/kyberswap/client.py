"""KyberSwap's endpoints and the meaning of its error codes."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from rhumbline.adapters.kyberswap.deployments import Deployment
from rhumbline.adapters.kyberswap.wire import BuildAnswer, BuildData, RouteAnswer, RouteData
from rhumbline.domain.amount import BASIS_POINTS
from rhumbline.domain.errors import NoRoute, RequestRejected, SlippageTooTight, UpstreamFailed
from rhumbline.domain.quote import QuoteRequest
from rhumbline.gateways.http.strict_json import Json
from rhumbline.gateways.upstreams.error_table import ErrorTable, text_at
from rhumbline.gateways.upstreams.spec import read_answer
from rhumbline.gateways.upstreams.upstream import Upstream

CLIENT_HEADER = "X-Client-Id"
CLIENT = "rhumbline"
GAS_FAILED = 4227
NOT_ENOUGH = "return amount is not enough"
MOST_TOLERANCE_BPS = 2000


def _codes(status: int, body: Json) -> Iterable[int | str]:
    code = _inside(body, "code")
    if status in (401, 403) or not isinstance(code, int):
        return ()
    return (NOT_ENOUGH, code) if code == GAS_FAILED and NOT_ENOUGH in text_at(body, "message") else (code,)


ERRORS: ErrorTable[int | str] = ErrorTable(
    {
        4000: (RequestRejected, "rejects the request as invalid"),
        4001: (RequestRejected, "cannot read the query"),
        4002: (RequestRejected, "cannot read the body"),
        4003: (RequestRejected, "made a swap that it calls invalid"),
        4004: (RequestRejected, "rejects a value of the request"),
        4005: (RequestRejected, "finds a fee above the input"),
        4007: (RequestRejected, "finds a fee above the output"),
        4008: (NoRoute, "has no route"),
        4009: (NoRoute, "has no route for so large an amount"),
        4010: (NoRoute, "has no pools for the pair"),
        4011: (NoRoute, "does not know a token"),
        40010: (RequestRejected, "misses a sender"),
        40011: (NoRoute, "has no route through the sources that were asked for"),
        4221: (NoRoute, "does not know the chain's wrapped native token"),
        4222: (UpstreamFailed, "finds its route outdated"),
        GAS_FAILED: (RequestRejected, "saw the swap revert"),
        4990: (UpstreamFailed, "dropped the request"),
        500: (UpstreamFailed, "failed"),
        NOT_ENOUGH: (SlippageTooTight, "the output falls below the minimum already"),
    },
    _codes,
)
"""The documented codes (the vendor's error-handling page, read 2026-11-21), and a text of one of them."""


@dataclass(frozen=True, slots=True)
class Route:
    """A route: its terms, and the unchanged document, to be sent back."""

    terms: RouteData
    summary: Json


def headers(credentials: Mapping[str, str]) -> Mapping[str, str]:
    """Return the headers of every call: the client's name, which the service's rate limit goes by."""
    return {CLIENT_HEADER: credentials.get("client_id", CLIENT)}


async def find_route(http: Upstream, place: Deployment, request: QuoteRequest) -> Route:
    """Ask for the best route between two tokens; raise an AdapterError."""
    token_in, token_out = request.pair(place.native)
    query = {
        "tokenIn": token_in,
        "tokenOut": token_out,
        "amountIn": str(request.amount),
        "gasInclude": "true",
        "excludeRFQSources": "true",
        "origin": request.sender,
    }
    answer = await ERRORS.answer(http.get(f"/{place.chain_name}/api/v1/routes", query))
    summary = _inside(answer, "data", "routeSummary")
    return Route(read_answer(RouteAnswer, answer).data, summary)


async def build_route(
    http: Upstream, place: Deployment, request: QuoteRequest, summary: Json, tolerance_bps: int
) -> BuildData:
    """Have a route encoded; its minimum is the output less ``tolerance_bps``, rounded down. Raise an AdapterError."""
    body = {
        "routeSummary": summary,
        "sender": request.taker,
        "recipient": request.payout_address,
        "origin": request.sender,
        "slippageTolerance": tolerance_bps,
        "deadline": request.deadline,
        # It would need the sender to hold the tokens already.
        "enableGasEstimation": False,
    }
    return read_answer(
        BuildAnswer, await ERRORS.answer(http.post(f"/{place.chain_name}/api/v1/route/build", body))
    ).data


def tolerance_bps(output: int, minimum: int) -> int:
    """Return the largest whole tolerance in bps, at most 2000, with which ``minimum`` is still guaranteed.

    KyberSwap's minimum is ``output * (10000 - tolerance) / 10000``, rounded down.
    """
    return min((output - minimum) * BASIS_POINTS // output, MOST_TOLERANCE_BPS)


def _inside(document: Json, *path: str) -> Json:
    for key in path:
        document = document.get(key) if isinstance(document, dict) else None
    return document
