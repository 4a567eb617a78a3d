"""The opaque name of an event's place for one integrator: its number, authenticated by a MAC.

Form: base64url of ``mac (16 bytes) ‖ number (8 bytes)``. The MAC, HMAC-SHA256 cut to 16 bytes, covers the integrator's
name too, so an ID serves nobody but the one it was made for.
"""

import hmac
from base64 import urlsafe_b64decode, urlsafe_b64encode
from hashlib import sha256

_MAC_BYTES = 16
_BYTES = _MAC_BYTES + 8


def seal_event_id(key: bytes, integrator: str, number: int) -> str:
    payload = number.to_bytes(8)
    return urlsafe_b64encode(_mac(key, integrator, payload) + payload).decode("ascii")


def open_event_id(keys: tuple[bytes, ...], integrator: str, text: str) -> int | None:
    """Return the number; None if none of ``keys`` authenticates the ID for this integrator."""
    try:
        raw = urlsafe_b64decode(text)
    except ValueError:
        return None
    mac, payload = raw[:_MAC_BYTES], raw[_MAC_BYTES:]
    # The decoder ignores stray characters: only the one text that was given out is accepted.
    if len(raw) != _BYTES or urlsafe_b64encode(raw).decode("ascii") != text:
        return None
    is_ours = any(hmac.compare_digest(_mac(key, integrator, payload), mac) for key in keys)
    return int.from_bytes(payload) if is_ours else None


def _mac(key: bytes, integrator: str, payload: bytes) -> bytes:
    return hmac.digest(key, b"events\x00" + integrator.encode() + b"\x00" + payload, sha256)[:_MAC_BYTES]
