"""A server of a test's own, on a free port of the loopback, that reads and writes byte by byte."""

import asyncio
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from rhumbline.devnet.hosts import listening


@asynccontextmanager
async def talking(
    talk: Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]], tls: ssl.SSLContext | None = None
) -> AsyncIterator[int]:
    """Have ``talk`` speak on every connection until the block ends; yield the port."""
    async with listening(lambda: asyncio.StreamReaderProtocol(asyncio.StreamReader(), talk), tls=tls) as port:
        yield port
