"""A signer is given each call as it leaves: what it signs is what arrives, byte for byte."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace

import pytest
from aiohttp import web

from rhumbline.gateways.upstreams.upstream import Upstream, open_upstream

AWKWARD = [("a", "1.5"), ("b", "x y/z?&=+%"), ("c", "\u00e9"), ("a", "2")]


@dataclass
class Received:
    """What came, as method, path with query, and body; with the header that a signer added."""

    calls: list[tuple[str, str, bytes]] = field(default_factory=list)
    marks: list[str] = field(default_factory=list)
    fixed: list[str] = field(default_factory=list)

    async def answer(self, request: web.Request) -> web.Response:
        self.calls.append((request.method, request.raw_path, await request.read()))
        self.marks.append(request.headers.get("x-mark", ""))
        self.fixed.append(request.headers.get("x-fixed", ""))
        if request.path == "/old":
            return web.Response(status=307, headers={"location": "/new?moved=1"})
        return web.json_response({})


@asynccontextmanager
async def receiving() -> AsyncIterator[tuple[Upstream, Received]]:
    received = Received()
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", received.answer)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.2)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    url = f"http://127.0.0.1:{runner.addresses[0][1]}"
    async with open_upstream("example-key", url, headers={"x-fixed": "flag"}) as upstream:
        yield upstream, received
    await runner.cleanup()


@dataclass
class Notary:
    """A signer that keeps what it was given."""

    seen: list[tuple[str, str, bytes]] = field(default_factory=list)

    def __call__(self, method: str, target: str, body: bytes) -> Mapping[str, str]:
        self.seen.append((method, target, body))
        return {"x-mark": str(len(self.seen))}


@pytest.mark.parametrize("query", [[], AWKWARD])
async def test_what_is_signed_is_what_arrives(query: list[tuple[str, str]]) -> None:
    async with receiving() as (upstream, received):
        notary = Notary()
        signed = replace(upstream, sign=notary)
        await signed.get("/quote", query)
        await signed.post("/build", {"amount": 10**30, "name": "\u00e9"}, query)
    assert notary.seen == received.calls
    assert [method for method, _, _ in notary.seen] == ["GET", "POST"]
    assert notary.seen[0][2] == b""
    assert b"1000000000000000000000000000000" in notary.seen[1][2]
    assert received.marks == ["1", "2"]
    assert received.fixed == ["flag", "flag"]


async def test_each_hop_is_signed_for_itself() -> None:
    async with receiving() as (upstream, received):
        notary = Notary()
        await replace(upstream, sign=notary).get("/old")
    assert [target for _, target, _ in notary.seen] == ["/old", "/new?moved=1"]
    assert notary.seen == received.calls
    assert received.marks == ["1", "2"]


async def test_without_a_signer_nothing_is_added() -> None:
    async with receiving() as (upstream, received):
        await upstream.get("/quote")
    assert received.marks == [""]
