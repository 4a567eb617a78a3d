"""An upstream that says whatever a test has it say, byte by byte, and counts who is still connected."""

import asyncio
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from rhumbline.gateways.upstreams.upstream import Upstream, open_upstream
from tests.loopback import talking

OK = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n"
Act = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@dataclass
class Rogue:
    """``asked`` holds the first line of every request, ``connected`` how many connections are open."""

    act: Act
    url: str = ""
    asked: list[str] = field(default_factory=list)
    connected: int = 0
    connections: int = 0
    running: set[asyncio.Task[None]] = field(default_factory=set)
    questioned: asyncio.Event = field(default_factory=asyncio.Event)
    alone: asyncio.Event = field(default_factory=asyncio.Event)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self.running.add(task)
        self.connected += 1
        self.alone.clear()
        self.connections += 1
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                self.asked.append(head.split(b"\r\n")[0].decode())
                self.questioned.set()
                await self.act(reader, writer)
                await writer.drain()
        except (asyncio.IncompleteReadError, asyncio.CancelledError, ConnectionError, ssl.SSLError):
            pass
        finally:
            self.connected -= 1
            if not self.connected:
                self.alone.set()
            self.running.discard(task)
            writer.close()

    async def is_left_alone(self) -> None:
        """Return when nobody is connected any more; the test's own deadline ends a vain wait."""
        await self.alone.wait()


@asynccontextmanager
async def rogue(act: Act, tls: ssl.SSLContext | None = None) -> AsyncIterator[Rogue]:
    """Run one; ``act`` is called after the head of each request."""
    made = Rogue(act)
    made.alone.set()
    scheme = "http" if tls is None else "https"
    try:
        async with talking(made.serve, tls) as port:
            made.url = f"{scheme}://127.0.0.1:{port}"
            yield made
    finally:
        for task in list(made.running):
            task.cancel()
        await asyncio.gather(*made.running, return_exceptions=True)


@asynccontextmanager
async def asked(
    act: Act, timeout_s: float = 5.0, largest_bytes: int = 100_000
) -> AsyncIterator[tuple[Upstream, Rogue]]:
    """Run one, and open a gateway to it with a path that nobody may see."""
    async with (
        rogue(act) as server,
        open_upstream("ROGUE", f"{server.url}/s3cret", timeout_s=timeout_s, largest_bytes=largest_bytes) as http,
    ):
        yield http, server


def says(*parts: bytes, then_close: bool = False) -> Act:
    """Write the parts, one after the other."""

    async def act(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for part in parts:
            writer.write(part)
            await writer.drain()
        if then_close:
            writer.close()

    return act


def whole(body: bytes, *headers: bytes) -> bytes:
    """An answer with its length."""
    lines = b"".join(header + b"\r\n" for header in headers)
    return OK + lines + b"content-length: %d\r\n\r\n" % len(body) + body


def without_end(head: bytes, part: bytes, pause_s: float = 0.0) -> Act:
    """Write a head, and then a part again and again until the other side has enough."""

    async def act(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(head)
        while not writer.is_closing():
            writer.write(part)
            await writer.drain()
            await asyncio.sleep(pause_s)

    return act
