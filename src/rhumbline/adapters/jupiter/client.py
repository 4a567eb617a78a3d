"""Jupiter's endpoint, and what its failures mean."""

from collections.abc import Mapping
from types import MappingProxyType

from rhumbline.adapters.jupiter.checking import Terms
from rhumbline.adapters.jupiter.wire import BuildAnswer
from rhumbline.domain.errors import AdapterError, NoRoute, RequestRejected, UpstreamFailed
from rhumbline.gateways.http.strict_json import Json
from rhumbline.gateways.http.upstream import Upstream, UpstreamError, UpstreamRefused
from rhumbline.gateways.upstreams.spec import failure_of, known_failure, read_answer

BUILD = "/swap/v2/build"

ERRORS: Mapping[str, tuple[type[AdapterError], str]] = MappingProxyType(
    {
        "NO_ROUTES_FOUND": (NoRoute, "has no route"),
        "COULD_NOT_FIND_ANY_ROUTE": (NoRoute, "has no route"),
        "FAILED_TO_GET_QUOTES": (NoRoute, "has no route"),
        "ROUTE_PLAN_DOES_NOT_CONSUME_ALL_THE_AMOUNT": (NoRoute, "has no route for so large an amount"),
        "MARKET_NOT_FOUND": (NoRoute, "has no market for the pair"),
        "TOKEN_NOT_TRADABLE": (NoRoute, "does not trade a token"),
        "CIRCULAR_ARBITRAGE_IS_DISABLED": (RequestRejected, "does not trade a token for itself"),
        "INVALID_REQUEST": (RequestRejected, "rejects the request as invalid"),
        "NOT_SUPPORTED": (RequestRejected, "does not support the request"),
        "CANNOT_COMPUTE_OTHER_AMOUNT_THRESHOLD": (RequestRejected, "cannot work out a minimum"),
    }
)
"""The documented codes (the vendor's page on errors, read 2026-11-22); texts of errors count as codes, in capitals."""


async def find_build(http: Upstream, terms: Terms, most_accounts: int) -> BuildAnswer:
    """Ask for the best swap by at most so many accounts, with its instructions; raise an AdapterError."""
    query = {
        "inputMint": terms.mint_in,
        "outputMint": terms.mint_out,
        "amount": str(terms.amount),
        "taker": terms.user,
        "slippageBps": str(terms.slippage_bps),
        "wrapAndUnwrapSol": "true" if terms.wraps or terms.unwraps else "false",
        "maxAccounts": str(most_accounts),
    }
    if terms.receiver != terms.user:
        query["destinationTokenAccount"] = terms.destination()
    try:
        answer = await http.get(BUILD, query)
    except UpstreamError as error:
        raise _failure(error) from error
    if isinstance(answer, dict) and ("error" in answer or "errorCode" in answer):
        # Failures come with HTTP 200 too.
        raise _meaning(answer) or UpstreamFailed("answered with an error it does not document")
    return read_answer(BuildAnswer, answer)


def _failure(error: UpstreamError) -> AdapterError:
    if isinstance(error, UpstreamRefused) and error.status not in (401, 403, 429):
        return known_failure(_meaning(error.body), error)
    return failure_of(error)


def _meaning(body: Json) -> AdapterError | None:
    if not isinstance(body, dict):
        return None
    for said in (body.get("errorCode"), body.get("error")):
        if isinstance(said, dict):
            # What does not hold of the request, field by field.
            return RequestRejected("rejects the request as invalid")
        known = ERRORS.get(said.upper().replace(" ", "_")) if isinstance(said, str) else None
        if known is not None:
            return known[0](known[1])
    return None
