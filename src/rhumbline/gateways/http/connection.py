"""Connections to upstreams: HTTP/1.1, one request at a time, and a whole, bounded and decompressed answer.

The parser is llhttp (httptools), TLS and transports are the event loop's, and several addresses of a name are tried as
RFC 8305 says (aiohappyeyeballs). A general HTTP client's overhead takes more time than the call itself
(docs/decisions/0011). A connection with unexpected data is closed: a second answer of a faulty upstream, or the 408
that some gateways write before they hang up, must not become the answer to the next request.
"""

import asyncio
import re
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Protocol, cast

import httptools

_FIRST_FINAL = 200
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_NO_BODY = frozenset({204, 304})
_MOST_HEAD = 64 * 1024
_MOST_EARLY = 16
_READ: Mapping[bytes, str] = MappingProxyType(
    {
        name.encode(): name
        for name in (
            "content-type", "content-encoding", "content-length", "transfer-encoding", "location", "retry-after",
            "etag",
        )
    }
)  # fmt: skip
_LONGEST_LENGTH = 19
_EITHER_ZLIB = 32 + zlib.MAX_WBITS


class ConnectionFailed(Exception):
    """A connection without an answer; the text may be shown. ``is_mute``: no byte of an answer arrived."""

    def __init__(self, what: str, *, is_mute: bool = False) -> None:
        super().__init__(what)
        self.is_mute = is_mute


@dataclass(slots=True)
class Reply:
    """An answer: its status, its needed headers (names in lower case), and its decompressed body.

    The body is None when it was not read: it is of a kind that is not wanted, or, with ``is_large``, too large.
    """

    status: int
    headers: Mapping[str, str]
    body: bytes | None
    is_large: bool = field(kw_only=True)

    @property
    def is_redirect(self) -> bool:
        return self.status in _REDIRECTS


class AcceptedAnswer(Protocol):
    """The accepted answers: their content type, and their largest size in bytes after decompression."""

    @property
    def largest_bytes(self) -> int: ...

    def accepts(self, content_type: str) -> bool: ...


class Connection(asyncio.Protocol):
    """One connection; ``lost`` is called at its end, ``free`` when it can be used again."""

    __slots__ = (
        "_accepted", "_answer", "_body", "_early", "_free", "_goes_on", "_head_size", "_headers", "_is_large",
        "_is_unwanted", "_is_whole", "_keeps", "_loop", "_lost", "_parser", "_received", "_size", "_status",
        "_transport", "deadline", "idle_since",
    )  # fmt: skip

    def __init__(self, free: "Callable[[Connection], None]", lost: "Callable[[Connection], None]") -> None:
        self._loop = asyncio.get_running_loop()
        self._parser = httptools.HttpResponseParser(self)
        self._free = free
        self._lost = lost
        self._transport: asyncio.Transport | None = None
        self._answer: asyncio.Future[Reply] | None = None
        self.deadline = self.idle_since = 0.0

    def ask(self, request: bytes, accepted: AcceptedAnswer, deadline: float) -> "asyncio.Future[Reply]":
        """Write a request; the future gets its answer or a ConnectionFailed. The connection must be idle.

        The pool's timer ends it after the ``deadline``.
        """
        answer = self._answer = self._loop.create_future()
        self._accepted = accepted
        self.deadline = deadline
        self._early = self._received = 0
        self._begin()
        if self._transport is None or self._transport.is_closing():
            self._fail(ConnectionFailed("it hung up", is_mute=True))
        else:
            self._transport.write(request)
        return answer

    def _begin(self) -> None:
        self._headers: dict[str, str] = {}
        self._body: bytes | bytearray = b""
        self._size = self._head_size = self._status = 0
        self._is_whole = self._is_large = self._is_unwanted = self._goes_on = False

    @property
    def is_open(self) -> bool:
        return self._transport is not None and not self._transport.is_closing()

    @property
    def is_asked(self) -> bool:
        return self._answer is not None

    def give_up(self) -> None:
        self._fail(TimeoutError())

    def abort(self) -> None:
        """Hang up at once; an open question has no answer any more."""
        self._answer = None
        if self._transport is not None:
            self._transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # Every stream transport can write; uvloop's is no subclass of asyncio's.
        self._transport = cast(asyncio.Transport, transport)

    def connection_lost(self, exc: Exception | None) -> None:
        """End; an answer that ends with the connection is complete now."""
        self._transport = None
        if self._answer is not None:
            # RFC 9112, 6.3: without a length and without chunks a body goes on to the end.
            if exc is None and self._status >= _FIRST_FINAL and self._ends_with_connection():
                self._finish()
            else:
                self._fail(ConnectionFailed("it hung up", is_mute=not self._received))
        # It holds our methods: such a ring stays until the garbage collector looks, which holds up all answers.
        del self._parser
        self._lost(self)

    def data_received(self, data: bytes) -> None:
        """Read on in an answer; anything else is none."""
        if self._answer is None:
            self.abort()
            return
        self._received += len(data)
        size = self._size
        try:
            self._parser.feed_data(data)
        except (httptools.HttpParserError, httptools.HttpParserUpgrade):
            if not self._is_whole and not self._is_unwanted:
                self._fail(ConnectionFailed("it does not speak HTTP as it should"))
                return
            self._goes_on = True
        if self._is_whole or self._is_unwanted:
            self._finish()
        elif self._size > size:
            self._received = 1
        elif self._received > _MOST_HEAD:
            # Before, between or after the body's chunks: the parser buffers an unterminated line without reporting it.
            self._fail(ConnectionFailed("its answer has too long a head"))

    def on_message_begin(self) -> None:
        """Begin an answer; after a whole one there must be none."""
        self._goes_on = self._is_whole

    def on_header(self, name: bytes, value: bytes) -> None:
        """Keep a header that is read, the first of its name."""
        self._head_size += len(name) + len(value)
        if self._head_size > _MOST_HEAD:
            raise ValueError("too many headers")
        known = _READ.get(name) or _READ.get(name.lower())
        if known is not None and not self._status:
            self._headers.setdefault(known, value.decode("latin-1"))

    def on_headers_complete(self) -> None:
        if self._is_whole:
            return
        status = self._parser.get_status_code()
        if status < _FIRST_FINAL:
            return
        self._status = status
        self._keeps = self._parser.should_keep_alive()
        length = self._headers.get("content-length", "")
        if length.isdecimal() and int(length[:_LONGEST_LENGTH]) > self._accepted.largest_bytes:
            self._is_large = self._is_unwanted = True
        if not self._accepted.accepts(self._headers.get("content-type", "")):
            self._is_large, self._is_unwanted = False, True

    def on_body(self, body: bytes) -> None:
        if self._is_unwanted or self._is_whole:
            return
        self._size += len(body)
        if self._size > self._accepted.largest_bytes:
            self._is_large = self._is_unwanted = True
            self._body = b""
        elif not self._body:
            # Mostly it is all of it, and needs no copy.
            self._body = body
        else:
            if isinstance(self._body, bytes):
                self._body = bytearray(self._body)
            # One array: an object of its own for each of a million chunks takes far more than the chunks.
            self._body += body

    def on_message_complete(self) -> None:
        """Note that the answer is whole; "100 Continue" and its kind are no answers, and there are not many."""
        if self._status:
            self._is_whole = True
            return
        self._early += 1
        if self._early > _MOST_EARLY:
            raise ValueError("too many early answers")
        self._received = 1
        self._begin()

    def _ends_with_connection(self) -> bool:
        return not self._headers.keys() & {"content-length", "transfer-encoding"} and self._status not in _NO_BODY

    def _finish(self) -> None:
        """Give the answer, and the connection back; or up, when there is anything wrong with the answer."""
        answer, self._answer = self._answer, None
        is_sound = False
        if answer is not None and not answer.done():
            try:
                reply = self._reply()
            except ConnectionFailed as error:
                answer.set_exception(error)
            else:
                answer.set_result(reply)
                is_sound = self._is_whole and self._keeps and not self._goes_on and not reply.is_large
        if is_sound:
            self.idle_since = self._loop.time()
            self._free(self)
        else:
            self.abort()

    def _reply(self) -> Reply:
        body: bytes | None = None
        is_large = self._is_large
        if not self._is_unwanted:
            body = bytes(self._body)
            coding = self._headers.get("content-encoding", "identity").strip().lower()
            if body and coding != "identity":
                body = _unpacked(coding, body, self._accepted.largest_bytes)
                is_large = body is None
        return Reply(self._status, self._headers, body, is_large=is_large)

    def _fail(self, error: Exception) -> None:
        answer, self._answer = self._answer, None
        if answer is not None and not answer.done():
            answer.set_exception(error)
        self.abort()


def _unpacked(coding: str, body: bytes, largest: int) -> bytes | None:
    """Decompress a body; None if it is too large. Raise ConnectionFailed for other encodings, or truncated data."""
    if coding not in ("gzip", "x-gzip", "deflate"):
        raise ConnectionFailed("its answer is packed in a way that was not offered")
    unpacking = zlib.decompressobj(_EITHER_ZLIB)
    try:
        whole = unpacking.decompress(body, largest + 1)
    except zlib.error:
        raise ConnectionFailed("its answer cannot be unpacked") from None
    if len(whole) > largest:
        return None
    if not unpacking.eof or unpacking.unused_data:
        raise ConnectionFailed("its answer cannot be unpacked")
    return whole


# Raw files are often served as plain text, and gateways know no type at all; HTML is always a page about the matter.
_JSON = frozenset({"application/json", "text/json", "text/plain", "application/octet-stream", ""})
# Content types that may be shown; others come from outside unchecked.
_SHOWN = re.compile(r"[a-z0-9.+-]{1,40}/[a-z0-9.+-]{1,40}\Z", re.ASCII)


def may_be_json(content_type: str) -> bool:
    kind = _media_type(content_type)
    return kind in _JSON or kind.endswith("+json")


def shown(content_type: str) -> str:
    """Return the type in lower case without its parameters; "something" where it is not written as one."""
    kind = _media_type(content_type)
    return kind if _SHOWN.match(kind) else "something"


def _media_type(content_type: str) -> str:
    return content_type.partition(";")[0].strip().lower()
