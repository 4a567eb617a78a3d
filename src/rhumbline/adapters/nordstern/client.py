"""Nordstern's endpoints and the meaning of its failures."""

from collections.abc import Iterable

from rhumbline.adapters.nordstern.deployments import Deployment
from rhumbline.adapters.nordstern.wire import ChainRow, SwapAnswer
from rhumbline.domain.amount import format_amount
from rhumbline.domain.errors import NoRoute, RequestRejected, UpstreamFailed
from rhumbline.domain.quote import QuoteRequest
from rhumbline.gateways.http.strict_json import Json
from rhumbline.gateways.upstreams.error_table import ErrorTable, text_at
from rhumbline.gateways.upstreams.spec import AdapterContext, Published, read_answer
from rhumbline.gateways.upstreams.upstream import Upstream

MILLIONTHS = 1_000_000
# A slippage of 1 is 1 %.
_DECIMALS_OF_MILLIONTHS = 4


def _texts(status: int, body: Json) -> Iterable[str]:
    """Return which of the known texts ``message`` or ``error`` contains; a server's own failure is not one."""
    texts = [text_at(body, key).lower() for key in ("message", "error")] if status < 429 else []
    return [words for words in ERRORS.meanings if any(words in text for text in texts)]


ERRORS = ErrorTable(
    {
        "no swap path": (NoRoute, "has no route"),
        "insufficient": (NoRoute, "has not enough liquidity"),
        "src and dst": (RequestRejected, "rejects the tokens"),
    },
    _texts,
)
"""The texts by which clients distinguish failures; none are documented."""


async def find_swap(http: Upstream, place: Deployment, request: QuoteRequest, slippage: int) -> SwapAnswer:
    """Ask for the best swap of two tokens; raise an AdapterError. ``slippage`` is in millionths."""
    token_in, token_out = request.pair(place.native)
    query = {
        "src": token_in,
        "dst": token_out,
        "amount": str(request.amount),
        "from": request.payout_address,
        "slippage": format_amount(slippage, _DECIMALS_OF_MILLIONTHS),
    }
    answer = await ERRORS.answer(http.get(f"/aggregator/{request.origin.id}", query))
    if _is_empty(answer):
        raise NoRoute("has no route")
    return read_answer(SwapAnswer, answer)


async def published(context: AdapterContext[Deployment]) -> Published:
    """Read what ``GET /chains`` publishes of the chains that are deployed to; raise an AdapterError."""
    document = await ERRORS.answer(context.http.get("/chains"))
    if not isinstance(document, dict):
        raise UpstreamFailed("answered something unexpected: the answer is not as documented")
    return {
        number: {"guard": read_answer(ChainRow, document[str(number)]).router_address}
        for number in context.deployments
        if str(number) in document
    }


def _is_empty(answer: Json) -> bool:
    """Return whether an answer about these tokens has no route."""
    if not isinstance(answer, dict) or "toAmount" not in answer:
        return False
    return answer["toAmount"] in ("0", 0) or answer.get("swaps", True) in (None, []) or answer.get("tx") is None
