"""Symbiosis' endpoints, their parameters, and the meaning of their refusals."""

from rhumbline.adapters.symbiosis.wire import QuoteAnswer, StatusAnswer
from rhumbline.domain.amount import BASIS_POINTS
from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.domain.errors import BelowMinimum, NoRoute, RequestRejected, SlippageTooTight
from rhumbline.domain.quote import QuoteRequest
from rhumbline.domain.token import Token
from rhumbline.gateways.http.strict_json import Json
from rhumbline.gateways.upstreams.error_table import SUCCESS, ErrorTable, text_at
from rhumbline.gateways.upstreams.spec import read_answer
from rhumbline.gateways.upstreams.upstream import Upstream

LEAST_SLIPPAGE_BPS = 20
MOST_SLIPPAGE_BPS = 1_000
# Routes that only pass the tokens to another bridge.
_NOT_THROUGH = "chainflip-bridge,thorchain-bridge,changelly"


def _texts(status: int, body: Json) -> list[str]:
    if status in (SUCCESS, 401, 403):
        return []
    message = text_at(body, "message").lower()
    return [text for text in ERRORS.meanings if (text if status in (400, 422) else f"[{text}error]") in message]


ERRORS = ErrorTable(
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
    },
    _texts,
)
"""Texts in the message of an HTTP 400, in lower case, of which the first of this table counts.

They are names of the SDK's errors, which it puts in brackets before their text, and older texts. Of a server's own
failure only names in brackets count.
"""


def question(request: QuoteRequest, tolerance: int) -> dict[str, object]:
    """Return the body of ``POST /v2/quote``; ``tolerance`` is the slippage in basis points.

    ``from`` is who is refunded, whoever makes the call: the tokens are taken from the caller, and a reverted crossing
    refunds ``from``. Only the wallet, which sends, may turn it back, so that nobody else can stop it.
    """
    wallet = request.sender
    return {
        "tokenAmountIn": {**_token(request.origin_token), "amount": str(request.amount)},
        "tokenOut": _token(request.destination_token),
        "from": request.refund_address,
        "to": request.payout_address,
        "slippage": min(tolerance, MOST_SLIPPAGE_BPS),
        "revertableAddresses": [
            {"chainId": chain.id, "address": wallet} for chain in (request.origin, request.destination)
        ],
        "disabledProviders": _NOT_THROUGH,
    }


def tolerance_for(output: int, minimum: int, fee: int) -> int:
    """Return the largest slippage, in whole basis points and rounded down, that still guarantees ``minimum``.

    It applies to the pool's output, from which ``fee`` is deducted before ``output`` arrives.
    """
    return max(output - minimum, 0) * BASIS_POINTS // (output + fee) if output + fee > 0 else 0


def expect_promisable(tolerance: int) -> None:
    """Raise SlippageTooTight for less than the bridge takes."""
    if tolerance < LEAST_SLIPPAGE_BPS:
        raise SlippageTooTight("the bridge promises no output closer than 0.2 % to its price")


def _token(token: Token) -> dict[str, object]:
    address = "" if token.address == NATIVE_EVM else token.address
    return {"chainId": token.chain_id, "address": address, "decimals": token.decimals, "symbol": token.symbol}


async def ask_quote(http: Upstream, body: dict[str, object]) -> QuoteAnswer:
    """Ask ``POST /v2/quote``; raise an AdapterError."""
    return read_answer(QuoteAnswer, await ERRORS.answer(http.post("/v2/quote", body)))


async def ask_status(http: Upstream, chain_id: int, tx_hash: str) -> StatusAnswer | None:
    """Ask ``GET /v2/tx/…`` by the origin's transaction; None when it is not known. Raise an AdapterError."""
    document = await ERRORS.find(http.get(f"/v2/tx/{chain_id}/{tx_hash}"))
    return None if document is None else read_answer(StatusAnswer, document)
