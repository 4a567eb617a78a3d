"""1Click's endpoints, their parameters, and the meaning of their refusals."""

import re
from dataclasses import dataclass

from rhumbline.adapters.near_intents.deployments import Deployment
from rhumbline.adapters.near_intents.wire import ListedToken, QuoteAnswer, StatusAnswer, instant
from rhumbline.domain.amount import BASIS_POINTS
from rhumbline.domain.errors import AdapterError, BelowMinimum, NoRoute, RequestRejected, UpstreamFailed
from rhumbline.domain.quote import QuoteRequest
from rhumbline.gateways.chain_types.addresses import is_address
from rhumbline.gateways.http.strict_json import Json
from rhumbline.gateways.upstreams.error_table import ErrorTable, text_at
from rhumbline.gateways.upstreams.fields import LARGEST_AMOUNT
from rhumbline.gateways.upstreams.spec import read_answer
from rhumbline.gateways.upstreams.upstream import Upstream, UpstreamError, UpstreamRefused

_LONGEST_MESSAGE = 1000
_TOO_LOW = re.compile(r"too low.*?try at least ([0-9]{1,78})\b", re.IGNORECASE | re.DOTALL)
_BELOW = "the amount is below the bridge's minimum"


def _message(body: Json) -> str:
    # The matched words are in its first sentence; a search through megabytes would take hours.
    return text_at(body, "message")[:_LONGEST_MESSAGE]


def _texts(status: int, body: Json) -> list[str]:
    message = _message(body).lower() if status == 400 else ""
    return [text for text in ERRORS.meanings if text in message]


ERRORS = ErrorTable(
    {
        "too low": (BelowMinimum, _BELOW),
        "minimum swap amount": (BelowMinimum, "the amount is below the present minimum in USD"),
        "no liquidity": (NoRoute, "no solver offers this amount"),
        "failed to get quote": (NoRoute, "no solver offers this amount"),
        "tokenin is not valid": (NoRoute, "the origin token is not served any more"),
        "tokenout is not valid": (NoRoute, "the destination token is not served any more"),
        "recipient is not valid": (RequestRejected, "refuses the receiver's address"),
        "refundto is not valid": (RequestRejected, "refuses the address for refunds"),
    },
    _texts,
)
"""Texts in the message of an HTTP 400, in lower case, because the service has no codes. The first match counts."""


@dataclass(frozen=True, slots=True)
class Route:
    """Both chains and the asset IDs of both tokens."""

    origin: Deployment
    destination: Deployment
    origin_asset: str
    destination_asset: str


def route_of(request: QuoteRequest, places: tuple[Deployment, Deployment] | None) -> Route | None:
    """Return the route from wallet to wallet between two chains' known tokens; None where there is none."""
    ends = ((request.origin, request.sender), (request.destination, request.receiver))
    if places is None or request.origin.id == request.destination.id or request.payout_address != request.receiver:
        return None
    if not all(is_address(chain.type, wallet) for chain, wallet in ends):
        return None
    origin, destination = places
    origin_asset, destination_asset = (
        origin.asset(request.origin_token.address),
        destination.asset(request.destination_token.address),
    )
    return (
        None
        if origin_asset is None or destination_asset is None
        else Route(origin, destination, origin_asset, destination_asset)
    )


EXACT_OUTPUT = "EXACT_OUTPUT"


def question(
    route: Route, request: QuoteRequest, tolerance: int, *, dry: bool, output: int | None = None
) -> dict[str, object]:
    """Return the body of ``POST /v0/quote``; ``tolerance`` is in basis points, ``dry`` reserves no address.

    ``output`` asks for the input for exactly that. Refunds begin at the deadline, which must leave a deposit that was
    sent in the last moment the time to confirm.
    """
    return {
        "dry": dry,
        "depositMode": "SIMPLE",
        "swapType": "EXACT_INPUT" if output is None else EXACT_OUTPUT,
        "slippageTolerance": tolerance,
        "originAsset": route.origin_asset,
        "depositType": "ORIGIN_CHAIN",
        "destinationAsset": route.destination_asset,
        "amount": str(request.amount if output is None else output),
        "refundTo": request.refund_address,
        "refundType": "ORIGIN_CHAIN",
        "recipient": request.payout_address,
        "recipientType": "DESTINATION_CHAIN",
        "deadline": instant(request.deadline + route.origin.deposit_s),
    }


def tolerance_for(output: int, minimum: int) -> int:
    """Return the largest slippage, in whole basis points, under which ``output`` still guarantees ``minimum``.

    Rounded down; none if the output is not above the minimum.
    """
    return max(output - minimum, 0) * BASIS_POINTS // output if output > 0 else 0


async def ask_quote(http: Upstream, body: dict[str, object]) -> QuoteAnswer:
    """Ask ``POST /v0/quote``; raise an AdapterError, BelowMinimum with the smallest amount if stated."""
    try:
        document = await http.post("/v0/quote", body)
    except UpstreamError as error:
        raise _smallest(error) or ERRORS.failure(error) from None
    return read_answer(QuoteAnswer, document)


async def listed_tokens(http: Upstream, assets: tuple[str, ...]) -> tuple[ListedToken, ...]:
    """Return the entries of ``GET /v0/tokens`` with these asset IDs, in their order; raise NoRoute if one is missing.

    Other entries are not parsed: the list grows by chains and forms that are not ours.
    """
    document = await ERRORS.answer(http.get("/v0/tokens"))
    if not isinstance(document, list):
        raise UpstreamFailed("answered something unexpected: the list of tokens is no list")
    entries = {text_at(entry, "assetId"): entry for entry in document}
    if not entries.keys() >= set(assets):
        raise NoRoute("the service does not list the token any more")
    return tuple(read_answer(ListedToken, entries[asset]) for asset in assets)


async def ask_status(http: Upstream, deposit_address: str) -> StatusAnswer | None:
    """Ask ``GET /v0/status``; None when the service does not know the address. Raise an AdapterError."""
    document = await ERRORS.find(http.get("/v0/status", {"depositAddress": deposit_address}))
    return None if document is None else read_answer(StatusAnswer, document)


def _smallest(error: UpstreamError) -> AdapterError | None:
    """Return the meaning of a refusal with a smallest amount, under any status that is not about us."""
    if not isinstance(error, UpstreamRefused) or error.status in (401, 403, 429):
        return None
    found = _TOO_LOW.search(_message(error.body))
    if found is None:
        return None
    least = int(found[1])
    return BelowMinimum(_BELOW, least if least <= LARGEST_AMOUNT else None)
