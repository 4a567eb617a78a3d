"""The signature of a quote, as the service's SDK 0.1.25 (``quote-signature.ts``, read 2026-11) verifies it.

Signed is the base58 of the SHA-256 of a JSON object with sorted keys and no blanks: some fields of the request, some of
the quote, and the time stamp. The full form, for quotes with a deposit address, has the address and the deadlines in
it. Production was last seen (June 2026) to sign the older form, which has not: then the signature proves the price and
the receiver, and not the address.
"""

import json
from collections.abc import Mapping
from hashlib import sha256

from rhumbline.adapters.near_intents.wire import QuoteAnswer
from rhumbline.gateways.svm.ed25519 import base58_of_32, is_signature, verifies

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
_REQUEST_WHEN_SET = (
    "quoteWaitingTimeMs",
    "referral",
    "virtualChainRecipient",
    "virtualChainRefundRecipient",
    "customRecipientMsg",
)
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


def is_well_formed(signature: str) -> bool:
    """Tell whether the text has the form of a signature, whoever made it."""
    return signature.startswith(PREFIX) and is_signature(signature.removeprefix(PREFIX))


def is_signed_by(signer: str, answer: QuoteAnswer) -> bool:
    """Tell whether ``signer`` (``ed25519:`` and base58) signed the quote in the full form or in the older one."""
    key, signature = signer.removeprefix(PREFIX), answer.signature.removeprefix(PREFIX)
    forms = (_message(answer, full=True), _message(answer, full=False))
    return any(message is not None and verifies(key, message, signature) for message in forms)


def _message(answer: QuoteAnswer, *, full: bool) -> bytes | None:
    """Return what is signed; None where the answer has a value that JSON does not write one way only."""
    request, quote = answer.quote_request, answer.quote
    signed = _present(request, _REQUEST) | _set(request, _REQUEST_WHEN_SET) | _present(quote, _QUOTE)
    if full and request.get("dry") is False:
        signed |= _set(quote, _QUOTE_WHEN_SET)
    signed["timestamp"] = answer.timestamp
    if not all(isinstance(value, str | int) for value in signed.values()):
        return None
    text = json.dumps(signed, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return base58_of_32(sha256(text.encode()).digest()).encode()


def _present(fields: Mapping[str, object], names: tuple[str, ...]) -> dict[str, object]:
    return {name: fields[name] for name in names if name in fields}


def _set(fields: Mapping[str, object], names: tuple[str, ...]) -> dict[str, object]:
    return {name: fields[name] for name in names if fields.get(name)}
