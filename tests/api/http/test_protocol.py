"""Bounds on what a client may send, over raw sockets: answered in full, and never collected."""

import asyncio
import json
import resource
from typing import Any

import pytest

from rhumbline.api.http.protocol import LARGEST_HEADERS, LONGEST_LINE
from tests.api.api_service import KEY, UNKNOWN_KEY
from tests.api.conftest import Client

pytestmark = pytest.mark.usefixtures("api_service")
MEGABYTE = 1024 * 1024


async def send(client: Client, *parts: bytes, repeat: tuple[bytes, int] = (b"", 0)) -> tuple[int, dict[str, str], Any]:
    """Send bytes as a rude client does, all of them before it reads; return the first response."""
    reader, writer = await asyncio.open_connection("127.0.0.1", client.port)
    try:
        for part in (*parts, *[repeat[0]] * repeat[1]):
            writer.write(part)
            await writer.drain()
        return await response(reader)
    finally:
        writer.close()


async def response(reader: asyncio.StreamReader) -> tuple[int, dict[str, str], Any]:
    head = (await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 60)).decode().split("\r\n")
    headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in head[1:] if line)}
    body = await reader.readexactly(int(headers.get("content-length", 0)))
    return int(head[0].split()[1]), headers, json.loads(body or b"null")


def check(answer: tuple[int, dict[str, str], Any], status: int) -> None:
    got, headers, body = answer
    assert (got, body["statusCode"], body["code"]) == (status, status, "VALIDATION_ERROR")
    assert headers["content-type"] == "application/json"
    assert headers["x-request-id"]
    assert body["timestamp"].endswith("Z")


def line(length: int, path: str = "/v1/chains?") -> bytes:
    fixed = len(f"GET {path} HTTP/1.1")
    return f"GET {path}{'x' * (length - fixed)} HTTP/1.1\r\n".encode()


async def test_a_request_line_at_the_limit(client: Client) -> None:
    status, _, _ = await send(client, line(LONGEST_LINE) + b"host: x\r\n\r\n")
    assert status == 200


@pytest.mark.parametrize("beyond", [1, 1000, 300_000])
async def test_a_request_line_beyond_the_limit(client: Client, beyond: int) -> None:
    answer = await send(client, line(LONGEST_LINE + beyond) + b"host: x\r\n\r\n")
    check(answer, 414)
    assert answer[1]["connection"] == "close"
    assert answer[1]["access-control-allow-origin"] == "*"
    assert "path" not in answer[2]


async def test_ten_megabytes_of_url_are_not_collected(client: Client) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    check(await send(client, b"GET /v1/quotes?", repeat=(b"x" * 65536, 160)), 414)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 8 * 1024


async def test_headers_at_and_beyond_the_limit(client: Client) -> None:
    start = b"GET /v1/chains HTTP/1.1\r\nhost: x\r\n"
    fixed = len("host: x\r\na: \r\n")
    fitting = start + b"a: " + b"x" * (LARGEST_HEADERS - fixed) + b"\r\n\r\n"
    assert (await send(client, fitting))[0] == 200
    check(await send(client, fitting.replace(b"a:", b"ab:")), 431)


@pytest.mark.parametrize(
    ("first", "repeat"),
    [
        (b"GET /v1/chains HTTP/1.1\r\na: ", (b"x" * 65536, 160)),
        (b"GET /v1/chains HTTP/1.1\r\n", (b"x" * 65536, 160)),
        (b"GET /v1/chains HTTP/1.1\r\n", (b"abc: def\r\n" * 1000, 100)),
        (b"GET /v1/chains HTTP/1.1\r\n", (b"a: b\r\n", 10_000)),
    ],
    ids=["one value", "one name", "many", "dripping"],
)
async def test_endless_headers(client: Client, first: bytes, repeat: tuple[bytes, int]) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    answer = await send(client, first, repeat=repeat)
    check(answer, 431)
    assert answer[2]["path"] == "/v1/chains"
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 8 * 1024


async def test_a_body_of_one_byte_chunks_fits(client: Client) -> None:
    head = b"GET /v1/chains HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n"
    status, _, _ = await send(client, head + b"1\r\nx\r\n" * 100_000 + b"0\r\n\r\n")
    assert status == 200


async def test_endless_trailers(client: Client) -> None:
    head = b"GET /v1/chains HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n0\r\na: "
    check(await send(client, head, repeat=(b"x" * 65536, 160)), 431)


async def test_trailers_are_no_headers(client: Client) -> None:
    """A key that comes behind the body is none, and what a header said stays said."""
    head = b"GET /v1/transactions HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n"
    trailer = f"x-api-key: {KEY}\r\nx-request-id: behind\r\n\r\n".encode()
    status, headers, body = await send(client, head + b"\r\n3\r\nabc\r\n0\r\n" + trailer)
    assert (status, body["details"]["errorCode"]) == (401, "API_KEY_MISSING")
    assert headers["x-request-id"] != "behind"
    fine = f"x-api-key: {KEY}\r\n\r\n0\r\nx-api-key: {UNKNOWN_KEY}\r\n\r\n".encode()
    assert (await send(client, head + fine))[0] == 200


async def test_trailers_count_like_headers(client: Client) -> None:
    head = b"GET /v1/chains HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n0\r\n"
    fitting = b"a: " + b"x" * (LARGEST_HEADERS - 100) + b"\r\n"
    assert (await send(client, head + fitting + b"\r\n"))[0] == 200
    check(await send(client, head + fitting + b"b: " + b"x" * 100 + b"\r\n\r\n"), 431)


@pytest.mark.parametrize(
    "rubbish",
    [
        b"rubbish\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01",
        b"GET /a b HTTP/1.1\r\nhost: x\r\n\r\n",
        b"GET /\xff HTTP/1.1\r\nhost x\r\n\r\n",
        b"GET / HTTP/1.1\r\nhost: x\r\ncontent-length: x\r\n\r\n",
        b"GET / HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\n",
        b"CONNECT example:1 HTTP/1.1\r\nhost: x\r\n\r\n",
        b"GET  HTTP/1.1\r\nhost: x\r\n\r\n",
    ],
)
async def test_bytes_that_are_no_http(client: Client, rubbish: bytes) -> None:
    check(await send(client, rubbish), 400)


async def test_a_broken_body(client: Client) -> None:
    head = b"POST /v1/chains HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n"
    check(await send(client, head + b"5\r\nhelloworld\r\n"), 400)


async def test_an_upgrade_is_not_taken(client: Client) -> None:
    answer = await send(
        client, b"GET /v1/chains HTTP/1.1\r\nhost: x\r\nupgrade: h2c\r\nconnection: upgrade\r\n\r\nmore"
    )
    assert (answer[0], answer[1]["connection"]) == (200, "close")


async def test_a_client_that_waits_for_leave(client: Client) -> None:
    head = b"POST /v1/chains HTTP/1.1\r\nhost: x\r\nexpect: 100-continue\r\ncontent-length: 999999\r\n\r\n"
    check(await send(client, head), 413)
