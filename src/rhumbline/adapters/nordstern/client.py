"""Nordstern's endpoint, and what its failures mean."""

from collections.abc import Mapping
from types import MappingProxyType

from rhumbline.adapters.nordstern.wire import SwapAnswer
from rhumbline.domain.amount import format_amount
from rhumbline.domain.errors import AdapterError, NoRoute, RequestRejected
from rhumbline.domain.quote import QuoteRequest
from rhumbline.gateways.http.strict_json import Json
from rhumbline.gateways.http.upstream import Upstream, UpstreamError, UpstreamRefused
from rhumbline.gateways.upstreams.spec import known_failure, read_answer

MILLIONTHS = 1_000_000
# A slippage of 1 is 1 %.
_DECIMALS_OF_MILLIONTHS = 4

ERRORS: Mapping[str, tuple[type[NoRoute | RequestRejected], str]] = MappingProxyType(
    {
        "no swap path": (NoRoute, "has no route"),
        "insufficient": (NoRoute, "has not enough liquidity"),
        "src and dst": (RequestRejected, "rejects the tokens"),
    }
)
"""What ``message`` or ``error`` of an answer contains, as clients tell failures apart; none are documented."""


def headers(credentials: Mapping[str, str]) -> Mapping[str, str]:
    """Return the headers of every call: the page an operator is known to Nordstern by."""
    return {"Referer": credentials["referer"]} if "referer" in credentials else {}


async def find_swap(http: Upstream, request: QuoteRequest, tokens: tuple[str, str], slippage: int) -> SwapAnswer:
    """Ask for the best swap of two tokens in Nordstern's own notation; raise an AdapterError.

    ``slippage`` is in millionths.
    """
    query = {
        "src": tokens[0],
        "dst": tokens[1],
        "amount": str(request.amount),
        "from": request.payout_address,
        "slippage": format_amount(slippage, _DECIMALS_OF_MILLIONTHS),
    }
    try:
        answer = await http.get(f"/aggregator/{request.origin.id}", query)
    except UpstreamError as error:
        raise _failure(error) from error
    if (said := _meaning(answer)) is not None:
        raise said
    if _is_empty(answer):
        raise NoRoute("has no route")
    return read_answer(SwapAnswer, answer)


def _failure(error: UpstreamError) -> AdapterError:
    said = _meaning(error.body) if isinstance(error, UpstreamRefused) and error.status < 429 else None
    return known_failure(said, error)


def _meaning(body: Json) -> AdapterError | None:
    if not isinstance(body, dict):
        return None
    texts = [text.lower() for key in ("message", "error") if isinstance(text := body.get(key), str)]
    for words, (kind, reason) in ERRORS.items():
        if any(words in text for text in texts):
            return kind(reason)
    return None


def _is_empty(answer: Json) -> bool:
    """Tell whether an answer is one about these tokens that has no route in it."""
    if not isinstance(answer, dict) or "toAmount" not in answer:
        return False
    return answer["toAmount"] in ("0", 0) or answer.get("swaps", True) in (None, []) or answer.get("tx") is None
