"""Documents from the web: one bounded GET with ETag, for lists that somebody else keeps."""

import asyncio
from dataclasses import dataclass
from urllib.parse import urljoin, urlsplit

import aiohttp

from rhumbline.gateways.http.connection_errors import host_of, in_words

_MOST_HOPS = 3
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
# Raw files are often served as plain text, and gateways know no type at all; HTML is always a page about the list.
_TYPES = frozenset({"application/json", "text/plain", "text/json", "application/octet-stream", ""})
_CHUNK = 64 * 1024


class DocumentUnavailable(Exception):
    """The document could not be had. One line that says why; never carries the address's query or password."""


@dataclass(frozen=True, slots=True)
class Document:
    """What was there, unpacked, and the tag to ask for it again with."""

    body: bytes
    etag: str | None
    """Printable ASCII only: another one is as good as none, for it cannot be kept and sent back as it came."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """How much and how long: bytes after unpacking, seconds for everything together."""

    largest_bytes: int = 20 * 1024 * 1024
    timeout_s: float = 30.0


async def fetch_document(
    session: aiohttp.ClientSession, url: str, *, etag: str | None = None, bounds: Bounds | None = None
) -> Document | None:
    """Return the JSON document at ``url``, None if it still is the one with this tag.

    Follows redirects on the same host only. Raise DocumentUnavailable for any other status, another type than JSON or
    plain text, a document above the bounds, and a host that does not answer in time.
    """
    bounds = bounds or Bounds()
    try:
        async with asyncio.timeout(bounds.timeout_s):
            return await _fetch(session, url, etag, bounds)
    except TimeoutError:
        raise DocumentUnavailable(f"did not answer within {bounds.timeout_s:g} s") from None
    except (aiohttp.ClientError, OSError, ValueError) as error:
        raise DocumentUnavailable(f"cannot be reached ({host_of(url)}: {in_words(error)})") from None


async def _fetch(session: aiohttp.ClientSession, url: str, etag: str | None, bounds: Bounds) -> Document | None:
    etag = etag if _can_be_sent(etag) else None
    headers = {"accept": "application/json", **({"if-none-match": etag} if etag else {})}
    for _ in range(_MOST_HOPS + 1):
        async with session.get(url, headers=headers, allow_redirects=False) as response:
            if response.status in _REDIRECTS:
                url = _next_hop(url, response.headers.get("location", ""))
                continue
            if response.status == 304 and etag:
                return None
            if response.status != 200:
                raise DocumentUnavailable(f"answered HTTP {response.status}")
            tag = response.headers.get("etag")
            body = await _read(response, bounds.largest_bytes)
            return Document(body, tag if _can_be_sent(tag) else None)
    raise DocumentUnavailable(f"redirects more than {_MOST_HOPS} times")


def _can_be_sent(tag: str | None) -> bool:
    return tag is not None and tag.isascii() and tag.isprintable()


def _next_hop(url: str, location: str) -> str:
    target = urljoin(url, location)
    here, there = urlsplit(url), urlsplit(target)
    same_port = (there.scheme, there.port) == (here.scheme, here.port)
    secured = (here.scheme, there.scheme, there.port) == ("http", "https", None)
    if not location or there.hostname != here.hostname or not (same_port or secured):
        raise DocumentUnavailable(f"redirects to another host ({there.hostname}); name the final address instead")
    return target


async def _read(response: aiohttp.ClientResponse, largest: int) -> bytes:
    kind = response.content_type if "content-type" in response.headers else ""
    if kind not in _TYPES and not kind.endswith("+json"):
        raise DocumentUnavailable(f"answered {kind}, not JSON")
    if (response.content_length or 0) > largest:
        raise DocumentUnavailable(f"is {response.content_length} bytes large; the bound is {largest}")
    parts = bytearray()
    async for chunk in response.content.iter_chunked(_CHUNK):
        parts += chunk
        if len(parts) > largest:
            raise DocumentUnavailable(f"is larger than {largest} bytes")
    return bytes(parts)
