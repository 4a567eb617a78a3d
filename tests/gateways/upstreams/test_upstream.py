"""What upstreams can do to us by HTTP ends as one of our errors, in time, within bounds, and with nothing left open."""

import asyncio
import gzip
import socket
import tracemalloc
import zlib
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import brotli
import pytest
from aiohttp import web
from yarl import URL

from rhumbline.devnet.hosts import hosted
from rhumbline.gateways.http.pool import Pool
from rhumbline.gateways.upstreams.upstream import (
    Upstream,
    UpstreamError,
    UpstreamGarbled,
    UpstreamRefused,
    UpstreamSilent,
    open_upstream,
)
from tests.gateways.http.rogue import OK, Act, Rogue, asked, rogue, says, whole, without_end

SECRET = "s3cret"
LARGEST = 100_000
BOMB = b'"' + 16 * 1024 * 1024 * b"0" + b'"'
CHUNKED = OK + b"transfer-encoding: chunked\r\n\r\n"


async def failure(http: Upstream, server: Rogue, kind: type[UpstreamError]) -> str:
    """Ask once; what the error says, after nothing of it is left."""
    async with asyncio.timeout(20):
        with pytest.raises(kind) as caught:
            await http.get("/quote", {"key": SECRET})
        await server.is_left_alone()
    told = str(caught.value) + repr(caught.value.__cause__)
    assert SECRET not in told
    assert "127.0.0.1" not in told
    return str(caught.value)


CUT_OFF = (UpstreamSilent, "cannot be reached")
HOSTILE: list[tuple[str, Act, type[UpstreamError], str]] = [
    ("chunks without end", without_end(CHUNKED, b"1000\r\n" + 4096 * b" " + b"\r\n"), UpstreamGarbled, "more than"),
    ("a body without end or length", without_end(OK + b"\r\n", 4096 * b" "), UpstreamGarbled, "more than"),
    ("a length that is too large", says(OK + b"content-length: 100001\r\n\r\n"), UpstreamGarbled, "more than"),
    ("one header of 1 MB", says(OK + b"x: " + 2**20 * b"x" + b"\r\n\r\n"), *CUT_OFF),
    ("headers of 1 MB", says(OK + 2**15 * (b"x" * 26 + b": x\r\n") + b"\r\n"), *CUT_OFF),
    ("headers without end", without_end(OK, b"x: x\r\n"), *CUT_OFF),
    ("a status line without end", without_end(b"HTTP/1.1 200 ", 4096 * b"O"), *CUT_OFF),
    ("no HTTP", says(b"220 smtp.example ESMTP\r\n"), *CUT_OFF),
    ("another protocol", says(b"HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n"), *CUT_OFF),
    ("an end before the head", says(b"", then_close=True), *CUT_OFF),
    ("an end within the head", says(b"HTTP/1.1 200", then_close=True), *CUT_OFF),
    ("an end within the body", says(OK + b"content-length: 20\r\n\r\n{", then_close=True), *CUT_OFF),
    ("an end within the chunks", says(CHUNKED + b"5\r\n{", then_close=True), *CUT_OFF),
    ("trailers without end", without_end(CHUNKED + b"0\r\n", 100 * b"x: x\r\n"), *CUT_OFF),
    ("a trailer without end", without_end(CHUNKED + b"0\r\nz: ", 4096 * b"x"), UpstreamSilent, "too long a head"),
    ("a trailer behind a body", without_end(CHUNKED + b"1\r\n1\r\n0\r\nz", 4096 * b"x"), UpstreamSilent, "too long"),
    ("a chunk that is named for ever", without_end(CHUNKED + b"1;a=", 4096 * b"x"), UpstreamSilent, "too long a head"),
    ("early answers without end", without_end(b"", b"HTTP/1.1 103 Hints\r\n\r\n"), *CUT_OFF),
    ("a chunk with a length that is none", says(CHUNKED + b"zz\r\n{}\r\n"), *CUT_OFF),
    ("two lengths", says(OK + b"content-length: 2\r\ncontent-length: 4\r\n\r\n{}{}"), *CUT_OFF),
    ("packed as nobody can read", says(whole(b"no gzip", b"content-encoding: gzip")), *CUT_OFF),
    ("packed in a way that was not offered", says(whole(b"{}", b"content-encoding: zstd")), *CUT_OFF),
    ("packed so, and a bomb", says(whole(brotli.compress(BOMB, quality=1), b"content-encoding: br")), *CUT_OFF),
    ("packed, and cut off", says(whole(gzip.compress(b"[1]")[:-9], b"content-encoding: gzip")), *CUT_OFF),
    ("packed, and more behind it", says(whole(2 * gzip.compress(b"[1]"), b"content-encoding: gzip")), *CUT_OFF),
    ("a header with an escape", says(OK + b"x: \x1b[31m\r\ncontent-length: 1\r\n\r\n1"), UpstreamSilent, "cannot be"),
    ("a page", says(b"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 2\r\n\r\n{}", then_close=True),
     UpstreamGarbled, "text/html"),
]  # fmt: skip


@pytest.mark.parametrize(("act", "kind", "said"), [case[1:] for case in HOSTILE], ids=[case[0] for case in HOSTILE])
async def test_strange_answers(act: Act, kind: type[UpstreamError], said: str) -> None:
    async with asked(act, largest_bytes=LARGEST) as (http, server):
        assert said in await failure(http, server, kind)


@pytest.mark.parametrize(
    "act",
    [
        without_end(OK + b"content-length: 90000\r\n\r\n", b" ", 0.01),
        without_end(CHUNKED, b"1\r\n \r\n", 0.01),
        without_end(b"HTTP/1.1 200 OK\r\n", b"x: x\r\n", 0.05),
        without_end(b"HTTP/1.1 100 Continue\r\n\r\n", b"HTTP/1.1 100 Continue\r\n\r\n", 0.05),
        says(OK),
        says(),
    ],
    ids=["body", "chunks", "headers", "continue", "no end of the head", "nothing"],
)
async def test_drips_end_with_the_deadline(act: Act) -> None:
    async with asked(act, timeout_s=0.4, largest_bytes=LARGEST) as (http, server):
        assert await failure(http, server, UpstreamSilent) == "ROGUE did not answer within 0.4 s"


async def test_a_connection_that_is_reset() -> None:
    async def act(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(OK + b"content-length: 90\r\n\r\n[")
        await writer.drain()
        writer.transport.abort()

    async with asked(act) as (http, server):
        assert "cannot be reached" in await failure(http, server, UpstreamSilent)


PACKED = {
    "gzip": gzip.compress(BOMB, 9),
    "deflate": zlib.compress(BOMB, 9),
}


@pytest.mark.parametrize("encoding", PACKED)
async def test_what_is_packed_is_bounded_by_what_it_unpacks_to(encoding: str) -> None:
    act = says(whole(PACKED[encoding], b"content-encoding: " + encoding.encode()))
    async with asked(act, largest_bytes=LARGEST) as (http, server):
        tracemalloc.start()
        try:
            assert "more than 100000 bytes" in await failure(http, server, UpstreamGarbled)
            assert tracemalloc.get_traced_memory()[1] < 8 * 1024 * 1024
        finally:
            tracemalloc.stop()


async def test_an_honest_packed_answer_is_read() -> None:
    async with asked(says(whole(gzip.compress(b'{"a": [1.10]}'), b"content-encoding: gzip"))) as (http, _):
        assert str(await http.get("/quote")) == "{'a': [Decimal('1.10')]}"


@pytest.mark.parametrize(
    "wait", ["Mon, 01 Jan 99999999999999999999 00:00:00 GMT", "Mon, 01 Jan 2026 00:00:00 +99999999999999999"]
)
async def test_a_wait_until_a_moment_that_is_none(wait: str) -> None:
    head = f"HTTP/1.1 429 No\r\nretry-after: {wait}\r\ncontent-length: 0\r\n\r\n"
    async with asked(says(head.encode())) as (http, _):
        with pytest.raises(UpstreamRefused) as caught:
            await http.get("/quote")
    assert (caught.value.status, caught.value.retry_after_s) == (429, None)


@pytest.mark.parametrize(
    ("kind", "shown"),
    [
        (b"Text/HTML; charset=utf-8", "text/html"), (b"a" * 200, "something"),
        (b"<script>/x", "something"), (b"text", "something"), ("tëxt/html".encode(), "something"),
    ],
)  # fmt: skip
async def test_of_a_kind_that_is_none_nothing_is_shown(kind: bytes, shown: str) -> None:
    async with asked(says(b"HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-type: " + kind + b"\r\n\r\n1")) as (
        http,
        _,
    ):
        with pytest.raises(UpstreamGarbled) as caught:
            await http.get("/quote")
    assert str(caught.value) == f"ROGUE answered {shown}, not JSON"


@pytest.mark.parametrize(
    "kind", [b"application/json", b"Application/JSON;charset=UTF-8", b"text/plain", b"a/b+json", b""]
)
async def test_kinds_that_are_read(kind: bytes) -> None:
    async with asked(says(b"HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-type: " + kind + b"\r\n\r\n1")) as (
        http,
        _,
    ):
        assert await http.get("/quote") == 1


async def test_an_endless_refusal_is_bounded() -> None:
    head = b"HTTP/1.1 500 No\r\ncontent-type: application/json\r\n\r\n"
    async with asked(without_end(head, 4096 * b" "), largest_bytes=LARGEST) as (http, server):
        assert await failure(http, server, UpstreamRefused) == "ROGUE answered HTTP 500"


@pytest.mark.parametrize("pause_s", [0.0, 0.05], ids=["at once", "later"])
async def test_an_answer_that_nobody_asked_for_answers_nothing(pause_s: float) -> None:
    """The second of two answers to one question must not become the answer to the next question."""
    asked_before: list[Any] = []

    async def act(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked_before.append(None)
        writer.write(whole(b"%d" % len(asked_before)))
        await writer.drain()
        if len(asked_before) == 1:
            await asyncio.sleep(pause_s)
            writer.write(whole(b'"stale"'))

    async with asked(act) as (http, server):
        assert await http.get("/quote") == 1
        async with asyncio.timeout(20):
            await server.is_left_alone()
        assert await http.get("/quote") == 2


async def test_calls_that_are_given_up_leave_no_answer_behind() -> None:
    """Every answer repeats its question; half of the calls end before their answer."""

    async def act(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        number = int(server.asked[-1].split("/")[2].split()[0])
        await asyncio.sleep(0.2 if number % 2 else 0.0)
        writer.write(whole(b"%d" % number))

    async def ask(number: int) -> None:
        try:
            answer = await http.get(f"/{number}", timeout_s=0.1 if number % 2 else 10)
        except UpstreamSilent:
            assert number % 2
        else:
            assert answer == number

    async with asked(act) as (http, server), asyncio.timeout(60):
        for begin in range(0, 200, 10):
            await asyncio.gather(*(ask(number) for number in range(begin, begin + 10)))
    assert server.connected == 0


def redirect(location: str, status: int = 302) -> Act:
    return says(
        b"HTTP/1.1 %d Found\r\nlocation: %s\r\ncontent-length: 0\r\n\r\n" % (status, location.encode("latin-1"))
    )


async def test_redirects_in_a_circle() -> None:
    async with rogue(redirect("/s3cret/again")) as server, open_upstream("ROGUE", f"{server.url}/s3cret") as http:
        async with asyncio.timeout(20):
            with pytest.raises(UpstreamGarbled, match="redirects more than 3 times"):
                await http.get("/quote")
    assert len(server.asked) == 4


@pytest.mark.parametrize(
    "location",
    ["http://127.0.0.1:1/", "//127.0.0.2/", "https://127.0.0.1/", "http://user@evil.example/", "file:///etc/passwd",
     "", "http://[", "http://127.0.0.1:99999/", "javascript:0", "http://127.0.0.1[\xbc]@"],
)  # fmt: skip
async def test_redirects_elsewhere(location: str) -> None:
    async with rogue(redirect(location)) as server, open_upstream("ROGUE", server.url) as http:
        with pytest.raises(UpstreamGarbled, match="redirects to another host"):
            await http.get("/quote")
    assert len(server.asked) == 1


class Diverted(Pool):
    """Leads to a server of the test, whatever the name and the port."""

    def __init__(self, url: str, server: Rogue) -> None:
        super().__init__(URL(url), 1)
        self._server = URL(server.url)

    async def _addresses(self) -> list[tuple[int, int, int, str, tuple[Any, ...]]]:
        return [(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP, "", ("127.0.0.1", self._server.port))]


@pytest.mark.parametrize("location", ["http://upstream.example:80/there", "HTTP://Upstream.Example:/there", "/there"])
async def test_a_redirect_may_name_the_port_that_goes_without_saying(location: str) -> None:
    async def act(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await (redirect(location) if len(server.asked) == 1 else says(whole(b"1")))(reader, writer)

    async with rogue(act) as server, Diverted("http://upstream.example", server) as pool:
        assert await Upstream("ROGUE", "http://upstream.example", pool).get("/quote") == 1
    assert server.asked == ["GET /quote HTTP/1.1", "GET /there HTTP/1.1"]


async def test_what_is_sent_is_never_sent_again_elsewhere() -> None:
    async with rogue(redirect("/other", 307)) as server, open_upstream("ROGUE", server.url) as http:
        with pytest.raises(UpstreamRefused) as caught:
            await http.post("/build", {"a": 1})
    assert caught.value.status == 307
    assert len(server.asked) == 1


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
    async with hosted(app) as url, open_upstream("example-key", url, headers={"x-fixed": "flag"}) as upstream:
        yield upstream, received


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
