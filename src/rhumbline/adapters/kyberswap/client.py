"""KyberSwap's endpoints, and what its error codes mean."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from rhumbline.adapters.kyberswap.deployments import Deployment
from rhumbline.adapters.kyberswap.wire import BuildAnswer, BuildData, Envelope, RouteAnswer, RouteData
from rhumbline.domain.errors import AdapterError, NoRoute, RequestRejected, SlippageTooTight, UpstreamFailed
from rhumbline.domain.quote import QuoteRequest
from rhumbline.gateways.http.strict_json import Json
from rhumbline.gateways.http.upstream import Upstream, UpstreamError, UpstreamRefused
from rhumbline.gateways.upstreams.spec import failure_of, known_failure, read_answer

CLIENT_HEADER = "X-Client-Id"
CLIENT = "rhumbline"
GAS_FAILED = 4227
NOT_ENOUGH = "return amount is not enough"

ERRORS: Mapping[int, tuple[type[AdapterError], str]] = MappingProxyType(
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
    }
)
"""The documented codes (the vendor's error-handling page, read 2026-11-21); any other counts by its HTTP status."""


@dataclass(frozen=True, slots=True)
class Route:
    """A route: its terms, and the whole of it as it came, to be handed back."""

    terms: RouteData
    summary: Json


def headers(credentials: Mapping[str, str]) -> Mapping[str, str]:
    """Return the headers of every call: the client's name, which the service's rate limit goes by."""
    return {CLIENT_HEADER: credentials.get("client_id", CLIENT)}


async def find_route(http: Upstream, place: Deployment, request: QuoteRequest, tokens: tuple[str, str]) -> Route:
    """Ask for the best route between two tokens in KyberSwap's own notation; raise an AdapterError."""
    query = {
        "tokenIn": tokens[0],
        "tokenOut": tokens[1],
        "amountIn": str(request.amount),
        "gasInclude": "true",
        "excludeRFQSources": "true",
        "origin": request.sender,
    }
    try:
        answer = await http.get(f"/{place.chain_name}/api/v1/routes", query)
    except UpstreamError as error:
        raise _failure(error) from error
    _check(answer)
    terms = read_answer(RouteAnswer, answer).data
    return Route(terms, _inside(answer, "data", "routeSummary"))


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
    try:
        answer = await http.post(f"/{place.chain_name}/api/v1/route/build", body)
    except UpstreamError as error:
        raise _failure(error) from error
    _check(answer)
    return read_answer(BuildAnswer, answer).data


def _inside(document: Json, *path: str) -> Json:
    for key in path:
        document = document.get(key) if isinstance(document, dict) else None
    return document


def _check(answer: Json) -> None:
    """Raise what an answer with HTTP 200 says that is no success."""
    found = _inside(answer, "code")
    if found == 0 and type(found) is int:
        return
    code = read_answer(Envelope, answer).code
    if code != 0:
        raise _meaning(code, answer) or UpstreamFailed("answered with an error it does not document")


def _failure(error: UpstreamError) -> AdapterError:
    if isinstance(error, UpstreamRefused) and error.status not in (401, 403, 429):
        code = _inside(error.body, "code")
        return known_failure(_meaning(code, error.body) if isinstance(code, int) else None, error)
    return failure_of(error)


def _meaning(code: int, body: Json) -> AdapterError | None:
    message = _inside(body, "message")
    if code == GAS_FAILED and isinstance(message, str) and NOT_ENOUGH in message:
        return SlippageTooTight("the output falls below the minimum already")
    known = ERRORS.get(code)
    return None if known is None else known[0](known[1])
