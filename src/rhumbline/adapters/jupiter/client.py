"""Jupiter's endpoint and the meaning of its failures."""

from collections.abc import Iterable, Mapping

from rhumbline.adapters.jupiter.wire import EXACT_OUT, BuildAnswer, QuoteAnswer
from rhumbline.domain.amount import slippage_bps
from rhumbline.domain.errors import NoRoute, RequestRejected, UpstreamFailed
from rhumbline.gateways.http.strict_json import Json
from rhumbline.gateways.upstreams.error_table import ErrorTable
from rhumbline.gateways.upstreams.spec import read_answer
from rhumbline.gateways.upstreams.svm.swap_accounts import SwapAccounts
from rhumbline.gateways.upstreams.upstream import Upstream

BUILD = "/swap/v2/build"
QUOTE = "/swap/v1/quote"
INVALID = "INVALID_REQUEST"


def _codes(status: int, body: Json) -> Iterable[str]:
    """Return the codes of a body: texts of errors count as codes, in capitals, and its faults field by field as one."""
    if status in (401, 403) or not isinstance(body, dict):
        return ()
    values = (body.get("errorCode"), body.get("error"))
    return [INVALID if isinstance(each, dict) else str(each).upper().replace(" ", "_") for each in values]


ERRORS = ErrorTable(
    {
        "NO_ROUTES_FOUND": (NoRoute, "has no route"),
        "COULD_NOT_FIND_ANY_ROUTE": (NoRoute, "has no route"),
        "FAILED_TO_GET_QUOTES": (NoRoute, "has no route"),
        "ROUTE_PLAN_DOES_NOT_CONSUME_ALL_THE_AMOUNT": (NoRoute, "has no route for so large an amount"),
        "MARKET_NOT_FOUND": (NoRoute, "has no market for the pair"),
        "TOKEN_NOT_TRADABLE": (NoRoute, "does not trade a token"),
        "CIRCULAR_ARBITRAGE_IS_DISABLED": (RequestRejected, "does not trade a token for itself"),
        INVALID: (RequestRejected, "rejects the request as invalid"),
        "NOT_SUPPORTED": (RequestRejected, "does not support the request"),
        "CANNOT_COMPUTE_OTHER_AMOUNT_THRESHOLD": (RequestRejected, "cannot work out a minimum"),
    },
    _codes,
)
"""The documented codes (the vendor's page on errors, read 2026-11-22)."""


async def find_build(http: Upstream, accounts: SwapAccounts, most_accounts: int) -> BuildAnswer:
    """Ask for the best swap with at most so many accounts, and its instructions; raise an AdapterError."""
    request = accounts.request
    query = {
        "inputMint": accounts.mints[0],
        "outputMint": accounts.mints[1],
        "amount": str(request.amount),
        "taker": request.sender,
        "slippageBps": str(slippage_bps(request.slippage)),
        "wrapAndUnwrapSol": "true" if request.sells_native or request.buys_native else "false",
        "maxAccounts": str(most_accounts),
    }
    if request.payout_address != request.sender:
        query["destinationTokenAccount"] = accounts.destination
    return read_answer(BuildAnswer, await _asked(http, BUILD, query))


async def find_input(http: Upstream, mints: tuple[str, str], output: int) -> QuoteAnswer:
    """Ask for the input for an output in raw units; raise an AdapterError.

    Only the older API takes outputs, of few venues (``swapMode`` of the vendor's OpenAPI document, read 2026-11-22).
    """
    query = {"inputMint": mints[0], "outputMint": mints[1], "amount": str(output), "swapMode": EXACT_OUT}
    return read_answer(QuoteAnswer, await _asked(http, QUOTE, query))


async def _asked(http: Upstream, path: str, query: Mapping[str, str]) -> Json:
    answer = await ERRORS.answer(http.get(path, query))
    if isinstance(answer, dict) and ("error" in answer or "errorCode" in answer):
        # Failures come with HTTP 200 too.
        raise UpstreamFailed("answered with an error it does not document")
    return answer
