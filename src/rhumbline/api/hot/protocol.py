"""HTTP/1.1 over a socket, where hot requests are answered as soon as they are read.

uvicorn makes a task and a conversation of messages of every request, which costs more than a kept answer does.
What ``HotFront`` can answer is written to the socket right here, in order with all other answers of the connection;
everything else goes uvicorn's way.
"""

import asyncio
from typing import Any

import structlog
from uvicorn.config import Config
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware
from uvicorn.server import ServerState

from rhumbline.api.hot.front import HotApp, HotFront
from rhumbline.api.hot.replaceable_app import ReplaceableApp
from rhumbline.api.hot.request import HotRequest, read_hot
from rhumbline.api.http.protocol import BoundedProtocol
from rhumbline.api.http.written_response import SMALLEST_FILE, DirectSocket, WrittenResponse

MOST_AT_ONCE = 16
"""Requests answered here from one read of the socket; further ones let other connections go first."""
_SCHEMES = frozenset({"http", "https", "ws", "wss"})


class HotProtocol(BoundedProtocol):
    """One connection."""

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._app = config.app if isinstance(config.app, HotApp | ReplaceableApp) else None
        outermost = config.loaded_app
        self._proxies = outermost.trusted_hosts if isinstance(outermost, ProxyHeadersMiddleware) else None
        self._left = 0
        self._last: HotRequest | None = None
        self._direct: DirectSocket | None = None

    def connection_lost(self, exc: Exception | None) -> None:
        if self._direct is not None:
            self._direct.close()
            self._direct = None
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Answer a request that is known to the byte; else have the parser read what arrived."""
        front = None if self._app is None else self._app.hot
        if front is None:
            super().data_received(data)
            return
        self._left = MOST_AT_ONCE
        is_fresh, message = self._is_between(), self._message
        if is_fresh and self._is_idle():
            known = front.read.get(data)
            if known is not None:
                if self._answer_at_once(front, known):
                    return
                self._left = 0
        super().data_received(data)
        request, self._last = self._last, None
        if is_fresh and request is not None and self._is_between() and self._message == message + 1:
            # These bytes are exactly this request, whoever sends them.
            front.read.keep(data, request)

    def timeout_keep_alive_handler(self) -> None:
        """Close the connection if it has been quiet for long enough; answers given here do not wind the timer up."""
        left = self._quiet_since + self.timeout_keep_alive - self.loop.time()
        if left > 0:
            self.timeout_keep_alive_task = self.loop.call_later(left, self.timeout_keep_alive_handler)
        else:
            super().timeout_keep_alive_handler()

    def _is_between(self) -> bool:
        return self._between and self._refusal is None

    def _is_idle(self) -> bool:
        """Return whether an answer written now is the next one due, and the client is reading."""
        return (
            (not self._has_cycle or self.cycle.response_complete)
            and not self.flow.write_paused
            and not self.transport.is_closing()
        )

    def _answered_at_once(self) -> bool:
        front = None if self._app is None else self._app.hot
        if front is None or self._left <= 0 or not self._is_idle():
            return False
        plain = self.parser.get_method() == b"GET" and self.parser.get_http_version() == "1.1"
        request = read_hot(bytes(self.url), self.headers) if plain else None
        if request is None or not self._answer_at_once(front, request):
            return False
        self._left -= 1
        self._last = request
        return True

    def _answer_at_once(self, front: HotFront, request: HotRequest) -> bool:
        host, scheme = self._client_of(request)
        try:
            date = b"".join([b"%b: %b\r\n" % header for header in self.server_state.default_headers])
            answer = front.answer(request, host, date, secure=scheme == "https")
        except Exception:
            # The general way says what there is to say to the client.
            structlog.get_logger().exception("a hot request failed", path=request.path)
            return False
        if answer is None:
            return False
        self._write(*answer)
        self.server_state.total_requests += 1
        self._stop_timer()
        self._await_next()
        return True

    def _write(self, head: bytes, answer: WrittenResponse) -> None:
        if answer.file is not None and self.scheme == "http":
            if self._direct is None:
                self._direct = DirectSocket(self.transport)
            self._direct.send(head, answer.file)
        elif len(answer.body) < SMALLEST_FILE:
            # To copy a small body is cheaper than to write two pieces.
            self.transport.write(head + answer.body)
        else:
            self.transport.writelines((head, answer.body))

    def _client_of(self, request: HotRequest) -> tuple[str | None, str | None]:
        """Return the client's address and scheme; a trusted proxy's headers count, as in uvicorn's own middleware."""
        host = self.client[0] if self.client else None
        if self._proxies is None or host not in self._proxies:
            return host, self.scheme
        forwarded_scheme = (request.forwarded_proto or "").strip()
        scheme = forwarded_scheme if forwarded_scheme in _SCHEMES else self.scheme
        if request.forwarded_for is not None:
            host = self._proxies.get_trusted_client_address(request.forwarded_for)[0] or host
        return host, scheme
