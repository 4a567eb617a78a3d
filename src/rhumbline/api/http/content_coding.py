"""Content codings and entity tags: RFC 9110, sections 8.8.3, 12.5.3 and 13.1.2 (read 2026-11)."""

import gzip
from enum import StrEnum

import brotli
import zstandard

_ZSTD_LEVEL = 9
_BROTLI_QUALITY = 5
_GZIP_LEVEL = 6


class Encoding(StrEnum):
    """The content codings offered, the preferred one first."""

    ZSTD = "zstd"
    BROTLI = "br"
    GZIP = "gzip"
    IDENTITY = "identity"


def choose_encoding(accept: str | None) -> Encoding:
    """Return the best coding that an ``Accept-Encoding`` header allows; the plain body where it allows none."""
    if not accept:
        return Encoding.IDENTITY
    weights: dict[str, float] = {}
    for item in accept.lower().split(","):
        name, *parameters = (part.strip() for part in item.split(";"))
        weights[name] = min((_weight(parameter) for parameter in parameters), default=1.0)
    anything = weights.get("*", 0.0)
    best, weight = Encoding.IDENTITY, 0.0
    for encoding in (Encoding.ZSTD, Encoding.BROTLI, Encoding.GZIP):
        offered = weights.get(encoding, anything)
        if offered > weight:
            best, weight = encoding, offered
    return Encoding.IDENTITY if weights.get(Encoding.IDENTITY, 0.0) > weight else best


def _weight(parameter: str) -> float:
    name, _, value = parameter.partition("=")
    if name.strip() != "q":
        return 1.0
    try:
        return max(0.0, min(1.0, float(value)))
    except ValueError:
        return 0.0


def names_etag(if_none_match: str | None, etag: str) -> bool:
    """Return whether an ``If-None-Match`` header names the tag; a proxy may have made it weak."""
    if not if_none_match:
        return False
    if if_none_match == etag:
        return True
    tags = {tag.strip().removeprefix("W/") for tag in if_none_match.split(",")}
    return etag in tags or "*" in tags


def compress(body: bytes, encoding: Encoding) -> bytes:
    """Compress a body; equal bodies give equal bytes."""
    match encoding:
        case Encoding.ZSTD:
            return zstandard.ZstdCompressor(level=_ZSTD_LEVEL).compress(body)
        case Encoding.BROTLI:
            return bytes(brotli.compress(body, quality=_BROTLI_QUALITY))
        case Encoding.GZIP:
            return gzip.compress(body, _GZIP_LEVEL, mtime=0)
        case Encoding.IDENTITY:
            return body
