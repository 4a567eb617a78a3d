"""Gas.zip's endpoints and the meaning of its errors."""

from collections.abc import Container, Mapping
from types import MappingProxyType

from rhumbline.adapters.gaszip.deployments import Deployment, api_number
from rhumbline.adapters.gaszip.wire import ChainFacts, QuoteAnswer, ReverseAnswer, StatusAnswer
from rhumbline.domain.errors import NoRoute, UpstreamFailed
from rhumbline.domain.quote import QuoteRequest
from rhumbline.gateways.http.strict_json import Json
from rhumbline.gateways.upstreams.error_table import ErrorTable, text_at
from rhumbline.gateways.upstreams.spec import AdapterContext, Published, read_answer
from rhumbline.gateways.upstreams.upstream import Upstream

RESTRICTED = "Restricted: "
"""The start of the text, with HTTP 400, that refuses a wallet's or receiver's address (as seen, 2026-10-06)."""


def _texts(_: int, body: Json) -> list[str]:
    offers = body.get("quotes") if isinstance(body, dict) else None
    texts = [text_at(each, "error") for each in (*(offers if isinstance(offers, list) else ()), body)]
    return [RESTRICTED if text.startswith(RESTRICTED) else text for text in texts]


ERRORS = ErrorTable(
    {
        "Quote: Insufficent Liquidity": (NoRoute, "has too little on the destination"),
        "Quote: Insufficient Liquidity": (NoRoute, "has too little on the destination"),
        "Quote: Chain Limit Exceeded": (NoRoute, "does not take so large an amount"),
        "Source: Chain Disabled": (NoRoute, "takes no deposits on the origin"),
        "Quote: Please Try Again": (UpstreamFailed, "asks to be tried again"),
        RESTRICTED: (NoRoute, "does not serve this address"),
    },
    _texts,
)
"""Texts as seen (2026-10; the first is spelled like that). The destination's own text comes before the rest."""


async def find_quote(http: Upstream, request: QuoteRequest, numbers: tuple[int, int]) -> QuoteAnswer:
    """Ask what a deposit brings, with its call; raise an AdapterError, also for errors inside a good answer.

    ``numbers`` are the API's own of both chains.
    """
    path = f"/quotes/{numbers[0]}/{request.amount}/{numbers[1]}"
    document = await ERRORS.answer(http.get(path, {"from": request.sender, "to": request.receiver}))
    answer = read_answer(QuoteAnswer, document)
    if answer.error or any(offer.error for offer in answer.quotes):
        raise UpstreamFailed("answered an error that is not known")
    return answer


async def find_deposit_for(http: Upstream, output: int, numbers: tuple[int, int]) -> int:
    """Ask which deposit brings an output, both in raw units; raise an AdapterError. An estimate, by the documentation.

    ``numbers`` are the API's own of both chains (https://dev.gas.zip/gas/api/quote-reverse, read 2026-11-28).
    """
    document = await ERRORS.answer(http.get(f"/quoteReverse/{numbers[0]}/{output}/{numbers[1]}"))
    return read_answer(ReverseAnswer, document).required


async def find_chains(http: Upstream, numbers: tuple[int, int]) -> Mapping[int, ChainFacts]:
    """Read the API's data about two chains, by its numbers; raise NoRoute if one is missing."""
    found = await listed_chains(http, numbers)
    if len(found) < len(numbers):
        raise NoRoute("does not list one of the chains")
    return found


async def listed_chains(http: Upstream, numbers: Container[int]) -> Mapping[int, ChainFacts]:
    """Read the API's data about the listed ones of some chains, by its numbers; raise an AdapterError."""
    document = await ERRORS.answer(http.get("/chains"))
    rows = document.get("chains") if isinstance(document, dict) else None
    if not isinstance(rows, list):
        raise UpstreamFailed("answered something unexpected: chains is not as documented")
    return MappingProxyType(
        {number: read_answer(ChainFacts, row) for row in rows if (number := _number(row)) in numbers}
    )


async def published(context: AdapterContext[Deployment]) -> Published:
    """Read the short IDs of the chains that are deployed to, by which calls name destinations; raise an AdapterError.

    Of its contracts no endpoint tells.
    """
    ours = {api_number(number, place): number for number, place in context.deployments.items()}
    found = await listed_chains(context.http, ours)
    return {ours[number]: {"short": str(facts.short)} for number, facts in found.items()}


async def find_deposit(http: Upstream, tx_hash: str) -> StatusAnswer:
    """Ask what became of a deposit's transaction; empty when it is not known. Raise an AdapterError."""
    document = await ERRORS.find(http.get(f"/deposit/{tx_hash}"), unknown=(400, 404))
    return StatusAnswer() if document is None else read_answer(StatusAnswer, document)


def _number(row: Json) -> int:
    """Return the ID of a row's chain, 0 for a row that has none: the others must not suffer for it."""
    found = row.get("chain") if isinstance(row, dict) else None
    return found if isinstance(found, int) and not isinstance(found, bool) else 0
