"""Accepts connections within their limit, before anything is read or a handshake begins."""

import asyncio
import errno
import socket
import ssl
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

import structlog

from rhumbline.api.http.connections import Place, Places
from rhumbline.api.http.protocol import BoundedProtocol

HANDSHAKE_S = 10.0
_AT_ONCE = 64
"""Connections accepted in one turn of the event loop."""
_PAUSE_S = 0.2
_SHORT = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM})
_FULL = (
    b"HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\nretry-after: 5\r\ncache-control: no-store\r\n"
    b"connection: close\r\n\r\n"
)


@dataclass(slots=True, eq=False)
class Acceptor:
    """Accepts the connections of one listener until it is closed; ``protocol`` makes what serves one.

    ``tls`` returns what a connection that begins now has to use, None for plain HTTP.
    """

    listener: socket.socket
    places: Places
    protocol: Callable[[], BoundedProtocol]
    tls: Callable[[], ssl.SSLContext | None]
    _loop: asyncio.AbstractEventLoop = field(default_factory=asyncio.get_running_loop, init=False)
    _beginning: set[asyncio.Task[None]] = field(default_factory=set, init=False)
    _pause: asyncio.TimerHandle | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        self._begin()

    def close(self) -> None:
        """Close the listener and accept no more; accepted connections continue."""
        if self._pause is not None:
            self._pause.cancel()
        self._loop.remove_reader(self.listener.fileno())
        self.listener.close()
        for task in self._beginning:
            task.cancel()

    def _begin(self) -> None:
        self._pause = None
        self._loop.add_reader(self.listener.fileno(), self._accept)

    def _accept(self) -> None:
        for _ in range(_AT_ONCE):
            try:
                connection, address = self.listener.accept()
            except (BlockingIOError, InterruptedError):
                return
            except OSError as error:
                if error.errno in _SHORT:
                    self._wait(error)
                    return
                # The client has disconnected already.
                continue
            place = self.places.take(str(address[0]))
            if place is None:
                self._refuse(connection)
                continue
            task = self._loop.create_task(self._serve(connection, place))
            self._beginning.add(task)
            task.add_done_callback(self._beginning.discard)

    def _wait(self, error: OSError) -> None:
        """Leave the queue to the system for a moment: to ask again at once would only keep the processor busy."""
        structlog.get_logger().error("no connection can be accepted for the moment", reason=error.strerror)
        self._loop.remove_reader(self.listener.fileno())
        self._pause = self._loop.call_later(_PAUSE_S, self._begin)

    def _refuse(self, connection: socket.socket) -> None:
        with connection, suppress(OSError):
            connection.setblocking(False)
            if self.tls() is None:
                connection.send(_FULL)
                connection.shutdown(socket.SHUT_WR)

    async def _serve(self, connection: socket.socket, place: Place) -> None:
        connection.setblocking(False)
        with suppress(OSError):
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

        def made() -> BoundedProtocol:
            protocol = self.protocol()
            protocol.place = place
            return protocol

        tls = self.tls()
        timeout = None if tls is None else HANDSHAKE_S
        try:
            await self._loop.connect_accepted_socket(made, connection, ssl=tls, ssl_handshake_timeout=timeout)
        except BaseException as failure:
            connection.close()
            place.free()
            if not isinstance(failure, OSError | TimeoutError | asyncio.CancelledError):
                raise
