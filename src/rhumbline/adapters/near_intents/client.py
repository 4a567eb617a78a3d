"""1Click's endpoints, and what its refusals mean."""

import re
from collections.abc import Callable

from rhumbline.adapters.near_intents.wire import ListedToken, QuoteAnswer, StatusAnswer, text_of
from rhumbline.domain.errors import AdapterError, BelowMinimum, NoRoute, RequestRejected, UpstreamFailed
from rhumbline.gateways.http.upstream import Upstream, UpstreamError, UpstreamRefused
from rhumbline.gateways.upstreams.fields import LARGEST_AMOUNT
from rhumbline.gateways.upstreams.spec import failure_of, read_answer

_LONGEST_MESSAGE = 1000
_TOO_LOW = re.compile(r"too low.*?try at least ([0-9]{1,78})\b", re.IGNORECASE | re.DOTALL)

# Texts of the message of an HTTP 400, in lower case, and what they mean: the service gives no codes.
_REFUSALS: tuple[tuple[str, Callable[[], AdapterError]], ...] = (
    ("too low", lambda: BelowMinimum("the amount is below the bridge's minimum", None)),
    ("minimum swap amount", lambda: BelowMinimum("the amount is below a passing minimum in USD", None)),
    ("no liquidity", lambda: NoRoute("no solver offers this amount")),
    ("failed to get quote", lambda: NoRoute("no solver offers this amount")),
    ("tokenin is not valid", lambda: NoRoute("the origin token is not served any more")),
    ("tokenout is not valid", lambda: NoRoute("the destination token is not served any more")),
    ("recipient is not valid", lambda: RequestRejected("refuses the receiver's address")),
    ("refundto is not valid", lambda: RequestRejected("refuses the sender's address for refunds")),
)


async def ask_quote(http: Upstream, question: dict[str, object]) -> QuoteAnswer:
    """Ask ``POST /v0/quote``; raise an AdapterError."""
    try:
        document = await http.post("/v0/quote", question)
    except UpstreamError as error:
        raise meaning_of(error) from None
    return read_answer(QuoteAnswer, document)


async def listed_tokens(http: Upstream, assets: tuple[str, ...]) -> tuple[ListedToken, ...]:
    """Return the entries of ``GET /v0/tokens`` with the given asset IDs, in their order; raise NoRoute if one is gone.

    Other entries are not read: the list grows by chains and forms that are not ours.
    """
    try:
        document = await http.get("/v0/tokens")
    except UpstreamError as error:
        raise failure_of(error) from None
    if not isinstance(document, list):
        raise UpstreamFailed("answered something unexpected: the list of tokens is no list")
    entries = {text_of(entry, "assetId"): entry for entry in document}
    if not entries.keys() >= set(assets):
        raise NoRoute("the service does not list the token any more")
    return tuple(read_answer(ListedToken, entries[asset]) for asset in assets)


async def ask_status(http: Upstream, deposit_address: str) -> StatusAnswer | None:
    """Ask ``GET /v0/status``; None when the service does not know the address. Raise an AdapterError."""
    try:
        document = await http.get("/v0/status", {"depositAddress": deposit_address})
    except UpstreamRefused as error:
        if error.status == 404:
            return None
        raise failure_of(error) from None
    except UpstreamError as error:
        raise failure_of(error) from None
    return read_answer(StatusAnswer, document)


def meaning_of(error: UpstreamError) -> AdapterError:
    """Return what a refused quote means, by its status and message."""
    if isinstance(error, UpstreamRefused) and error.status not in (401, 403, 429):
        # The words that are looked for stand in its first sentence; a search through megabytes would take hours.
        message = text_of(error.body, "message")[:_LONGEST_MESSAGE]
        if (found := _TOO_LOW.search(message)) is not None:
            least = int(found[1])
            return BelowMinimum("the amount is below the bridge's minimum", least if least <= LARGEST_AMOUNT else None)
        for text, meaning in _REFUSALS if error.status == 400 else ():
            if text in message.lower():
                return meaning()
    return failure_of(error)
