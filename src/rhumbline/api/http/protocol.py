"""HTTP/1.1 over a socket, as uvicorn speaks it, with bounds that hold before a request is complete.

The parser buffers an incomplete header, so bytes are counted beside it. A request beyond a bound, or an invalid one, is
answered with a StandardError; what the client still sends is discarded for a short while, because closing at once would
reset the connection before the answer is read. One timer runs in each state, and only the end of the state ends it:
between two requests that of uvicorn's keep-alive, which the first byte of a message stops, but never a byte that begins
none; in a head or a body one of ours. While the service is working a client is not timed, but its unread data is.
"""

import asyncio
from typing import Any

import httptools
from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.server import ServerState

from rhumbline.api.http.connections import Place
from rhumbline.api.http.errors import HeadersTooLarge, MalformedRequest, TargetTooLong
from rhumbline.api.http.refusal import write_refusal
from rhumbline.api.http.request_target import decoded_path, host_fault
from rhumbline.domain.errors import RhumblineError

LONGEST_LINE = 16 * 1024
LARGEST_HEADERS = 32 * 1024
LARGEST_OVERHEAD = 2 * 1024 * 1024
"""Chunk framing and trailers of one body; a body of 256 KB in chunks of one byte stays below."""
LONGEST_DRAIN = 64 * 1024 * 1024
HEAD_TIMEOUT_S = 30.0
BODY_TIMEOUT_S = 30.0
STALL_S = 30.0
"""How long a client may leave waiting data unread."""
LINGER_S = 3.0


class BoundedProtocol(HttpToolsProtocol):
    """One connection; ``place`` is its place in the count, released at its end."""

    place: Place | None = None

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._refusal: RhumblineError | None = None
        self._message = 0
        # Whether the parser is between two requests, and whether the current one was answered after its head.
        self._between = True
        self._is_answered = False
        self._has_cycle = False
        self._in_head = self._in_body = False
        self._head_bytes = 0
        self._header_bytes = 0
        self._overhead = 0
        self._drained = 0
        self._quiet_since = self.loop.time()
        # For the head or the body that is awaited, or the end after a refusal: there is never but one of them.
        self._timer: asyncio.TimerHandle | None = None
        self._stall_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Wait for the first head for a bounded time: from here on, for the handshake of TLS has a bound of its own."""
        super().connection_made(transport)
        if self.place is not None:
            self.place.occupant = self
        self._await_rest()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_timer()
        self._stop_stall_timer()
        self._unset_keepalive_if_required()
        if self.place is not None:
            self.place.free()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._watch_client()

    def resume_writing(self) -> None:
        super().resume_writing()
        if not self.transport.is_closing():
            self._stop_stall_timer()

    def timeout_keep_alive_handler(self) -> None:
        """Close a connection that is quiet, however little its client has taken."""
        super().timeout_keep_alive_handler()
        self._watch_client()

    def data_received(self, data: bytes) -> None:
        """Parse what arrived; count it when it did not finish anything."""
        if self._refusal is not None:
            self._drain(len(data))
            return
        message, in_body = self._message, self._in_body
        try:
            self.parser.feed_data(data)
        except httptools.HttpParserUpgrade:
            # Nothing is offered to upgrade to; the request is served, and the parser takes no further one.
            self.cycle.keep_alive = False
        except httptools.HttpParserError:
            self._refuse(self._raised() or MalformedRequest("This is not a valid HTTP/1.1 request: correct its syntax"))
            return
        if (self._in_head or self._in_body) and self._timer is None:
            # Only now: most heads and bodies come in one piece, and need none.
            self._await_rest()
        if message != self._message or in_body != self._in_body:
            return
        if in_body:
            self._overhead += len(data)
            self._drain(len(data))
        else:
            self._head_bytes += len(data)
        if self._head_bytes > LONGEST_LINE + LARGEST_HEADERS or self._overhead > LARGEST_OVERHEAD:
            self._refuse(_headers_too_large())

    def on_message_begin(self) -> None:
        """Begin to count: from here on, no byte before, the connection is not idle."""
        super().on_message_begin()
        self._unset_keepalive_if_required()
        self._message += 1
        self._between = False
        self._in_head, self._in_body = True, False
        self._head_bytes = self._header_bytes = self._overhead = self._drained = 0

    def on_url(self, url: bytes) -> None:
        """Take a piece of the target; raise when the request line grows beyond its bound."""
        super().on_url(url)
        around = len(self.parser.get_method()) + len("  HTTP/1.1")
        if len(self.url) + around > LONGEST_LINE:
            self._refusal = TargetTooLong(f"The request line is longer than {LONGEST_LINE} bytes: shorten the query")
            raise self._refusal

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take a header; raise if they exceed their bound.

        Trailers count as well, and are dropped: they are no headers (RFC 9110, 6.5.1), and values read from headers,
        such as a client's address, must not come from trailers.
        """
        self._header_bytes += len(name) + len(value) + len(": \r\n")
        if self._header_bytes > LARGEST_HEADERS:
            self._refusal = _headers_too_large()
            raise self._refusal
        if not self._in_body:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Pass the request on; its body may follow. Raise for an invalid host, or several."""
        self._stop_timer()
        if (fault := host_fault(self.headers, self.parser.get_http_version())) is not None:
            self._refusal = MalformedRequest(fault)
            raise self._refusal
        if self._answered_at_once():
            self._is_answered, self._in_head = True, False
            return
        super().on_headers_complete()
        if b"%" in self.scope["raw_path"]:
            self.scope["path"] = decoded_path(self.scope["raw_path"].decode("ascii"))
        self._in_head, self._has_cycle, self._in_body = False, True, True

    def on_body(self, body: bytes) -> None:
        """Take a piece of the body: it is no overhead."""
        self._overhead -= len(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        """Expect the next request; it may be due already, where a body was answered before its end."""
        self._between = True
        if self._is_answered:
            self._is_answered = False
            return
        self._stop_timer()
        self._in_body = False
        super().on_message_complete()
        if self.cycle.response_complete and not self.transport.is_closing():
            self._await_next()

    def on_response_complete(self) -> None:
        """Continue with the next request; a refusal that waited for earlier responses follows the last of them."""
        if self._refusal is None or self.pipeline:
            super().on_response_complete()
            self._quiet_since = self.loop.time()
            if self._in_head or self._in_body:
                # There is something to be read, and its own timer runs.
                self._unset_keepalive_if_required()
        elif not self.transport.is_closing():
            self._answer(self._refusal)
        if self.transport.is_closing():
            self._watch_client()

    def idle_since(self) -> float | None:
        """Return since when, by the loop's clock, it has been idle; None while a request is in progress."""
        is_busy = self._in_head or self._in_body or (self._has_cycle and not self.cycle.response_complete)
        if is_busy or self._refusal is not None or self.transport.get_write_buffer_size() > 0:
            return None
        return self._quiet_since

    def let_go(self) -> None:
        """End an idle connection at once, as either side may at any time (RFC 9112, 9.5)."""
        self.transport.abort()

    def _answered_at_once(self) -> bool:
        """Answer a request that needs nothing but its head, if something can; return whether it was answered."""
        return False

    def _refuse(self, error: RhumblineError) -> None:
        """Answer ``error`` after the responses that come before it; nothing more is read on this connection."""
        self._refusal = error
        self._stop_timer()
        running = self._has_cycle and not self.cycle.response_complete
        if not running:
            self._answer(error)
        elif self._in_body:
            # The fault is in the body of the request that is being served: its application gets no more of it.
            self.cycle.disconnected = True
            self.cycle.message_event.set()
            if self.cycle.response_started or self.pipeline:
                self._close()
            else:
                self._answer(error)

    def _answer(self, error: RhumblineError) -> None:
        known = not isinstance(error, MalformedRequest | TargetTooLong)
        path = bytes(self.url).partition(b"?")[0].decode("latin-1") if self._message else ""
        target = bytes(self.url).decode("latin-1") if known else None
        self.flow.resume_reading()
        self.transport.write(write_refusal(error, path, target, secure=self.scheme == "https"))
        if self.transport.can_write_eof():
            self.transport.write_eof()
        self._timer = self.loop.call_later(LINGER_S, self._close)

    def _drain(self, size: int) -> None:
        """Count bytes that are thrown away; close the connection of a client that sends too many."""
        self._drained += size
        if self._drained > LONGEST_DRAIN:
            self.transport.abort()

    def _raised(self) -> RhumblineError | None:
        """Return what a callback raised inside the parser, which hides it."""
        return self._refusal

    def _await_next(self) -> None:
        self._quiet_since = self.loop.time()
        if self.timeout_keep_alive_task is None:
            self.timeout_keep_alive_task = self.loop.call_later(
                self.timeout_keep_alive, self.timeout_keep_alive_handler
            )

    def _await_rest(self) -> None:
        wait = BODY_TIMEOUT_S if self._in_body else HEAD_TIMEOUT_S
        self._timer = self.loop.call_later(wait, self._timed_out)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _timed_out(self) -> None:
        self._timer = None
        if self.flow.read_paused:
            # The rest may be here: it is this side that does not read.
            self._await_rest()
        else:
            self._close()

    def _close(self) -> None:
        if not self.transport.is_closing():
            self.transport.close()
        self._watch_client()

    def _watch_client(self) -> None:
        """Cut the client if it takes nothing for a while; slowness alone does not matter."""
        left = self.transport.get_write_buffer_size()
        if left > 0 and self._stall_timer is None:
            self._stall_timer = self.loop.call_later(STALL_S, self._look_for_stall, left)

    def _look_for_stall(self, before: int) -> None:
        self._stall_timer = None
        if self.transport.get_write_buffer_size() >= before:
            self.transport.abort()
        else:
            self._watch_client()

    def _stop_stall_timer(self) -> None:
        if self._stall_timer is not None:
            self._stall_timer.cancel()
            self._stall_timer = None


def _headers_too_large() -> HeadersTooLarge:
    return HeadersTooLarge(f"The request's headers are larger than {LARGEST_HEADERS} bytes: send fewer or shorter ones")
