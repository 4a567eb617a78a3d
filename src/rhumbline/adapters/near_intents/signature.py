"""The signature of a quote, as the service's SDK 0.1.25 (``quote-signature.ts``, read 2026-11) verifies it.

Signed is the base58 of the SHA-256 of a JSON object with sorted keys and no blanks: some fields of the request, some of
the quote, and the time stamp. A quote with a deposit address has the address and its end in it, whose ``deadline``
stands in the place of the request's. Production signs so: recorded quotes of 2026-09-28 and 2026-10-02, dry ones and
such with an address, verify with the key of the SDK.

A signature only proves that the service answered somebody. So the request that is put into the message is our own, and
never what the answer says that it was: what the service signed for another question does not verify here.
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
    """Tell whether ``signer`` (``ed25519:`` and base58) signed the answer's quote for this very question."""
    key, signature = signer.removeprefix(PREFIX), answer.signature.removeprefix(PREFIX)
    message = _message(question, answer)
    return message is not None and verifies(key, message, signature)


def _message(question: Mapping[str, object], answer: QuoteAnswer) -> bytes | None:
    """Return what is signed; None where the answer has a value that JSON does not write one way only."""
    told, quote = answer.quote_request, answer.quote
    signed = {name: _spelled(question[name], told.get(name)) for name in _REQUEST} | _set(told, _REQUEST_WHEN_SET)
    signed |= {name: quote[name] for name in _QUOTE if name in quote}
    if question["dry"] is False:
        signed |= _set(quote, _QUOTE_WHEN_SET)
    signed["timestamp"] = answer.timestamp
    if not all(isinstance(value, str | int) for value in signed.values()):
        return None
    text = json.dumps(signed, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    # Half of a surrogate pair is written as JavaScript writes it.
    return encode_address(sha256(text.encode(errors="backslashreplace")).digest()).encode()


def _spelled(asked: object, told: object) -> object:
    """Return what was asked; an EVM address in the letter case in which the service repeats it."""
    if isinstance(asked, str) and isinstance(told, str) and asked.startswith("0x") and asked.lower() == told.lower():
        return told
    return asked


def _set(fields: Mapping[str, object], names: tuple[str, ...]) -> dict[str, object]:
    return {name: fields[name] for name in names if fields.get(name)}
