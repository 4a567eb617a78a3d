"""Listening: a reserved socket, uvicorn on it with our bounds, and a graceful end."""

import asyncio
import contextlib
import errno
import resource
import socket
import ssl
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import uvicorn
from starlette.types import ASGIApp
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from rhumbline.api.hot.protocol import HotProtocol
from rhumbline.api.http.acceptor import Acceptor
from rhumbline.api.http.connections import Bounds, Places, bounds_for

_BACKLOG = 2048
_KEEP_ALIVE_S = 30


class CannotListen(Exception):
    """An address or certificate that cannot be used; the text says why and what to do."""


class PortTaken(CannotListen):
    """Another process listens on the port."""


@dataclass(slots=True, eq=False)
class Tls:
    """PEM files of the service's own TLS, and the contexts loaded from them; new connections use the present ones."""

    certificate: Path
    key: Path
    context: ssl.SSLContext | None = field(default=None, init=False)

    def load(self) -> None:
        """Read the files; raise CannotListen where they cannot be used."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        try:
            context.load_cert_chain(self.certificate, self.key)
        except OSError as error:
            raise CannotListen(f"server.tls_certificate, server.tls_key: cannot be used ({error.strerror})") from None
        self.context = context


def reserve(host: str, port: int, section: str = "server") -> socket.socket:
    """Bind and listen, so that the port is taken; port 0 takes a free one.

    ``section`` is its part of the settings, for the errors. Raise PortTaken, or CannotListen for an address that is not
    this machine's or needs rights.
    """
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except OSError as error:
        raise CannotListen(f"{section}.host: {host} is no address of this machine ({error.strerror})") from None
    listener = socket.socket(family, kind, protocol)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(_BACKLOG)
    except OSError as error:
        listener.close()
        if error.errno == errno.EADDRINUSE:
            raise PortTaken(
                f"{section}.port: {port} on {host} is taken by another process; stop it or choose another port"
            ) from None
        raise CannotListen(
            f"{section}.host, {section}.port: cannot listen on {host}:{port} ({error.strerror})"
        ) from None
    listener.setblocking(False)
    return listener


async def serve(
    app: ASGIApp,
    listener: socket.socket,
    *,
    tls: Tls | None = None,
    trusted_proxies: Sequence[str] = (),
    bounds: Bounds | None = None,
    grace_s: int = 10,
    started: Callable[[str], None] | None = None,
    opened: Callable[[Places], None] | None = None,
) -> None:
    """Serve until cancelled, then finish the running requests, for at most ``grace_s`` seconds.

    Takes over the listener. ``started`` is called with the service's own address once requests are answered. Forwarded
    headers count from ``trusted_proxies`` only, which are exempt from the limit per address. ``bounds`` None: as many
    connections as the process's descriptors allow. ``opened`` is called with the connection counts. Raise CannotListen
    for an unusable certificate. Signals are the caller's.
    """
    config = uvicorn.Config(
        app,
        http=HotProtocol,
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=bool(trusted_proxies),
        forwarded_allow_ips=list(trusted_proxies),
        timeout_keep_alive=_KEEP_ALIVE_S,
        timeout_graceful_shutdown=grace_s,
    )
    config.load()
    if tls is not None:
        try:
            tls.load()
        except CannotListen:
            listener.close()
            raise
    url = _url("http" if tls is None else "https", listener)
    trusted = config.loaded_app.trusted_hosts if isinstance(config.loaded_app, ProxyHeadersMiddleware) else ()
    places = Places(connection_bounds() if bounds is None else bounds, trusted.__contains__)
    if opened is not None:
        opened(places)
    server = _Server(config, places, tls, lambda: None if started is None else started(url))
    running = asyncio.create_task(server.serve([listener]))
    try:
        await asyncio.shield(running)
    except asyncio.CancelledError:
        server.should_exit = True
        await running
        raise


def _url(scheme: str, listener: socket.socket) -> str:
    host, port = listener.getsockname()[:2]
    return f"{scheme}://[{host}]:{port}" if ":" in host else f"{scheme}://{host}:{port}"


def connection_bounds(total: int | None = None, per_address: int | None = None) -> Bounds:
    """Return the bounds under this process's limit of open files; raise CannotListen for a total beyond it."""
    try:
        return bounds_for(resource.getrlimit(resource.RLIMIT_NOFILE)[0], total, per_address)
    except ValueError as error:
        raise CannotListen(str(error)) from None


class _Server(uvicorn.Server):
    """uvicorn's server without its signal handlers; it accepts connections as we do and reports when it has started."""

    def __init__(self, config: uvicorn.Config, places: Places, tls: Tls | None, started: Callable[[], None]) -> None:
        super().__init__(config)
        self._places = places
        self._tls = tls
        self._tell_started = started
        self._acceptors: list[Acceptor] = []

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup([])
        parts = self._places, partial(HotProtocol, self.config, self.server_state, self.lifespan.state), self._context
        self._acceptors = [Acceptor(listener, *parts) for listener in sockets or ()]
        self._tell_started()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for acceptor in self._acceptors:
            acceptor.close()
        await super().shutdown(sockets)

    def _context(self) -> ssl.SSLContext | None:
        return None if self._tls is None else self._tls.context

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        yield
