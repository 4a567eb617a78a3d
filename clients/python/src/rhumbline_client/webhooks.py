"""Whether a webhook is the service's, by Standard Webhooks (https://www.standardwebhooks.com, read 2026-11-27)."""

import binascii
import hmac
import json
import time
from base64 import b64decode
from collections.abc import Mapping, Sequence
from hashlib import sha256

from rhumbline_client.changes import RecordChange
from rhumbline_client.errors import InvalidSignature, UnexpectedAnswer
from rhumbline_client.models import TransactionEvent

PREFIX = "whsec_"
TOLERANCE_S = 300


def verify(
    headers: Mapping[str, str], body: bytes | str, secrets: str | Sequence[str], *, at: float | None = None
) -> RecordChange:
    """Check a webhook, and return what it tells.

    ``id`` is the same if a message comes a second time. ``transaction`` is None for the type ``webhook.test``.

    Args:
        headers: as they arrived, in whatever case.
        body: the bytes as they arrived: text that was parsed and written again is not what was signed.
        secrets: the endpoint's secret (``whsec_…``), or several; one signature by any of them is enough, so that a
            secret can be replaced.
        at: the present in Unix seconds; the clock's by default. A message may be five minutes off.

    Raises:
        InvalidSignature: a header lacks, the time is off, or no signature fits.
        UnexpectedAnswer: the signature is right, but the body is no event that this client knows.
        ValueError: there is no secret, or one is not written as the service wrote it.

    """
    given = {name.lower(): value for name, value in headers.items()}
    try:
        message, timestamp, signatures = (given[f"webhook-{name}"] for name in ("id", "timestamp", "signature"))
    except KeyError as missing:
        raise InvalidSignature(f"the header {missing.args[0]} lacks") from None
    sent = int(timestamp) if timestamp.isascii() and timestamp.isdecimal() and len(timestamp) <= len("9" * 12) else None
    if sent is None or abs((time.time() if at is None else at) - sent) > TOLERANCE_S:
        raise InvalidSignature(f"webhook-timestamp is not within {TOLERANCE_S} seconds of now: {timestamp[:20]!r}")
    raw = body.encode() if isinstance(body, str) else body
    content = f"{message}.{timestamp}.".encode() + raw
    keys = [_key(secret) for secret in ([secrets] if isinstance(secrets, str) else secrets)]
    if not keys:
        raise ValueError("secrets has none: give the secret of the endpoint, whsec_…")
    expected = [hmac.digest(key, content, sha256) for key in keys]
    received = [_bytes(each.removeprefix("v1,")) for each in signatures.split(" ") if each.startswith("v1,")]
    if not any(hmac.compare_digest(one, other) for one in expected for other in received):
        raise InvalidSignature("no signature of webhook-signature was made with these secrets over this body")
    try:
        if not str(json.loads(raw)["type"]).startswith("transaction."):
            return RecordChange(message, json.loads(raw)["type"])
        event = TransactionEvent.model_validate_json(raw)
    except (ValueError, KeyError, TypeError) as error:
        raise UnexpectedAnswer(f"the webhook is signed, but no message that this client knows: {error}") from None
    return RecordChange(message, event.type, event.number, event.timestamp, event.data)


def _key(secret: str) -> bytes:
    try:
        return b64decode(secret.removeprefix(PREFIX), validate=True)
    except binascii.Error:
        raise ValueError("a secret is not whsec_ and base64: give it as `rhumbline webhooks add` printed it") from None


def _bytes(signature: str) -> bytes:
    try:
        return b64decode(signature, validate=True)
    except binascii.Error:
        return b""
