"""OKX's endpoints, the signatures of its calls, and the meaning of its failures."""

import base64
import hmac
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import UTC
from hashlib import sha256

from rhumbline.adapters.okx.deployments import Deployment
from rhumbline.adapters.okx.wire import EXACT_OUT, ChainRow, Envelope, QuoteAnswer, RouterResult, SwapAnswer, SwapData
from rhumbline.domain.amount import format_amount
from rhumbline.domain.clock import Clock
from rhumbline.domain.errors import (
    BelowMinimum,
    CredentialsRejected,
    NoRoute,
    RequestRejected,
    SlippageTooTight,
    UpstreamFailed,
)
from rhumbline.domain.quote import QuoteRequest
from rhumbline.gateways.http.strict_json import Json
from rhumbline.gateways.upstreams.error_table import ErrorTable
from rhumbline.gateways.upstreams.fields import EvmAddress
from rhumbline.gateways.upstreams.spec import AdapterContext, Published, read_answer
from rhumbline.gateways.upstreams.upstream import Upstream

QUOTE = "/api/v6/dex/aggregator/quote"
SWAP = "/api/v6/dex/aggregator/swap"
SWAP_INSTRUCTION = "/api/v6/dex/aggregator/swap-instruction"
CHAINS = "/api/v6/dex/aggregator/supported/chain"
# A slippage of 1 is 1 %.
_DECIMALS_OF_BPS = 2


def _codes(_: int, body: Json) -> Iterable[int]:
    code = body.get("code") if isinstance(body, dict) else None
    if isinstance(code, str) and code.isascii() and code.isdecimal() and len(code) < 9:
        code = int(code)
    return (code,) if isinstance(code, int) else ()


ERRORS = ErrorTable(
    {
        5000: (UpstreamFailed, "failed"),
        50011: (UpstreamFailed, "limits our rate"),
        50014: (RequestRejected, "misses a parameter"),
        50026: (UpstreamFailed, "failed"),
        50103: (CredentialsRejected, "misses our key"),
        50104: (CredentialsRejected, "misses our passphrase"),
        50105: (CredentialsRejected, "refuses our passphrase"),
        50106: (CredentialsRejected, "misses our signature"),
        50107: (CredentialsRejected, "misses the time of our call"),
        50111: (CredentialsRejected, "refuses our key"),
        50112: (CredentialsRejected, "refuses the time of our call"),
        50113: (CredentialsRejected, "refuses our signature"),
        50125: (CredentialsRejected, "does not serve our key"),
        51000: (RequestRejected, "rejects a parameter"),
        80000: (UpstreamFailed, "has just answered the same request"),
        80001: (UpstreamFailed, "made a call that is too long"),
        80002: (RequestRejected, "wants objects of another virtual machine"),
        80003: (RequestRejected, "wants objects of another virtual machine"),
        80004: (UpstreamFailed, "waited too long for objects of another virtual machine"),
        80005: (RequestRejected, "wants objects of another virtual machine"),
        81104: (NoRoute, "does not support the chain"),
        81362: (RequestRejected, "warns of a risk"),
        82000: (NoRoute, "has not enough liquidity"),
        82001: (UpstreamFailed, "cannot take commissions now"),
        82003: (RequestRejected, "rejects the address of a commission"),
        # The message names an amount, in no documented unit.
        82102: (BelowMinimum, "does not trade so small an amount"),
        82103: (NoRoute, "does not trade so large an amount"),
        82104: (NoRoute, "does not support a token"),
        82105: (NoRoute, "does not support the chain"),
        82106: (NoRoute, "does not know the bridge"),
        82112: (SlippageTooTight, "has only a route that loses nearly all of the value"),
        82200: (RequestRejected, "refuses an address"),
        82201: (RequestRejected, "rejects the wallet's address"),
        82202: (RequestRejected, "rejects the receiver's address"),
        82500: (UpstreamFailed, "could not make the call"),
    },
    _codes,
)
"""The documented codes (the vendor's page on error codes and its command line's, read 2026-11-21)."""


def headers(credentials: Mapping[str, str]) -> Mapping[str, str]:
    """Return the headers that are the same for every call; the secret is in none."""
    names = {"OK-ACCESS-KEY": "key", "OK-ACCESS-PASSPHRASE": "passphrase", "OK-ACCESS-PROJECT": "project"}
    return {header: credentials[name] for header, name in names.items() if name in credentials}


class Seal:
    """Signs calls: a ``Signer``, prepared with the secret once."""

    def __init__(self, secret: str, clock: Clock) -> None:
        self._keyed = hmac.new(secret.encode(), digestmod=sha256)
        self._clock = clock

    def __call__(self, method: str, target: str, body: bytes) -> Mapping[str, str]:
        """Return the time, in UTC with three decimals, and the signature over it and the whole call."""
        moment = self._clock().astimezone(UTC).replace(tzinfo=None).isoformat(timespec="milliseconds") + "Z"
        seal = self._keyed.copy()
        seal.update(f"{moment}{method}{target}".encode() + body)
        return {"OK-ACCESS-TIMESTAMP": moment, "OK-ACCESS-SIGN": base64.b64encode(seal.digest()).decode()}


def signing(context: AdapterContext[Deployment]) -> AdapterContext[Deployment]:
    """Return the context with an upstream that signs by its credentials' ``secret``."""
    return replace(context, http=replace(context.http, sign=Seal(context.credentials["secret"], context.clock)))


async def find_swap(http: Upstream, place: Deployment, request: QuoteRequest, slippage_bps: int) -> SwapData:
    """Ask for the best swap of two tokens, of an upstream that signs; raise an AdapterError.

    ``slippage_bps`` is in hundredths of a percent.
    """
    token_in, token_out = request.pair(place.native)
    query = {
        "chainIndex": str(request.origin.id),
        "amount": str(request.amount),
        "swapMode": "exactIn",
        "fromTokenAddress": token_in.lower(),
        "toTokenAddress": token_out.lower(),
        "slippagePercent": slippage_percent(slippage_bps),
        "userWalletAddress": request.taker.lower(),
        "swapReceiverAddress": request.payout_address.lower(),
        # Market makers' offers are signed for one caller and expire within seconds.
        "disableRFQ": "true",
    }
    answer = await call(http, SWAP, query)
    if answer.get("data") in (None, []):
        raise NoRoute("has no route")
    swaps = read_answer(SwapAnswer, answer).data
    if len(swaps) != 1:
        raise UpstreamFailed("answered several swaps at once")
    return swaps[0]


async def find_input(http: Upstream, place: Deployment, request: QuoteRequest, output: int) -> RouterResult[EvmAddress]:
    """Ask for the input for ``output`` raw units, of an upstream that signs; raise an AdapterError.

    OKX answers it on few chains, by Uniswap's pools alone (``swapMode``, the vendor's page on quotes, read 2026-11-28).
    """
    token_in, token_out = request.pair(place.native)
    query = {
        "chainIndex": str(request.origin.id),
        "amount": str(output),
        "swapMode": EXACT_OUT,
        "fromTokenAddress": token_in.lower(),
        "toTokenAddress": token_out.lower(),
    }
    answer = await call(http, QUOTE, query)
    found = [] if answer.get("data") is None else read_answer(QuoteAnswer, answer).data
    if len(found) != 1:
        raise NoRoute("has no route for the output")
    return found[0]


async def published(context: AdapterContext[Deployment]) -> Published:
    """Read the approval contracts that OKX publishes for the chains with a deployment; raise an AdapterError.

    No endpoint lists its routers; chains do.
    """
    rows = (await call(signing(context).http, CHAINS, {})).get("data")
    if not isinstance(rows, list):
        raise UpstreamFailed("answered something unexpected: data is not as documented")
    ours = {str(number): number for number in context.deployments}
    found: dict[int, dict[str, str]] = {}
    for row in rows:
        index = row.get("chainIndex") if isinstance(row, dict) else None
        number = ours.get(index) if isinstance(index, str) else None
        if number is None:
            continue
        if number in found:
            raise UpstreamFailed("answered a chain twice")
        found[number] = {"token_approve": read_answer(ChainRow, row).dex_token_approve_address}
    return found


async def call(http: Upstream, path: str, query: Mapping[str, str]) -> dict[str, Json]:
    """Ask, and return an answer whose code is success, in its envelope; raise an AdapterError."""
    answer = await ERRORS.answer(http.get(path, query))
    if str(read_answer(Envelope, answer).code) != "0" or not isinstance(answer, dict):
        raise UpstreamFailed("answered with an error it does not document")
    return answer


def slippage_percent(bps: int) -> str:
    """Write bps as OKX wants them: 1 is 1 %."""
    return format_amount(bps, _DECIMALS_OF_BPS)
