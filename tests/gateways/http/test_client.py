"""One client asks any host: a pool an origin, nothing followed, whoever the URL names as user."""

import asyncio
from base64 import b64encode

import pytest

from rhumbline.gateways.http.client import AnyAnswer, HttpClient
from rhumbline.gateways.http.connection import ConnectionFailed, Reply, may_be_json, shown
from tests.gateways.http.rogue import rogue, says, whole
from tests.loopback import talking

HELLO = whole(b'"hello"')


async def asked(http: HttpClient, url: str, method: str = "GET", largest_bytes: int = 100) -> Reply:
    return await http.ask(method, url, AnyAnswer(largest_bytes), asyncio.get_running_loop().time() + 20)


async def test_connections_are_kept_for_each_origin() -> None:
    async with rogue(says(HELLO)) as one, rogue(says(HELLO)) as other, HttpClient() as http:
        for _ in range(3):
            for server in (one, other):
                assert (await asked(http, f"{server.url}/a%20b?c=d")).body == b'"hello"'
        assert (one.connections, other.connections) == (1, 1)
        assert set(one.asked) == {"GET /a%20b?c=d HTTP/1.1"}
    await one.is_left_alone()


async def test_no_more_connections_than_permitted() -> None:
    async with rogue(says(HELLO)) as server, HttpClient(connections=2) as http:
        replies = await asyncio.gather(*(asked(http, server.url) for _ in range(10)))
        assert [each.status for each in replies] == [200] * 10
        assert server.connections == 2


async def test_user_and_password_of_a_url_are_sent_and_nobody_elses() -> None:
    heads: list[bytes] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heads.append(await reader.readuntil(b"\r\n\r\n"))
        writer.write(HELLO)
        writer.close()

    async with talking(serve) as port, HttpClient() as http:
        for user in ("us%2Fer:pass%40word@", ""):
            await asked(http, f"http://{user}127.0.0.1:{port}/")
    assert b"authorization: Basic " + b64encode(b"us/er:pass@word") in heads[0]
    assert b"authorization" not in heads[1].lower()


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_no_redirect_is_followed(status: int) -> None:
    head = b"HTTP/1.1 %d Moved\r\nlocation: /elsewhere\r\ncontent-length: 0\r\n\r\n" % status
    async with rogue(says(head)) as server, HttpClient() as http:
        reply = await asked(http, server.url)
        assert (reply.status, reply.is_redirect, len(server.asked)) == (status, True, 1)


async def test_a_post_is_sent_once() -> None:
    async with rogue(says(then_close=True)) as server, HttpClient() as http:
        with pytest.raises(ConnectionFailed, match="hung up"):
            await asked(http, server.url, "POST")
        assert len(server.asked) == 1


async def test_what_is_too_large_has_no_body() -> None:
    async with rogue(says(whole(b"x" * 101))) as server, HttpClient() as http:
        reply = await asked(http, server.url)
    assert (reply.body, reply.is_large) == (None, True)


@pytest.mark.parametrize("url", ["", "/a", "ftp://127.0.0.1/", "http://", "file:///x", "http://[x", "http://h:x/"])
async def test_what_is_no_http_url(url: str) -> None:
    async with HttpClient() as http:
        with pytest.raises(ValueError, match=r".+"):
            await asked(http, url)


@pytest.mark.parametrize(
    ("content_type", "is_json", "words"),
    [
        ("application/json; charset=utf-8", True, "application/json"), ("Text/Plain", True, "text/plain"),
        ("application/vnd.api+json", True, "application/vnd.api+json"), ("", True, "something"),
        ("text/html", False, "text/html"), ("text/html\x1b[31m", False, "something"),
        ("a/" + "b" * 50, False, "something"),
    ],
)  # fmt: skip
def test_content_types(content_type: str, is_json: bool, words: str) -> None:
    assert (may_be_json(content_type), shown(content_type)) == (is_json, words)
