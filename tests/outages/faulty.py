"""Hosts and stores that fail on demand: what stands between the service and something that it needs."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

import aiohttp
from aiohttp import web

from rhumbline.devnet.hosts import hosted


class Fault(StrEnum):
    """How something fails."""

    CUT = "hangs up"
    BUSY = "answers 503"
    ERROR = "answers an error"
    GARBAGE = "answers a page"
    HALF = "answers half"
    NULL = "answers null"
    SILENT = "is silent"


@dataclass
class FaultyHost:
    """A host before another one. It fails by ``fault``, with ``methods`` only at calls of these."""

    upstream: str
    url: str = ""
    fault: Fault | None = None
    methods: frozenset[str] = frozenset()
    sound: asyncio.Event = field(default_factory=asyncio.Event)

    def fail(self, fault: Fault | None, *methods: str) -> None:
        self.fault, self.methods = fault, frozenset(methods)
        if fault is None:
            self.sound.set()
        else:
            self.sound.clear()

    async def answer(self, session: aiohttp.ClientSession, request: web.Request) -> web.Response:
        body = await request.read()
        asked = _calls(body)
        if self.fault is not None and (not self.methods or self.methods.intersection(map(_method, asked))):
            return await self._failed(self.fault, request, body)
        url = self.upstream if asked else self.upstream.rstrip("/") + request.path_qs
        sent = {"content-type": "application/json"} if asked else None
        async with session.request(request.method, url, data=body or None, headers=sent) as response:
            kind = response.headers.get("content-type", "application/json")
            return web.Response(status=response.status, body=await response.read(), headers={"content-type": kind})

    async def _failed(self, fault: Fault, request: web.Request, body: bytes) -> web.Response:
        if fault is Fault.SILENT:
            await self.sound.wait()
        if fault is Fault.BUSY or fault is Fault.SILENT:
            return web.Response(status=503, text="Service Unavailable")
        if fault is Fault.GARBAGE:
            return web.Response(text="<html>welcome</html>", content_type="text/html")
        if fault is Fault.CUT:
            assert request.transport is not None
            request.transport.abort()
        refused: dict[str, object] = {"error": {"code": -32603, "message": "internal error"}}
        said = json.dumps(_answered(body, refused if fault is Fault.ERROR else {"result": None}))
        return web.Response(text=said[: len(said) // 2] if fault is Fault.HALF else said)


@asynccontextmanager
async def faulty_host(upstream: str) -> AsyncIterator[FaultyHost]:
    """Run one; it behaves at first."""
    host = FaultyHost(upstream)
    async with aiohttp.ClientSession() as session:
        app = web.Application(client_max_size=2**26)

        async def answer(request: web.Request) -> web.Response:
            return await host.answer(session, request)

        app.router.add_route("*", "/{path:.*}", answer)
        async with hosted(app) as host.url:
            try:
                yield host
            finally:
                host.fail(None)


def _calls(body: bytes) -> list[dict[str, object]]:
    try:
        asked = json.loads(body)
    except ValueError:
        return []
    calls = asked if isinstance(asked, list) else [asked]
    return [each for each in calls if isinstance(each, dict) and "method" in each]


def _method(call: dict[str, object]) -> str:
    return str(call["method"])


def _answered(body: bytes, content: dict[str, object]) -> object:
    answers = [{"jsonrpc": "2.0", "id": call["id"], **content} for call in _calls(body)]
    return answers if body.lstrip().startswith(b"[") else (answers or [content])[0]


@dataclass
class FaultyStore:
    """A PostgreSQL server's socket before another one: it hangs up (CUT) or is silent."""

    upstream: Path
    fault: Fault | None = None
    sound: asyncio.Event = field(default_factory=asyncio.Event)
    writers: set[asyncio.StreamWriter] = field(default_factory=set)

    def fail(self, fault: Fault | None) -> None:
        self.fault = fault
        if fault is Fault.SILENT:
            self.sound.clear()
        else:
            self.sound.set()
        if fault is Fault.CUT:
            for writer in self.writers:
                writer.transport.abort()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self.fault is Fault.CUT:
            writer.transport.abort()
            return
        try:
            beyond, back = await asyncio.open_unix_connection(self.upstream)
        except OSError:
            # The server behind it is away by itself.
            writer.transport.abort()
            return
        both = {writer, back}
        self.writers |= both
        try:
            await asyncio.gather(self._pump(reader, back), self._pump(beyond, writer))
        finally:
            self.writers -= both

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError):
            while data := await reader.read(1 << 16):
                await self.sound.wait()
                writer.write(data)
                await writer.drain()
        writer.close()


@asynccontextmanager
async def faulty_store(folder: Path, upstream: Path) -> AsyncIterator[FaultyStore]:
    """Run one in a folder, under the name of the socket before which it stands."""
    store = FaultyStore(upstream)
    store.sound.set()
    serving: set[asyncio.Task[None]] = set()

    def begin(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(store.serve(reader, writer))
        serving.add(task)
        task.add_done_callback(serving.discard)

    server = await asyncio.start_unix_server(begin, folder / upstream.name)
    try:
        yield store
    finally:
        server.close()
        store.fail(Fault.CUT)
        await asyncio.gather(*serving, return_exceptions=True)
