"""One connection, fed byte by byte: how an answer is cut up changes nothing, and whatever comes, the question ends."""

import asyncio
import gzip
import socket
import tracemalloc
import zlib
from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rhumbline.gateways.http.connection import Connection, ConnectionFailed, Reply

BODY = b'{"amount": "12345678901234567890"}'
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
CHUNKED = b"Transfer-Encoding: chunked\r\n\r\n"


def whole(body: bytes, headers: bytes = b"") -> bytes:
    return HEAD + headers + b"content-length: %d\r\n\r\n" % len(body) + body


ANSWERS = {
    "length": whole(BODY),
    "chunks": HEAD + CHUNKED + b"5\r\n" + BODY[:5] + b"\r\n1d;x=y\r\n" + BODY[5:] + b"\r\n0\r\nz: 1\r\n\r\n",
    "early": b"HTTP/1.1 103 Early Hints\r\nlink: <a>\r\n\r\n" + whole(BODY),
    "gzip": whole(gzip.compress(BODY, mtime=0), b"content-encoding: GZIP\r\n"),
    "deflate": whole(zlib.compress(BODY), b"content-encoding: deflate\r\n"),
    "end": HEAD + b"\r\n" + BODY,
}
QUESTION = b"GET / HTTP/1.1\r\n\r\n"


class Json:
    def __init__(self, largest_bytes: int = 1000) -> None:
        self.largest_bytes = largest_bytes

    def accepts(self, content_type: str) -> bool:
        return content_type == "application/json"


JSON = Json()


class Ends:
    """What a connection tells the pool."""

    def __init__(self) -> None:
        self.free: list[Connection] = []
        self.lost: list[Connection] = []
        self.is_over = asyncio.Event()

    def lose(self, connection: Connection) -> None:
        self.lost.append(connection)
        self.is_over.set()


async def fed(pieces: Sequence[bytes], ends: Ends, wanted: Json = JSON) -> Reply:
    """Ask, and hand the pieces over as the event loop does, one after the other; then the other side hangs up."""
    here, there = socket.socketpair()
    here.setblocking(False)
    loop = asyncio.get_running_loop()
    with there:
        transport, connection = await loop.create_connection(lambda: Connection(ends.free.append, ends.lose), sock=here)
        answer = connection.ask(QUESTION, wanted, loop.time() + 60)
        assert there.recv(100) == QUESTION
        for piece in pieces:
            if transport.is_closing():
                break
            connection.data_received(piece)
    async with asyncio.timeout(20):
        await ends.is_over.wait()
    assert ends.lost == [connection]
    assert answer.done()
    return answer.result()


def cut(data: bytes, places: Sequence[int]) -> list[bytes]:
    marks = sorted({place % (len(data) + 1) for place in places} | {0, len(data)})
    return [data[begin:end] for begin, end in pairwise(marks)]


@pytest.mark.parametrize("kind", ANSWERS)
@given(st.lists(st.integers(0, 500), max_size=12))
@settings(max_examples=60)
def test_how_an_answer_is_cut_up_changes_nothing(kind: str, places: list[int]) -> None:
    ends = Ends()
    reply = asyncio.run(fed(cut(ANSWERS[kind], places), ends))
    assert (reply.status, reply.body, reply.is_large) == (200, BODY, False)
    # Only a whole answer that does not end with its connection leaves that free.
    assert len(ends.free) == (kind != "end")


@pytest.mark.parametrize("kind", ANSWERS)
def test_bytes_one_by_one(kind: str) -> None:
    reply = asyncio.run(fed([bytes([byte]) for byte in ANSWERS[kind]], Ends()))
    assert reply.body == BODY


@given(
    st.sampled_from(sorted(ANSWERS)),
    st.lists(st.tuples(st.integers(0, 400), st.integers(0, 255)), max_size=4),
    st.binary(max_size=20),
    st.lists(st.integers(0, 500), max_size=5),
)
def test_whatever_comes_the_question_ends(
    kind: str, changes: list[tuple[int, int]], behind: bytes, places: list[int]
) -> None:
    data = bytearray(ANSWERS[kind])
    for place, byte in changes:
        data[place % len(data)] = byte
    ends = Ends()
    try:
        reply = asyncio.run(fed(cut(bytes(data) + behind, places), ends))
    except ConnectionFailed:
        assert not ends.free
    else:
        assert reply.body is None or len(reply.body) <= JSON.largest_bytes


@given(st.binary(max_size=300), st.lists(st.integers(0, 300), max_size=5))
def test_what_is_no_http_is_no_answer(data: bytes, places: list[int]) -> None:
    ends = Ends()
    with pytest.raises(ConnectionFailed):
        asyncio.run(fed(cut(data, places), ends))
    assert not ends.free


@pytest.mark.parametrize("behind", [b"x", b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n", b"\0" * 100])
def test_what_comes_behind_an_answer_closes_the_connection(behind: bytes) -> None:
    ends = Ends()
    reply = asyncio.run(fed([ANSWERS["length"] + behind], ends))
    assert (reply.body, ends.free) == (BODY, [])


@pytest.mark.parametrize("blanks", [b"\r\n", b"\n"])
def test_a_blank_line_behind_an_answer_is_no_answer_either(blanks: bytes) -> None:
    """Old servers send one; it is not worth a connection, and no answer to the next question."""
    reply = asyncio.run(fed([ANSWERS["length"] + blanks], Ends()))
    assert reply.body == BODY


def test_small_chunks_take_no_more_than_the_body() -> None:
    """An object for each of them takes thirty times as much."""
    pieces = [HEAD + CHUNKED, *[b"2\r\n  \r\n" * 1000] * 500, b"0\r\n\r\n"]
    tracemalloc.start()
    try:
        reply = asyncio.run(fed(pieces, Ends(), Json(1_000_000)))
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert reply.body == b" " * 1_000_000
    assert most < 6_000_000


def test_what_goes_on_for_long_beside_the_body_ends() -> None:
    """Every part of the body begins the count anew."""
    named = b"1;a=" + b"x" * 60_000 + b"\r\n \r\n"
    reply = asyncio.run(fed([HEAD + CHUNKED, *[named] * 5, b"0\r\n\r\n"], Ends()))
    assert reply.body == b" " * 5
    with pytest.raises(ConnectionFailed, match="too long a head"):
        asyncio.run(fed([HEAD + CHUNKED, *[named] * 5, b"0\r\nz: ", *[b"x" * 1000] * 66], Ends()))
