"""HTTP servers on ports of this machine, for the length of a context."""

import asyncio
import ssl
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import cast

from aiohttp import web

LOOPBACK = "127.0.0.1"


@asynccontextmanager
async def hosted(app: web.Application, *, cancels: bool = False) -> AsyncIterator[str]:
    """Serve on a free port; yield the URL without a path. A disconnecting client cancels its handler if ``cancels``."""
    async with handling(app, cancels=cancels) as connected, listening(connected) as port:
        yield f"http://{LOOPBACK}:{port}"


@asynccontextmanager
async def handling(app: web.Application, *, cancels: bool = False) -> AsyncIterator[Callable[[], asyncio.BaseProtocol]]:
    """Set an application up; yield the factory of protocols for its connections."""
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.2, handler_cancellation=cancels)
    await runner.setup()
    try:
        yield cast(Callable[[], asyncio.BaseProtocol], runner.server)
    finally:
        await runner.cleanup()


@asynccontextmanager
async def listening(
    connected: Callable[[], asyncio.BaseProtocol], port: int = 0, tls: ssl.SSLContext | None = None
) -> AsyncIterator[int]:
    """Listen at a port, 0 for a free one, and yield it. Raise OSError for one in use."""
    loop = asyncio.get_running_loop()
    server = await loop.create_server(connected, LOOPBACK, port, ssl=tls)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        # Before Python 3.13 a server that closes drops connections it has just accepted (gh-109564); let them begin
        # first.
        for each in server.sockets:
            loop.remove_reader(each.fileno())
        try:
            await asyncio.sleep(0)
        finally:
            server.close()
