"""The part of a request that a hot answer depends on. A request with anything else in it gets no hot answer."""

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from rhumbline.api.http.request_log import SANE
from rhumbline.api.http.written_response import WrittenResponse

MOST_KEPT = 2_000
LONGEST_KEPT = 8 * 1024
_HEEDED: Mapping[bytes, str] = MappingProxyType(
    {
        b"x-api-key": "key",
        b"x-request-id": "name",
        b"accept-encoding": "accept_encoding",
        b"if-none-match": "if_none_match",
        b"x-forwarded-for": "forwarded_for",
        b"x-forwarded-proto": "forwarded_proto",
        b"origin": "origin",
    }
)
_UNUSUAL = frozenset({b"content-length", b"transfer-encoding", b"upgrade", b"connection"})
"""Headers that announce a body or concern the connection."""
_KEEP_ALIVE = (b"connection", b"keep-alive")


class HotRequest(NamedTuple):
    """A plain GET: its path and query as they came, and those headers that the answer depends on."""

    path: str
    query: bytes
    key: str | None = None
    name: str | None = None
    accept_encoding: str | None = None
    if_none_match: str | None = None
    forwarded_for: str | None = None
    forwarded_proto: str | None = None
    origin: str | None = None


def read_hot(target: bytes, headers: Iterable[tuple[bytes, bytes]]) -> HotRequest | None:
    """Parse a GET of HTTP/1.1 (header names in lower case); None for an unusual one: a body, a repeated header."""
    path, _, query = target.partition(b"?")
    if not path.isascii():
        return None
    heeded: dict[str, str] = {}
    for header in headers:
        field = _HEEDED.get(header[0])
        if field is not None:
            if field in heeded:
                return None
            # Blanks around a value are no part of it (RFC 9110, 5.5); the parser takes away those before it.
            heeded[field] = header[1].decode("latin-1").rstrip(" \t")
        elif header[0] in _UNUSUAL and (header[0], header[1].lower()) != _KEEP_ALIVE:
            return None
    name = heeded.get("name")
    if name is not None and not SANE.match(name):
        del heeded["name"]
    if heeded.get("key") == "":
        del heeded["key"]
    return HotRequest(path.decode("ascii"), query, **heeded)


HotLookup = Callable[[HotRequest], WrittenResponse | None]
"""Returns the answer that the path's endpoint would give now, None if only the endpoint can say; never waits."""


class ReadRequests(dict[bytes, HotRequest]):
    """Parsed requests by their bytes: clients repeat the same ones."""

    def keep(self, data: bytes, request: HotRequest) -> None:
        """Cache the parsed form of exactly one request; not one with a request ID, which is unique."""
        if len(data) > LONGEST_KEPT or request.name is not None:
            return
        if len(self) >= MOST_KEPT:
            del self[next(iter(self))]
        self[data] = request
