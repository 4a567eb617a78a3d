"""Bodies are bounded, and ignored where the method gives them no meaning."""

import asyncio

import pytest

from rhumbline.api.http.middleware.body_bounds import LARGEST_BODY
from tests.api.conftest import Client
from tests.api.http.test_protocol import MEGABYTE, check, response, send


@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_a_declared_body_beyond_the_limit(client: Client, method: str) -> None:
    head = f"{method} /v1/chains HTTP/1.1\r\nhost: x\r\ncontent-length: {LARGEST_BODY + 1}\r\n\r\n"
    check(await send(client, head.encode()), 413)
    huge = f"{method} /v1/chains HTTP/1.1\r\nhost: x\r\ncontent-length: {10 * MEGABYTE}\r\n\r\n"
    check(await send(client, huge.encode(), repeat=(b"x" * 65536, 160)), 413)


@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_a_chunked_body_beyond_the_limit(client: Client, method: str) -> None:
    head = f"{method} /v1/chains HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n".encode()
    chunk = b"10000\r\n" + b"x" * 65536 + b"\r\n"
    check(await send(client, head, repeat=(chunk, 160)), 413)
    status, _, _ = await send(client, head + chunk * 4 + b"0\r\n\r\n")
    assert status == (200 if method == "GET" else 405)


async def test_a_body_of_a_get_does_not_disturb_the_next_request(client: Client) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", client.port)
    body = b"x" * LARGEST_BODY
    get = f"GET /v1/chains HTTP/1.1\r\nhost: x\r\ncontent-length: {len(body)}\r\n\r\n".encode() + body
    writer.write(get + get)
    assert [(await response(reader))[0] for _ in range(2)] == [200, 200]
    writer.close()
