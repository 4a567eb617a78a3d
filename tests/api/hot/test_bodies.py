"""Kept bodies that are answered at once: never older than their freshness, never another query's, and bounded."""

import asyncio
import os
import socket
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.requests import Request

from rhumbline.api.hot.answer import HotAnswer
from rhumbline.api.hot.bodies import LONGEST_QUERY, MOST_QUERIES, HotBodies
from rhumbline.api.hot.encoded import EncodedBodies, Encoding, TtlCache
from rhumbline.api.hot.request import LONGEST_KEPT, MOST_KEPT, HotRequest, ReadRequests, read_hot
from rhumbline.api.hot.socket import SMALLEST_FILE, DirectSocket, body_file


@dataclass
class Shelf:
    """Bodies under a clock that the test moves."""

    now: float = 0.0
    version: int = 0
    body: bytes = b"x" * 200_000
    built: int = 0
    bodies: EncodedBodies = field(init=False)
    hot: HotBodies = field(init=False)

    def __post_init__(self) -> None:
        self.bodies = EncodedBodies(most=50, clock=lambda: self.now)
        self.hot = HotBodies(self.bodies, lambda: self.version, {"cache-control": "private"}, TtlCache(15, 60))

    async def build(self) -> bytes:
        self.built += 1
        return self.body

    async def ask(self, query: bytes = b"", **headers: str) -> Mapping[str, str]:
        raw = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
        request = Request({"type": "http", "query_string": query, "headers": raw})
        response = await self.hot.answer(request, ("body", query), self.build)
        return {**response.headers, "body": str(len(response.body)), "status": str(response.status_code)}

    def find(self, query: bytes = b"", coding: str | None = None, tag: str | None = None) -> HotAnswer | None:
        return self.hot.find(HotRequest("/v1/tokens", query, accept_encoding=coding, if_none_match=tag))


async def test_only_what_is_there_is_answered_at_once() -> None:
    shelf = Shelf()
    assert shelf.find() is None
    told = await shelf.ask()
    plain = shelf.find()
    assert plain is not None
    assert (plain.status, plain.body) == (200, shelf.body)
    assert plain.fields.decode().splitlines() == [
        f"{name}: {told[name]}" for name in ("cache-control", "etag", "vary", "content-length", "content-type")
    ]
    assert shelf.find(coding="br") is None
    assert shelf.find(b"other") is None
    same = shelf.find(tag=told["etag"])
    assert same is not None
    assert (same.status, same.body, same.file) == (304, b"", None)
    await shelf.ask(accept_encoding="br")
    packed = shelf.find(coding="br")
    assert packed is not None
    assert b"content-encoding: br\r\n" in packed.fields


async def test_an_aging_body_is_answered_and_an_old_one_is_not() -> None:
    shelf = Shelf()
    await shelf.ask()
    shelf.body = b"y" * 200_000
    shelf.now = 15.0
    assert shelf.find() is not None
    assert shelf.built == 1
    shelf.now = 15.1
    old = shelf.find()
    assert old is not None
    assert old.body == b"x" * 200_000
    for _ in range(1000):
        if not shelf.bodies._running:
            break
        await asyncio.sleep(0.01)
    fresh = shelf.find()
    assert fresh is not None
    assert (fresh.body, shelf.built) == (shelf.body, 2)
    shelf.now = 75.2
    assert shelf.find() is None


async def test_another_version_is_not_answered_at_once() -> None:
    shelf = Shelf()
    await shelf.ask()
    shelf.version = 1
    assert shelf.find() is None
    shelf.body = b"z" * 3000
    await shelf.ask()
    found = shelf.find()
    assert found is not None
    assert found.body == shelf.body


async def test_queries_and_negotiations_are_bounded() -> None:
    shelf = Shelf(body=b"{}")
    for number in range(MOST_QUERIES + 2):
        await shelf.ask(b"a=%d" % number)
    assert len(shelf.hot._sought) == MOST_QUERIES
    await shelf.ask(b"a" * (LONGEST_QUERY + 1))
    assert shelf.find(b"a" * (LONGEST_QUERY + 1)) is None
    last = b"a=%d" % (MOST_QUERIES + 1)
    for number in range(200):
        assert shelf.find(last, tag=f'"{number}"') is not None
    assert all(len(body.answers) <= 64 for body in shelf.bodies._kept.values())


def test_read_requests_are_bounded_and_unique_ones_are_not_kept() -> None:
    read = ReadRequests()
    for number in range(MOST_KEPT + 3):
        read.keep(b"%d" % number, HotRequest("/v1/chains", b"%d" % number))
    assert read.get(b"2") is None
    assert read.get(b"3") == HotRequest("/v1/chains", b"3")
    read.keep(b"x" * (LONGEST_KEPT + 1), HotRequest("/v1/chains", b""))
    read.keep(b"named", HotRequest("/v1/chains", b"", name="mine"))
    assert read.get(b"x" * (LONGEST_KEPT + 1)) is None
    assert read.get(b"named") is None


@given(
    st.lists(st.tuples(st.sampled_from([b"x-api-key", b"accept", b"if-none-match", b"host"]), st.binary(max_size=8)))
)
def test_the_first_and_only_header_is_heeded(headers: list[tuple[bytes, bytes]]) -> None:
    asked = read_hot(b"/v1/chains?a=b", headers)
    heeded = [name for name, _ in headers if name in (b"x-api-key", b"if-none-match")]
    assert (asked is None) == (len(set(heeded)) < len(heeded))
    if asked is not None:
        given = {name: value.decode("latin-1").rstrip(" \t") for name, value in headers}
        assert (asked.path, asked.query) == ("/v1/chains", b"a=b")
        assert asked.key == (given.get(b"x-api-key") or None)
        assert asked.if_none_match == given.get(b"if-none-match")


@pytest.fixture
async def line() -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter, socket.socket]]:
    """A connection: its reader and writer, and the other end as it is."""
    ours, theirs = socket.socketpair()
    reader, writer = await asyncio.open_connection(sock=ours)
    theirs.setblocking(False)
    yield reader, writer, theirs
    writer.close()
    theirs.close()


@pytest.mark.parametrize("waiting", [0, 100, 3_000_000])
@pytest.mark.parametrize("size", [SMALLEST_FILE, 1_000_000, 5_000_000])
async def test_a_file_follows_what_was_written_before(
    line: tuple[asyncio.StreamReader, asyncio.StreamWriter, socket.socket], size: int, waiting: int
) -> None:
    _, writer, theirs = line
    before, body = os.urandom(waiting), os.urandom(size)
    file = body_file(body)
    assert file is not None
    transport = writer.transport
    assert isinstance(transport, asyncio.Transport)
    direct = DirectSocket(transport)
    transport.write(before)
    # Now the socket has room, while the transport still has what comes first.
    found = bytearray(theirs.recv(100_000)) if waiting else bytearray()
    direct.send(b"head", file)
    direct.send(b"again", file)
    transport.write(b"end")
    expected = before + b"head" + body + b"again" + body + b"end"
    loop = asyncio.get_running_loop()
    async with asyncio.timeout(20):
        while len(found) < len(expected):
            found += await loop.sock_recv(theirs, 1 << 20)
    direct.close()
    assert bytes(found) == expected


async def test_a_file_for_one_that_has_gone_breaks_nothing(
    line: tuple[asyncio.StreamReader, asyncio.StreamWriter, socket.socket],
) -> None:
    reader, writer, theirs = line
    file = body_file(os.urandom(1_000_000))
    assert file is not None
    transport = writer.transport
    assert isinstance(transport, asyncio.Transport)
    direct = DirectSocket(transport)
    theirs.close()
    for _ in range(3):
        direct.send(b"head", file)
    direct.close()
    with pytest.raises(ConnectionError):
        await reader.read()


def test_small_bodies_need_no_file_and_a_file_is_closed_with_its_last_user() -> None:
    assert body_file(b"x" * (SMALLEST_FILE - 1)) is None
    file = body_file(b"x" * SMALLEST_FILE)
    assert file is not None
    descriptor = file.fd
    os.fstat(descriptor)
    del file
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(descriptor)


async def test_answers_with_the_same_body_share_a_file() -> None:
    shelf = Shelf()
    await shelf.ask()
    one, other = shelf.find(), shelf.find(tag='"another"')
    assert one is not None
    assert other is not None
    assert one.file is other.file is not None
    assert shelf.bodies._kept["body", b""].size == 2 * len(shelf.body)
    assert Encoding.IDENTITY in shelf.bodies._kept["body", b""].files
