"""Symbiosis' endpoints, and what its refusals mean."""

from collections.abc import Callable

from rhumbline.adapters.symbiosis.wire import QuoteAnswer, StatusAnswer
from rhumbline.domain.errors import AdapterError, BelowMinimum, NoRoute, RequestRejected, SlippageTooTight
from rhumbline.gateways.http.upstream import Upstream, UpstreamError, UpstreamRefused
from rhumbline.gateways.upstreams.spec import failure_of, read_answer

# Texts in the message of an HTTP 400, in lower case: names of the SDK's errors, which it puts in brackets before their
# text, and older texts. One message may hold several; the first of this table counts.
_REFUSALS: tuple[tuple[str, Callable[[], AdapterError]], ...] = (
    ("amounttoolow", lambda: BelowMinimum("the amount is too low", None)),
    ("amountlessthanfee", lambda: BelowMinimum("the amount does not cover the fees", None)),
    ("amount is too low", lambda: BelowMinimum("the amount is too low", None)),
    ("less than fee", lambda: BelowMinimum("the amount does not cover the fees", None)),
    ("amounttoohigh", lambda: NoRoute("the amount is above the bridge's limit")),
    ("amount too high", lambda: NoRoute("the amount is above the bridge's limit")),
    ("slippagetoolow", lambda: SlippageTooTight("the slippage is below what the bridge can promise")),
    ("slippagetoohigh", lambda: RequestRejected("calls the slippage too high")),
    ("priceimpacttoohigh", lambda: NoRoute("the amount moves the price too far")),
    ("unsupportedpair", lambda: NoRoute("the pair is not served")),
    ("noroute", lambda: NoRoute("there is no route")),
    ("notransittoken", lambda: NoRoute("there is no route")),
    ("norepresentationfound", lambda: NoRoute("there is no route")),
    ("not available", lambda: NoRoute("there is no route")),
    ("invalidaddress", lambda: RequestRejected("refuses an address")),
)


async def ask_quote(http: Upstream, question: dict[str, object]) -> QuoteAnswer:
    """Ask ``POST /v2/quote``; raise an AdapterError."""
    try:
        document = await http.post("/v2/quote", question)
    except UpstreamError as error:
        raise meaning_of(error) from None
    return read_answer(QuoteAnswer, document)


async def ask_status(http: Upstream, chain_id: int, tx_hash: str) -> StatusAnswer | None:
    """Ask ``GET /v2/tx/…`` by the origin's transaction; None when it is not known. Raise an AdapterError."""
    try:
        document = await http.get(f"/v2/tx/{chain_id}/{tx_hash}")
    except UpstreamRefused as error:
        if error.status == 404:
            return None
        raise failure_of(error) from None
    except UpstreamError as error:
        raise failure_of(error) from None
    return read_answer(StatusAnswer, document)


def meaning_of(error: UpstreamError) -> AdapterError:
    """Return what a refused quote means, by its message; of a server's own failure, names of the SDK's errors only."""
    if isinstance(error, UpstreamRefused) and isinstance(error.body, dict) and error.status not in (401, 403, 429):
        message = error.body.get("message")
        if isinstance(message, str):
            said = message.lower()
            for text, meaning in _REFUSALS:
                if text in said if error.status in (400, 422) else f"[{text}error]" in said:
                    return meaning()
    return failure_of(error)
