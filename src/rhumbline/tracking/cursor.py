"""The cursor of a listing: where the next page begins, and the filters it goes on with, sealed.

Form: base64url of ``mac (16 bytes) ‖ JSON``, without padding. The MAC, HMAC-SHA256 cut to 16 bytes, covers the
integrator's name too, so a cursor serves nobody but the one it was made for.
"""

import hmac
import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import astuple, dataclass, fields
from datetime import UTC, datetime, timedelta
from hashlib import sha256

from rhumbline.domain.errors import InvalidRequest
from rhumbline.domain.tracking import RouteType, TransactionFilter, TransferState

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_MAC_BYTES = 16
_LONGEST = 1000
_NAMES = ("status", "routeType", "sourceChainId", "destChainId")
"""The filters as requests spell them, in the order of TransactionFilter."""


@dataclass(frozen=True, slots=True)
class ListPosition:
    """The last record of a page: listings are ordered by time, newest first, then by ID, largest first."""

    time: datetime
    id: str


def seal_cursor(key: bytes, integrator: str, kept: TransactionFilter, position: ListPosition) -> str:
    """Return the opaque text of a cursor."""
    micros = (position.time - _EPOCH) // _MICROSECOND
    payload = json.dumps([micros, position.id, *astuple(kept)], separators=(",", ":")).encode()
    return _text(_mac(key, integrator, payload) + payload)


def open_cursor(keys: tuple[bytes, ...], integrator: str, cursor: str) -> tuple[TransactionFilter, ListPosition]:
    """Return what a cursor holds; raise InvalidRequest for one that none of ``keys`` sealed for this integrator."""
    fault = InvalidRequest(["cursor: not one of this listing; pass nextCursor back unchanged, or none to begin anew"])
    if len(cursor) > _LONGEST:
        raise fault
    try:
        raw = urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4))
    except ValueError:
        raise fault from None
    mac, payload = raw[:_MAC_BYTES], raw[_MAC_BYTES:]
    # The decoder ignores stray characters and bits; only the one text that we gave out is accepted.
    if _text(raw) != cursor or not any(hmac.compare_digest(_mac(key, integrator, payload), mac) for key in keys):
        raise fault
    micros, identifier, status, route_type, origin, destination = json.loads(payload)
    kept = TransactionFilter(
        status=None if status is None else TransferState(status),
        route_type=None if route_type is None else RouteType(route_type),
        origin_chain_id=origin,
        destination_chain_id=destination,
    )
    return kept, ListPosition(_EPOCH + micros * _MICROSECOND, identifier)


def check_agreement(asked: TransactionFilter, kept: TransactionFilter) -> None:
    """Raise InvalidRequest when a request names a filter that its cursor's listing has not; it may leave any out."""
    faults = [
        f"cursor: it belongs to a listing with another {name}; leave {name} out, or begin anew without a cursor"
        for name, field in zip(_NAMES, fields(TransactionFilter), strict=True)
        if getattr(asked, field.name) not in (None, getattr(kept, field.name))
    ]
    if faults:
        raise InvalidRequest(faults)


def _mac(key: bytes, integrator: str, payload: bytes) -> bytes:
    return hmac.digest(key, b"transactions\x00" + integrator.encode() + b"\x00" + payload, sha256)[:_MAC_BYTES]


def _text(raw: bytes) -> str:
    return urlsafe_b64encode(raw).rstrip(b"=").decode("ascii")
