"""Clients that do not go on: each is let go in the end, and none that does go on."""

import asyncio
import socket
import ssl
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
import uvicorn
from starlette.types import Receive, Scope, Send
from uvicorn.server import ServerState

from rhumbline.api.http import protocol as bounded_protocol
from rhumbline.api.http.protocol import BoundedProtocol
from rhumbline.api.server.application import create_app
from rhumbline.api.server.listener import Tls
from tests.api.api_service import ApiService, services
from tests.api.conftest import served
from tests.api.paired_services import paired_services, read_replies, request
from tests.api.server.test_listener import certificate, drip

__all__ = ["certificate"]
MEGABYTE = 1024 * 1024
POST = b"POST /v1/chains HTTP/1.1\r\nhost: x\r\n"
CHUNKED = POST + b"transfer-encoding: chunked\r\n\r\n"


@pytest.mark.parametrize(
    "beginning",
    [
        POST + b"content-length: 10\r\n\r\n",
        POST + b"content-length: 10\r\n\r\n123",
        CHUNKED,
        CHUNKED + b"3\r\nabc\r\n",
        CHUNKED + b"3\r\nabc\r\n0\r\na: b",
    ],
)
async def test_a_body_that_never_comes_is_not_awaited(monkeypatch: pytest.MonkeyPatch, beginning: bytes) -> None:
    monkeypatch.setattr(bounded_protocol, "BODY_TIMEOUT_S", 0.2)
    async with served(create_app(services(ApiService(), {}))) as (_, port):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(beginning)
        assert await asyncio.wait_for(reader.read(), 60) == b""
        writer.close()


async def test_a_body_that_drips_is_not_awaited(monkeypatch: pytest.MonkeyPatch) -> None:
    """The time is the whole body's: to send a little now and then does not wind it up."""
    monkeypatch.setattr(bounded_protocol, "BODY_TIMEOUT_S", 0.2)
    async with served(create_app(services(ApiService(), {}))) as (_, port):
        _, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(POST + b"content-length: 100000\r\n\r\n")
        with pytest.raises(ConnectionError):
            await drip(writer)
        writer.close()


async def test_a_handshake_that_takes_long_leaves_the_head_its_bound(
    monkeypatch: pytest.MonkeyPatch, certificate: Tls
) -> None:
    monkeypatch.setattr(bounded_protocol, "HEAD_TIMEOUT_S", 0.2)
    trust = ssl.create_default_context(cafile=str(certificate.certificate))
    async with served(create_app(services(ApiService(), {})), certificate) as (_, port):
        connected = socket.create_connection(("127.0.0.1", port))
        connected.setblocking(False)
        await asyncio.sleep(0.5)
        reader, writer = await asyncio.open_connection(sock=connected, ssl=trust, server_hostname="localhost")
        assert await asyncio.wait_for(reader.read(), 60) == b""
        writer.close()


class HandWound:
    """A loop whose timers run when the test says so; all else is the true loop's."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self.due: list[tuple[asyncio.TimerHandle, Callable[..., None], tuple[object, ...]]] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self.loop, name)

    def call_later(self, delay: float, then: Callable[..., None], *args: object) -> asyncio.TimerHandle:
        handle = self.loop.call_later(86_400, then, *args)
        self.due.append((handle, then, args))
        return handle

    def elapse(self) -> int:
        """Let all timers that run now run out; return how many those were."""
        due, self.due = [each for each in self.due if not each[0].cancelled()], []
        for handle, then, args in due:
            handle.cancel()
            then(*args)
        return len(due)


@dataclass
class Large:
    """Answers with so many bytes, once it is let; it never reads a body."""

    size: int = 16 * MEGABYTE
    asked: asyncio.Event = field(default_factory=asyncio.Event)
    let: asyncio.Event = field(default_factory=asyncio.Event)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.asked.set()
        await self.let.wait()
        length = [(b"content-length", b"%d" % self.size)]
        await send({"type": "http.response.start", "status": 200, "headers": length})
        await send({"type": "http.response.body", "body": bytes(self.size)})


@dataclass
class Conversation:
    """One connection, both ends of it; the system keeps little of what is under way."""

    timers: HandWound
    protocol: BoundedProtocol
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    @property
    def waiting(self) -> int:
        return self.protocol.transport.get_write_buffer_size()

    async def until_lost(self, *, timers_run: bool = True) -> None:
        """Wait until the service has given the connection up, and let its timers run out meanwhile."""
        for _ in range(3000):
            if timers_run:
                self.timers.elapse()
            await asyncio.sleep(0.01)
            if self.protocol not in self.protocol.connections:
                return
        raise AssertionError("the connection is kept")


@asynccontextmanager
async def conversation(app: Large) -> AsyncIterator[Conversation]:
    """Serve by the protocol alone, and connect to it."""
    config = uvicorn.Config(app, ws="none", lifespan="off", log_config=None)
    timers, made = HandWound(asyncio.get_running_loop()), list[BoundedProtocol]()

    def protocol() -> BoundedProtocol:
        loop: Any = timers
        made.append(BoundedProtocol(config, ServerState(), {}, loop))
        return made[-1]

    listener, client = socket.create_server(("127.0.0.1", 0)), socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 8192)
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 8192)
    server = await timers.loop.create_server(protocol, sock=listener)
    client.setblocking(False)
    await timers.loop.sock_connect(client, listener.getsockname())
    reader, writer = await asyncio.open_connection(sock=client, limit=4096)
    writer.write(b"GET / HTTP/1.1\r\nhost: x\r\n")
    for _ in range(3000):
        await asyncio.sleep(0.01)
        if made:
            break
    try:
        yield Conversation(timers, made[0], reader, writer)
    finally:
        writer.transport.abort()
        server.close()


@pytest.mark.parametrize("ending", [b"", b"connection: close\r\n"])
async def test_a_client_is_kept_as_long_as_it_takes_anything(ending: bytes) -> None:
    app = Large()
    app.let.set()
    async with conversation(app) as talk:
        talk.writer.write(ending + b"\r\n")
        await talk.reader.readuntil(b"\r\n\r\n")
        waited = 0
        while (left := talk.waiting) > 12 * MEGABYTE:
            while talk.waiting >= left:
                await talk.reader.read(65_536)
            waited += talk.timers.elapse()
        assert waited > 4
        await talk.until_lost()
        with pytest.raises((ConnectionError, asyncio.IncompleteReadError)):
            await talk.reader.readexactly(16 * MEGABYTE)


async def test_a_quiet_client_that_leaves_a_little_waiting_is_let_go() -> None:
    """So little that nothing is held back: it is the end of the connection that would wait for it."""
    app = Large(50_000)
    app.let.set()
    async with conversation(app) as talk:
        talk.writer.write(b"\r\n")
        await talk.reader.readuntil(b"\r\n\r\n")
        assert not talk.protocol.flow.write_paused
        assert talk.waiting > 0
        await talk.until_lost()


async def test_what_this_side_does_not_read_is_not_held_against_a_client() -> None:
    app = Large()
    async with conversation(app) as talk:
        talk.writer.write(b"content-length: %d\r\n\r\n" % (4 * MEGABYTE) + bytes(4 * MEGABYTE))
        await app.asked.wait()
        for _ in range(500):
            if talk.protocol.flow.read_paused:
                break
            await asyncio.sleep(0.01)
        for _ in range(3):
            assert talk.timers.elapse() == 1
        assert not talk.protocol.transport.is_closing()
        app.let.set()
        await talk.reader.readuntil(b"\r\n\r\n")
        assert len(await talk.reader.readexactly(16 * MEGABYTE)) == 16 * MEGABYTE


async def test_a_refused_client_that_is_gone_leaves_no_timer() -> None:
    """Over TLS there is nothing any more that such a timer could close."""
    async with conversation(Large()) as talk:
        talk.writer.write(b"rubbish\r\n\r\n")
        assert (await talk.reader.readline()).startswith(b"HTTP/1.1 400 ")
        talk.writer.transport.abort()
        await talk.until_lost(timers_run=False)
        assert talk.timers.elapse() == 0


async def test_hot_answers_go_on_where_a_body_was_awaited() -> None:
    """A timer that a body has wound up does not end the requests after it."""
    async with paired_services() as both:
        reader, writer = await asyncio.open_connection("127.0.0.1", both.hot.port)
        for part in (request("/v1/chains", {"content-length": "4"}), b"ab", b"cd", request("/v1/chains")):
            writer.write(part)
            await asyncio.sleep(0.01)
        assert [reply.status for reply in await read_replies(reader, 2)] == [200, 200]
        writer.close()
