"""Symbiosis' endpoints, and what its refusals mean."""

from collections.abc import Mapping
from types import MappingProxyType

from rhumbline.adapters.symbiosis.wire import QuoteAnswer, StatusAnswer
from rhumbline.domain.errors import BelowMinimum, NoRoute, RequestRejected, SlippageTooTight
from rhumbline.gateways.http.strict_json import Json
from rhumbline.gateways.upstreams.error_table import SUCCESS, ErrorTable, Meaning, text_at
from rhumbline.gateways.upstreams.spec import read_answer
from rhumbline.gateways.upstreams.upstream import Upstream

MEANINGS: Mapping[str, Meaning] = MappingProxyType(
    {
        "amounttoolow": (BelowMinimum, "the amount is too low"),
        "amountlessthanfee": (BelowMinimum, "the amount does not cover the fees"),
        "amount is too low": (BelowMinimum, "the amount is too low"),
        "less than fee": (BelowMinimum, "the amount does not cover the fees"),
        "amounttoohigh": (NoRoute, "the amount is above the bridge's limit"),
        "amount too high": (NoRoute, "the amount is above the bridge's limit"),
        "slippagetoolow": (SlippageTooTight, "the slippage is below what the bridge can promise"),
        "slippagetoohigh": (RequestRejected, "calls the slippage too high"),
        "priceimpacttoohigh": (NoRoute, "the amount moves the price too far"),
        "unsupportedpair": (NoRoute, "the pair is not served"),
        "noroute": (NoRoute, "there is no route"),
        "notransittoken": (NoRoute, "there is no route"),
        "norepresentationfound": (NoRoute, "there is no route"),
        "not available": (NoRoute, "there is no route"),
        "invalidaddress": (RequestRejected, "refuses an address"),
    }
)
"""Texts in the message of an HTTP 400, in lower case, of which the first of this table counts.

They are names of the SDK's errors, which it puts in brackets before their text, and older texts. Of a server's own
failure only names in brackets count.
"""


def _texts(status: int, body: Json) -> list[str]:
    if status in (SUCCESS, 401, 403):
        return []
    message = text_at(body, "message").lower()
    return [text for text in MEANINGS if (text if status in (400, 422) else f"[{text}error]") in message]


ERRORS = ErrorTable(MEANINGS, _texts)


async def ask_quote(http: Upstream, question: dict[str, object]) -> QuoteAnswer:
    """Ask ``POST /v2/quote``; raise an AdapterError."""
    return read_answer(QuoteAnswer, await ERRORS.answer(http.post("/v2/quote", question)))


async def ask_status(http: Upstream, chain_id: int, tx_hash: str) -> StatusAnswer | None:
    """Ask ``GET /v2/tx/…`` by the origin's transaction; None when it is not known. Raise an AdapterError."""
    document = await ERRORS.find(http.get(f"/v2/tx/{chain_id}/{tx_hash}"))
    return None if document is None else read_answer(StatusAnswer, document)
