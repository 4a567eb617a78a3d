"""One connection, fed byte by byte: how an answer is cut up changes nothing, and whatever comes, the question ends."""

import asyncio
import gzip
import os
import socket
import ssl
import subprocess
import sys
import tracemalloc
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from yarl import URL

from rhumbline.gateways.http import pool as http_pool
from rhumbline.gateways.http.connection import Connection, ConnectionFailed, Reply
from rhumbline.gateways.http.pool import Pool
from rhumbline.gateways.upstreams.upstream import Upstream, UpstreamSilent
from tests.gateways.http.rogue import rogue, says, whole
from tests.loopback import talking

BODY = b'{"amount": "12345678901234567890"}'
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
CHUNKED = b"Transfer-Encoding: chunked\r\n\r\n"

ANSWERS = {
    "length": whole(BODY),
    "chunks": HEAD + CHUNKED + b"5\r\n" + BODY[:5] + b"\r\n1d;x=y\r\n" + BODY[5:] + b"\r\n0\r\nz: 1\r\n\r\n",
    "early": b"HTTP/1.1 103 Early Hints\r\nlink: <a>\r\n\r\n" + whole(BODY),
    "gzip": whole(gzip.compress(BODY, mtime=0), b"content-encoding: GZIP"),
    "deflate": whole(zlib.compress(BODY), b"content-encoding: deflate"),
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


ASK = """
import asyncio, sys
from rhumbline.gateways.upstreams.upstream import UpstreamError, open_upstream

async def ask(url):
    async with open_upstream("EXAMPLE", url, timeout_s=20) as http:
        try:
            print(await http.get("/s3cret"))
        except UpstreamError as error:
            print(type(error).__name__, error, error.__cause__)

asyncio.run(ask(sys.argv[1]))
"""
HERE = "DNS:localhost,IP:127.0.0.1"


@dataclass(frozen=True)
class Papers:
    key: Path
    certificate: Path

    def context(self) -> ssl.SSLContext:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.certificate, self.key)
        return context


def papers(folder: Path, names: str, days: int) -> Papers:
    made = Papers(folder / "key.pem", folder / "cert.pem")
    extensions = folder / "extensions"
    extensions.write_text(f"subjectAltName={names}\nbasicConstraints=critical,CA:TRUE\n")
    asked = folder / "asked.pem"
    for command in (
        ["req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", "/CN=example",
         "-keyout", str(made.key), "-out", str(asked)],
        ["x509", "-req", "-in", str(asked), "-signkey", str(made.key), "-days", str(days), "-extfile", str(extensions),
         "-out", str(made.certificate)],
    ):  # fmt: skip
        subprocess.run(["openssl", *command], check=True, capture_output=True)
    return made


async def told(url: str, trusted: Path) -> str:
    """What a process that trusts a certificate, and no other, says of an upstream."""
    env = {**os.environ, "SSL_CERT_FILE": str(trusted), "SSL_CERT_DIR": str(trusted.parent / "none")}
    asking = await asyncio.create_subprocess_exec(
        sys.executable, "-c", ASK, url, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    async with asyncio.timeout(60):
        return (await asking.communicate())[0].decode().strip()


@pytest.mark.parametrize(
    ("names", "days", "trusts", "expected"),
    [
        (HERE, 2, True, "{'a': 1}"),
        ("DNS:other.example,IP:127.0.0.2", 2, True, None),
        (HERE, -1, True, None),
        (HERE, 2, False, None),
    ],
    ids=["sound", "of another host", "expired", "signed by nobody we know"],
)
async def test_certificates(tmp_path: Path, names: str, days: int, trusts: bool, expected: str | None) -> None:
    (tmp_path / "other").mkdir()
    own, other = papers(tmp_path, names, days), papers(tmp_path / "other", HERE, 2)
    async with rogue(says(whole(b'{"a":1}')), own.context()) as server:
        said = await told(f"{server.url}/s3cret", (own if trusts else other).certificate)
    refused = "UpstreamUnreached EXAMPLE cannot be reached (SSLCertVerificationError) None"
    assert said == (expected or refused)
    assert len(server.asked) == (1 if expected else 0)


async def test_plain_http_where_tls_is_expected(tmp_path: Path) -> None:
    async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1)
        writer.write(b"HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n")
        writer.close()

    async with talking(refuse) as port:
        said = await told(f"https://127.0.0.1:{port}", papers(tmp_path, HERE, 2).certificate)
    assert said.startswith("UpstreamUnreached EXAMPLE cannot be reached (")
    assert str(port) not in said


@pytest.mark.parametrize("moment", ["__init__", "connection_made"])
@pytest.mark.parametrize("tls", [False, True], ids=["plain", "tls"])
async def test_who_is_given_up_at_that_moment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moment: str, tls: bool
) -> None:
    """TLS takes its leave, which takes a while: a socket closed meanwhile leaves its number to the next connection."""
    own = papers(tmp_path, HERE, 2) if tls else None
    original = getattr(Connection, moment)

    def given_up(connection: Connection, *values: object) -> None:
        original(connection, *values)
        call.cancel()

    async with (
        rogue(says(whole(b"1")), own.context() if own else None) as server,
        Pool(URL(server.url), 3) as pool,
        asyncio.timeout(60),
    ):
        if own:
            monkeypatch.setattr(pool, "_tls", ssl.create_default_context(cafile=own.certificate))
        http = Upstream("EXAMPLE", server.url, pool, timeout_s=20)
        for _ in range(3):
            with monkeypatch.context() as patch:
                patch.setattr(Connection, moment, given_up)
                call = asyncio.create_task(http.get("/x"))
                with pytest.raises(asyncio.CancelledError):
                    await call
            assert await asyncio.gather(*(http.get("/x") for _ in range(3))) == [1, 1, 1]
            assert pool.in_use == 0
            for connection in list(pool._all):
                connection.abort()
            await server.is_left_alone()


async def test_a_socket_that_nobody_took_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> Connection:
        raise OSError("no memory")

    async with rogue(says(whole(b"1"))) as server, Pool(URL(server.url), 1) as pool, asyncio.timeout(60):
        monkeypatch.setattr(http_pool, "Connection", fails)
        with pytest.raises(UpstreamSilent, match="cannot be reached"):
            await Upstream("EXAMPLE", server.url, pool).get("/x")
        assert pool.in_use == 0
        await server.is_left_alone()
