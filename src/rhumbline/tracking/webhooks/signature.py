"""The signature of Standard Webhooks (https://github.com/standard-webhooks/standard-webhooks, read 2026-11).

HMAC-SHA256 over ``id.timestamp.body``; while a secret is being replaced there is one by each.
"""

import hmac
from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence
from hashlib import sha256
from secrets import token_bytes

PREFIX = "whsec_"
_SECRET_BYTES = 32


def new_secret() -> str:
    return PREFIX + b64encode(token_bytes(_SECRET_BYTES)).decode()


def signed(message: str, at: int, body: bytes, secrets: Sequence[str]) -> Mapping[str, str]:
    """Return the headers of a message sent at a time in Unix seconds, signed by each of ``secrets``."""
    content = f"{message}.{at}.".encode() + body
    signatures = (hmac.digest(b64decode(secret.removeprefix(PREFIX)), content, sha256) for secret in secrets)
    return {
        "webhook-id": message,
        "webhook-timestamp": str(at),
        "webhook-signature": " ".join(f"v1,{b64encode(each).decode()}" for each in signatures),
    }
