"""A host of a test's own, on a free port of the loopback."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from aiohttp import web


@asynccontextmanager
async def hosted(app: web.Application, *, cancels: bool = False) -> AsyncIterator[str]:
    """Serve until the block ends; yield the URL, without a path. ``cancels`` ends work for a client that is gone."""
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1, handler_cancellation=cancels)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()
