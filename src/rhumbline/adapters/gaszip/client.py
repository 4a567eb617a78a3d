"""Gas.zip's endpoints, and what its errors mean."""

from collections.abc import Container, Mapping
from types import MappingProxyType

from pydantic import ValidationError

from rhumbline.adapters.gaszip.wire import ChainFacts, ChainRow, QuoteAnswer, StatusAnswer
from rhumbline.domain.errors import AdapterError, NoRoute, UpstreamFailed
from rhumbline.domain.quote import QuoteRequest
from rhumbline.gateways.http.strict_json import Json
from rhumbline.gateways.http.upstream import Upstream, UpstreamError, UpstreamRefused
from rhumbline.gateways.upstreams.spec import failure_of, known_failure, read_answer

ERRORS: Mapping[str, tuple[type[AdapterError], str]] = MappingProxyType(
    {
        "Quote: Insufficent Liquidity": (NoRoute, "has too little on the destination"),
        "Quote: Insufficient Liquidity": (NoRoute, "has too little on the destination"),
        "Quote: Chain Limit Exceeded": (NoRoute, "does not take so large an amount"),
        "Source: Chain Disabled": (NoRoute, "takes no deposits on the origin"),
        "Quote: Please Try Again": (UpstreamFailed, "asks to be tried again"),
    }
)
"""Texts as seen (2026-10; the first is spelt so there). What a destination's own entry says comes before the rest."""
RESTRICTED = "Restricted: "
"""How the text begins, with HTTP 400, where a wallet's or receiver's address is refused (as seen, 2026-10-06)."""


async def find_quote(http: Upstream, request: QuoteRequest, numbers: tuple[int, int]) -> QuoteAnswer:
    """Ask what a deposit brings, with its call; raise an AdapterError, also for errors inside a good answer.

    ``numbers`` are the API's own of both chains.
    """
    path = f"/quotes/{numbers[0]}/{request.amount}/{numbers[1]}"
    try:
        document = await http.get(path, {"from": request.sender, "to": request.receiver})
    except UpstreamError as error:
        raise _refusal(error) from error
    answer = read_answer(QuoteAnswer, document)
    if said := _said(answer):
        raise _meaning(said) or UpstreamFailed("answered an error that is not known")
    return answer


async def find_chains(http: Upstream, wanted: tuple[int, int]) -> Mapping[int, ChainFacts]:
    """Read what is said of two chains, by the API's numbers; raise NoRoute when one is missing."""
    found = await listed_chains(http, wanted)
    if len(found) < len(wanted):
        raise NoRoute("does not list one of the chains")
    return found


async def listed_chains(http: Upstream, wanted: Container[int]) -> Mapping[int, ChainFacts]:
    """Read what is said of those among some chains that are listed, by the API's numbers; raise an AdapterError."""
    try:
        document = await http.get("/chains")
    except UpstreamError as error:
        raise failure_of(error) from error
    rows = document.get("chains") if isinstance(document, dict) else None
    if not isinstance(rows, list):
        raise UpstreamFailed("answered something unexpected: chains is not as documented")
    return MappingProxyType(
        {number: read_answer(ChainFacts, row) for row in rows if (number := _number(row)) in wanted}
    )


async def find_deposit(http: Upstream, tx_hash: str) -> StatusAnswer:
    """Ask what became of a deposit's transaction; empty when it is not known. Raise an AdapterError."""
    try:
        return read_answer(StatusAnswer, await http.get(f"/deposit/{tx_hash}"))
    except UpstreamError as error:
        if isinstance(error, UpstreamRefused) and error.status in (400, 404):
            return StatusAnswer()
        raise failure_of(error) from error


def _number(row: Json) -> int:
    """Return the ID of a row's chain, 0 for a row that has none: the others must not suffer for it."""
    try:
        return ChainRow.model_validate(row).chain
    except ValidationError:
        return 0


def _refusal(error: UpstreamError) -> AdapterError:
    if isinstance(error, UpstreamRefused) and error.status != 429 and isinstance(error.body, dict):
        try:
            said = _said(read_answer(QuoteAnswer, error.body))
        except UpstreamFailed:
            said = []
        return known_failure(_meaning(said), error)
    return failure_of(error)


def _said(answer: QuoteAnswer) -> list[str]:
    """Return the errors of an answer, those of destinations first."""
    texts = [*(offer.error for offer in answer.quotes), answer.error]
    return [text for text in texts if text]


def _meaning(said: list[str]) -> AdapterError | None:
    for text in said:
        if text in ERRORS:
            kind, reason = ERRORS[text]
            return kind(reason)
        if text.startswith(RESTRICTED):
            return NoRoute("does not serve this address")
    return None
