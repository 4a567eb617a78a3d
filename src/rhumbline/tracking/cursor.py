"""The cursor of a listing: the start of the next page and its filters, authenticated by a MAC.

Form: base64url of ``mac (16 bytes) ‖ JSON``, without padding. The MAC, HMAC-SHA256 cut to 16 bytes, covers the
integrator's name too, so a cursor serves nobody but the one it was made for.
"""

import hmac
import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from dataclasses import astuple, dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from types import MappingProxyType

from rhumbline.domain.errors import InvalidRequest
from rhumbline.domain.tracking import RouteType, TransactionFilter, TransferState

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_MAC_BYTES = 16
_LONGEST = 1000
_NAMES: Mapping[str, str] = MappingProxyType(
    {
        "status": "status",
        "route_type": "routeType",
        "origin_chain_id": "sourceChainId",
        "destination_chain_id": "destChainId",
        "sender": "senderAddress",
        "receiver": "receiverAddress",
        "since": "since",
        "until": "until",
    }
)
"""The filters as requests spell them."""
_CONTRACTS_OWN = 4
"""How many of them a cursor always has; those beyond the contract are left out where none of them is given."""


@dataclass(frozen=True, slots=True)
class ListPosition:
    """The last record of a page: listings are ordered by time, newest first, then by ID, largest first."""

    time: datetime
    id: str


def seal_cursor(key: bytes, integrator: str, kept: TransactionFilter, position: ListPosition) -> str:
    """Return the opaque text of a cursor."""
    filters = [_micros(each) if isinstance(each, datetime) else each for each in astuple(kept)]
    if not any(each is not None for each in filters[_CONTRACTS_OWN:]):
        del filters[_CONTRACTS_OWN:]
    payload = json.dumps([_micros(position.time), position.id, *filters], separators=(",", ":")).encode()
    return _text(_mac(key, integrator, payload) + payload)


def open_cursor(keys: tuple[bytes, ...], integrator: str, cursor: str) -> tuple[TransactionFilter, ListPosition]:
    """Return a cursor's content; raise InvalidRequest if none of ``keys`` authenticates it for this integrator."""
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
    micros, identifier, status, route_type, origin, destination, *beyond = json.loads(payload)
    sender, receiver, since, until = beyond or (None, None, None, None)
    kept = TransactionFilter(
        status=None if status is None else TransferState(status),
        route_type=None if route_type is None else RouteType(route_type),
        origin_chain_id=origin,
        destination_chain_id=destination,
        sender=sender,
        receiver=receiver,
        since=None if since is None else _moment(since),
        until=None if until is None else _moment(until),
    )
    return kept, ListPosition(_moment(micros), identifier)


def check_agreement(asked: TransactionFilter, kept: TransactionFilter) -> None:
    """Raise InvalidRequest if a request has another filter than its cursor; it may omit any."""
    faults = [
        f"cursor: it belongs to a listing with another {name}; leave {name} out, or begin anew without a cursor"
        for field, name in _NAMES.items()
        if getattr(asked, field) not in (None, getattr(kept, field))
    ]
    if faults:
        raise InvalidRequest(faults)


def _micros(moment: datetime) -> int:
    return (moment - _EPOCH) // _MICROSECOND


def _moment(micros: int) -> datetime:
    return _EPOCH + micros * _MICROSECOND


def _mac(key: bytes, integrator: str, payload: bytes) -> bytes:
    return hmac.digest(key, b"transactions\x00" + integrator.encode() + b"\x00" + payload, sha256)[:_MAC_BYTES]


def _text(raw: bytes) -> str:
    return urlsafe_b64encode(raw).rstrip(b"=").decode("ascii")
