"""The signature of a quote, as the service's SDK 0.1.25 (``quote-signature.ts``, read 2026-11) verifies it.

The signed message is the base58 of the SHA-256 of a JSON object with sorted keys and no white space: some fields of the
request, some of the quote, and the time stamp. For a quote with a deposit address it includes the address and its
expiry, whose ``deadline`` replaces the request's. Production signs so: recorded quotes of 2026-09-28 and 2026-10-02,
dry ones and ones with an address, verify with the key of the SDK. A signature only proves that the service answered
somebody. So the message is computed from our own request, never from the answer's echo: a signature for another request
does not verify here.
"""

import json
from collections.abc import Mapping
from hashlib import sha256

from rhumbline.adapters.near_intents.wire import QuoteAnswer
from rhumbline.gateways.svm.address import encode_address
from rhumbline.gateways.svm.signatures import verifies

PREFIX = "ed25519:"
_REQUEST = (
    "dry",
    "swapType",
    "slippageTolerance",
    "originAsset",
    "depositType",
    "destinationAsset",
    "amount",
    "refundTo",
    "refundType",
    "recipient",
    "recipientType",
    "deadline",
)
# What the service fills in itself. Everything else that may be signed leads the output or the refund elsewhere.
_REQUEST_WHEN_SET = ("quoteWaitingTimeMs", "referral")
_QUOTE = (
    "amountIn",
    "amountInFormatted",
    "amountInUsd",
    "minAmountIn",
    "amountOut",
    "amountOutFormatted",
    "amountOutUsd",
    "minAmountOut",
)
_QUOTE_WHEN_SET = (
    "depositAddress",
    "depositMemo",
    "deadline",
    "timeWhenInactive",
    "timeEstimate",
    "virtualChainRecipient",
    "virtualChainRefundRecipient",
    "customRecipientMsg",
    "refundFee",
    "withdrawFee",
)


def is_signed_by(signer: str, question: Mapping[str, object], answer: QuoteAnswer) -> bool:
    """Return whether ``signer`` (``ed25519:`` and base58) signed the answer's quote for exactly this request."""
    key, signature = signer.removeprefix(PREFIX), answer.signature.removeprefix(PREFIX)
    message = _message(question, answer)
    return message is not None and verifies(key, message, signature)


def _message(question: Mapping[str, object], answer: QuoteAnswer) -> bytes | None:
    """Return the signed message; None if the answer has a value with more than one JSON form."""
    echo, quote = answer.quote_request, answer.quote
    signed = {name: _spelled(question[name], echo.get(name)) for name in _REQUEST} | _set(echo, _REQUEST_WHEN_SET)
    signed |= {name: quote[name] for name in _QUOTE if name in quote}
    if question["dry"] is False:
        signed |= _set(quote, _QUOTE_WHEN_SET)
    signed["timestamp"] = answer.timestamp
    if not all(isinstance(value, str | int) for value in signed.values()):
        return None
    text = json.dumps(signed, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return encode_address(sha256(text.encode()).digest()).encode()


def _spelled(requested: object, echoed: object) -> object:
    """Return the requested value; an EVM address in the letter case of the service's echo."""
    if (
        isinstance(requested, str)
        and isinstance(echoed, str)
        and requested.startswith("0x")
        and requested.lower() == echoed.lower()
    ):
        return echoed
    return requested


def _set(fields: Mapping[str, object], names: tuple[str, ...]) -> dict[str, object]:
    return {name: fields[name] for name in names if fields.get(name)}
