"""Where agents reach the server: standard input and output, or HTTP on an address of this machine."""

import signal
import socket
import sys
from collections.abc import Sequence
from ipaddress import ip_address
from typing import Any

import uvicorn
from mcp.server import Server
from mcp.server.stdio import stdio_server
from mcp.server.transport_security import TransportSecuritySettings

LARGEST_BODY = 64 * 1024
IDLE_S = 75
"""Longer than clients keep a connection, so that none is closed while a call is on its way."""
PATH = "/mcp"
LOOPBACK_NAMES = ("127.0.0.1", "localhost", "[::1]")


class CannotListen(Exception):
    """The address cannot be listened on; the text says why and what to do."""


async def serve_stdio(server: Server[Any]) -> None:
    """Serve the program that has started this one, until it closes standard input."""
    # A read of standard input cannot be interrupted, and there is nothing to tidy up.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    async with stdio_server() as (reads, writes):
        await server.run(reads, writes, server.create_initialization_options())


async def serve_http(server: Server[Any], host: str, port: int, names: Sequence[str] = ()) -> None:
    """Serve streamable HTTP until interrupted.

    Args:
        server: what answers.
        host: the address to listen on.
        port: 0 takes a free one, which the line on standard error has.
        names: what else, besides names of this machine, may stand in ``Host``, as a proxy in front sends it.

    Raises:
        CannotListen: the address is taken or not this machine's.
        KeyboardInterrupt: it was interrupted.

    """
    with _bound(host, port) as listening:
        taken = listening.getsockname()[1]
        app = server.streamable_http_app(
            streamable_http_path=PATH,
            json_response=True,
            stateless_http=True,
            max_request_body_size=LARGEST_BODY,
            transport_security=permitted(taken, names),
        )
        shown = f"[{host}]" if ":" in host else host
        sys.stderr.write(f"listening on http://{shown}:{taken}{PATH}\n")
        sys.stderr.flush()
        config = uvicorn.Config(
            app, log_level="warning", access_log=False, timeout_keep_alive=IDLE_S, timeout_graceful_shutdown=5
        )
        await uvicorn.Server(config).serve(sockets=[listening])
        # An interrupt ended it. uvicorn passes that on, but in vain where the task has nothing left to await.
        raise KeyboardInterrupt


def permitted(port: int, names: Sequence[str]) -> TransportSecuritySettings:
    """Return which ``Host`` and ``Origin`` are taken: no page of another site may reach this by a name of its own."""
    hosts = [f"{name}:{port}" for name in LOOPBACK_NAMES]
    more = [each for name in names for each in ((name,) if ":" in name else (name, f"{name}:{port}"))]
    origins = [f"http://{each}" for each in (*hosts, *more)] + [f"https://{each}" for each in more]
    return TransportSecuritySettings(
        enable_dns_rebinding_protection=True, allowed_hosts=[*hosts, *more], allowed_origins=origins
    )


def is_loopback(host: str) -> bool:
    """Tell whether only this machine reaches an address."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _bound(host: str, port: int) -> socket.socket:
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        return socket.create_server(address[:2], family=family, backlog=1024)
    except OSError as error:
        reason = (error.strerror or "no reason given").partition(" (")[0]
        raise CannotListen(f"{host}:{port}: cannot be listened on ({reason}): choose --port or --host") from None
