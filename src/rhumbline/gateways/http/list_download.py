"""Downloads of token lists: one bounded GET with an ETag."""

import asyncio
from dataclasses import dataclass
from urllib.parse import urljoin, urlsplit

from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.http.connection import ConnectionFailed, Reply, may_be_json, shown
from rhumbline.gateways.http.connection_errors import host_of, in_words

_MOST_HOPS = 3


class DocumentUnavailable(Exception):
    """The document could not be downloaded. One line that says why, without the URL's query or password."""


@dataclass(frozen=True, slots=True)
class Document:
    """The downloaded document, decompressed, and its tag for the next request."""

    body: bytes
    etag: str | None
    """Printable ASCII only: another one cannot be stored and sent back unchanged, so it counts as none."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """The limits: bytes after decompression, seconds for everything together."""

    largest_bytes: int = 20 * 1024 * 1024
    timeout_s: float = 30.0

    def accepts(self, content_type: str) -> bool:
        return may_be_json(content_type)


async def fetch_document(
    http: HttpClient, url: str, *, etag: str | None = None, bounds: Bounds | None = None
) -> Document | None:
    """Return the JSON document at ``url``, None if it still is the one with this tag.

    Follows redirects on the same host only. Raise DocumentUnavailable for any other status, another type than JSON or
    plain text, a document above the bounds, and a host that does not answer in time.
    """
    bounds = bounds or Bounds()
    try:
        return await _fetch(http, url, etag if _can_be_sent(etag) else None, bounds)
    except TimeoutError:
        raise DocumentUnavailable(f"did not answer within {bounds.timeout_s:g} s") from None
    except (ConnectionFailed, OSError, ValueError) as error:
        raise DocumentUnavailable(f"cannot be reached ({host_of(url)}: {in_words(error)})") from None


async def _fetch(http: HttpClient, url: str, etag: str | None, bounds: Bounds) -> Document | None:
    deadline = asyncio.get_running_loop().time() + bounds.timeout_s
    headers = {"if-none-match": etag} if etag else {}
    for _ in range(_MOST_HOPS + 1):
        reply = await http.ask("GET", url, bounds, deadline, headers=headers)
        if reply.is_redirect:
            url = _next_hop(url, reply.headers.get("location", ""))
            continue
        if reply.status == 304 and etag:
            return None
        if reply.status != 200:
            raise DocumentUnavailable(f"answered HTTP {reply.status}")
        tag = reply.headers.get("etag")
        return Document(_body(reply, bounds.largest_bytes), tag if _can_be_sent(tag) else None)
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


def _body(reply: Reply, largest: int) -> bytes:
    if reply.body is not None:
        return reply.body
    if not reply.is_large:
        raise DocumentUnavailable(f"answered {shown(reply.headers.get('content-type', ''))}, not JSON")
    length = reply.headers.get("content-length", "")
    if length.isdecimal() and len(length) < 20 and int(length) > largest:
        raise DocumentUnavailable(f"is {int(length)} bytes large; the bound is {largest}")
    raise DocumentUnavailable(f"is larger than {largest} bytes")
