"""OKX's endpoint, how its calls are signed, and what its failures mean."""

import base64
import hmac
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC
from hashlib import sha256
from types import MappingProxyType

from rhumbline.adapters.okx.percent import slippage_percent
from rhumbline.adapters.okx.wire import Envelope, SwapAnswer, SwapData
from rhumbline.domain.clock import Clock
from rhumbline.domain.errors import (
    AdapterError,
    BelowMinimum,
    CredentialsRejected,
    NoRoute,
    RequestRejected,
    SlippageTooTight,
    UpstreamFailed,
)
from rhumbline.domain.quote import QuoteRequest
from rhumbline.gateways.http.strict_json import Json
from rhumbline.gateways.http.upstream import Upstream, UpstreamError, UpstreamRefused
from rhumbline.gateways.upstreams.spec import failure_of, known_failure, read_answer

SWAP = "/api/v6/dex/aggregator/swap"
SWAP_INSTRUCTION = "/api/v6/dex/aggregator/swap-instruction"
RATE_LIMITED = 50011
TOO_LITTLE = 82102

ERRORS: Mapping[int, tuple[type[AdapterError], str]] = MappingProxyType(
    {
        5000: (UpstreamFailed, "failed"),
        RATE_LIMITED: (UpstreamFailed, "limits our rate"),
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
        82103: (NoRoute, "does not trade so large an amount"),
        82104: (NoRoute, "does not support a token"),
        82105: (NoRoute, "does not support the chain"),
        82106: (NoRoute, "does not know the bridge"),
        82112: (SlippageTooTight, "has only a route that loses nearly all of the value"),
        82200: (RequestRejected, "refuses an address"),
        82201: (RequestRejected, "rejects the wallet's address"),
        82202: (RequestRejected, "rejects the receiver's address"),
        82500: (UpstreamFailed, "could not make the call"),
    }
)
"""The documented codes but for 82102 (the vendor's page on error codes and its command line's, read 2026-11-21)."""


def headers(credentials: Mapping[str, str]) -> Mapping[str, str]:
    """Return the headers that are the same for every call; the secret is in none."""
    names = {"OK-ACCESS-KEY": "key", "OK-ACCESS-PASSPHRASE": "passphrase", "OK-ACCESS-PROJECT": "project"}
    return {header: credentials[name] for header, name in names.items() if name in credentials}


@dataclass(frozen=True, slots=True)
class Seal:
    """Signs calls: a ``Signer``."""

    secret: str = field(repr=False)
    clock: Clock = field(repr=False)
    _keyed: hmac.HMAC = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Work in the secret once."""
        object.__setattr__(self, "_keyed", hmac.new(self.secret.encode(), digestmod=sha256))

    def __call__(self, method: str, target: str, body: bytes) -> Mapping[str, str]:
        """Return the time, in UTC with three decimals, and the signature over it and the whole call."""
        moment = self.clock().astimezone(UTC).replace(tzinfo=None).isoformat(timespec="milliseconds") + "Z"
        seal = self._keyed.copy()
        seal.update(f"{moment}{method}{target}".encode() + body)
        return {"OK-ACCESS-TIMESTAMP": moment, "OK-ACCESS-SIGN": base64.b64encode(seal.digest()).decode()}


async def find_swap(http: Upstream, request: QuoteRequest, tokens: tuple[str, str], slippage_bps: int) -> SwapData:
    """Ask for the best swap of two tokens in OKX's own notation, of an upstream that signs; raise an AdapterError.

    ``slippage_bps`` is in hundredths of a percent.
    """
    query = {
        "chainIndex": str(request.origin.id),
        "amount": str(request.amount),
        "swapMode": "exactIn",
        "fromTokenAddress": tokens[0],
        "toTokenAddress": tokens[1],
        "slippagePercent": slippage_percent(slippage_bps),
        "userWalletAddress": request.taker.lower(),
        "swapReceiverAddress": request.payout_address.lower(),
        # Market makers' offers are signed for one caller and expire within seconds.
        "disableRFQ": "true",
    }
    answer = await call(http, SWAP, query)
    if isinstance(answer, dict) and answer.get("data") in (None, []):
        raise NoRoute("has no route")
    swaps = read_answer(SwapAnswer, answer).data
    if len(swaps) != 1:
        raise UpstreamFailed("answered several swaps at once")
    return swaps[0]


async def call(http: Upstream, path: str, query: Mapping[str, str]) -> Json:
    """Ask, and return an answer whose code is success, in its envelope; raise an AdapterError."""
    try:
        answer = await http.get(path, query)
    except UpstreamError as error:
        raise _failure(error) from error
    if not isinstance(answer, dict) or answer.get("code") != "0":
        code = read_answer(Envelope, answer).code
        if str(code) != "0":
            raise _meaning(code) or UpstreamFailed("answered with an error it does not document")
    return answer


def _failure(error: UpstreamError) -> AdapterError:
    if isinstance(error, UpstreamRefused) and error.status != 429:
        body = error.body
        code = body.get("code") if isinstance(body, dict) else None
        return known_failure(_meaning(code), error)
    return failure_of(error)


def _meaning(code: Json) -> AdapterError | None:
    number = int(code) if isinstance(code, str) and code.isascii() and code.isdecimal() and len(code) < 9 else code
    if number == TOO_LITTLE:
        # The message names an amount, in no documented unit.
        return BelowMinimum("does not trade so small an amount", None)
    known = ERRORS.get(number) if isinstance(number, int) else None
    return None if known is None else known[0](known[1])
