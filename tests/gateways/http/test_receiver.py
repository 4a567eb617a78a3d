"""What may be posted to is judged by the address that is connected to; of an answer only the status counts."""

import asyncio
import socket
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from typing import Any

import aiohappyeyeballs
import pytest

from rhumbline.gateways.http import pool
from rhumbline.gateways.http.pool import Addresses
from rhumbline.gateways.http.receiver import NotAnswered, Receivers, is_public, url_fault
from tests.gateways.http.test_connection import papers
from tests.loopback import talking

Answer = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@asynccontextmanager
async def receiver(answer: Answer) -> AsyncIterator[int]:
    """Answer each connection so; a port of the loopback."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await reader.readuntil(b"\r\n\r\n")
            await answer(reader, writer)
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()


class Names:
    """Resolves each name to one answer after the other, of one or more addresses."""

    def __init__(self, *answers: str) -> None:
        self.answers = answers
        self.asked = 0

    async def __call__(self, host: str, port: int) -> Addresses:
        answer = self.answers[min(self.asked, len(self.answers) - 1)]
        self.asked += 1
        return [
            (socket.AF_INET6 if ":" in address else socket.AF_INET, socket.SOCK_STREAM, 0, "", (address, port))
            for address in answer.split()
        ]


async def post(receivers: Receivers, url: str, body: bytes = b"{}") -> int | str:
    try:
        return await receivers.post(url, {}, body)
    except NotAnswered as error:
        return str(error)


@pytest.mark.parametrize(
    "address",
    [
        "0.0.0.0", "10.0.0.1", "100.64.0.1", "127.0.0.1", "127.8.9.1", "169.254.169.254", "172.16.0.1", "192.0.0.8",
        "192.0.2.1", "192.168.1.1", "198.18.0.1", "203.0.113.9", "224.0.0.1", "240.0.0.1", "255.255.255.255",
        "::", "::1", "::7f00:1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254", "fe80::1",
        "fe80::1%eth0", "fc00::1", "fd00:ec2::254", "fec0::1", "ff02::1", "2001:db8::1", "64:ff9b::7f00:1",
        "64:ff9b::a00:1", "64:ff9b:1::1", "2002:7f00:1::", "2001:0:1::1", "100::1", "localhost", "",
    ],
)  # fmt: skip
def test_what_is_not_public_is_refused(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize(
    "address", ["1.1.1.1", "93.184.216.34", "2606:4700::1111", "::ffff:1.1.1.1", "64:ff9b::101:101"]
)
def test_what_is_public_may_be_reached(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    ("url", "fault"),
    [
        ("https://example.com/hooks?x=1", None),
        ("https://example.com:8443", None),
        ("https://1.1.1.1/", None),
        ("http://example.com", "https://"),
        ("ftp://example.com", "https://"),
        ("https://", "https://"),
        ("example.com", "https://"),
        ("https://exa mple.com/", "https://"),
        ("https://example.com/\n", "https://"),
        ("https://a:b@example.com", "password"),
        ("https://127.0.0.1/", "private"),
        ("https://[::1]/", "private"),
        ("https://[::ffff:10.0.0.1]:80/", "private"),
        ("https://example.com/" + "x" * 2048, "2048"),
        ("https://example.com:99999/", "URL"),
    ],
)
def test_an_address_that_cannot_be_one_is_refused_at_once(url: str, fault: str | None) -> None:
    said = url_fault(url, allow_private=False)
    assert said is None if fault is None else fault in str(said)


async def test_private_addresses_are_reached_where_the_operator_allows_it() -> None:
    async def answer(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 204 No Content\r\n\r\n")
        await writer.drain()

    async with receiver(answer) as port:
        assert await post(Receivers(allow_private=True), f"http://127.0.0.1:{port}/") == 204
        for host in ("127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "0x7f.1"):
            assert await post(Receivers(), f"http://{host}:{port}/") == "not a public address"
        for host in ("2130706433", "0"):
            assert await post(Receivers(), f"http://{host}:{port}/") == "not a valid address"


@pytest.mark.parametrize("address", ["127.0.0.1", "::ffff:127.0.0.1", "10.0.0.1", "169.254.169.254"])
async def test_a_name_that_leads_to_a_private_address_is_not_followed(address: str) -> None:
    assert await post(Receivers(find=Names(address)), "http://rebinding.example/") == "not a public address"


async def test_a_name_is_resolved_once_and_that_address_is_connected_to(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a rebinding name means the next moment is never looked at for this connection, and judged for the next."""
    names, reached = Names("10.0.0.1 203.0.114.7", "127.0.0.1"), list[str]()

    async def noted(addresses: Addresses, **_: Any) -> socket.socket:
        reached.extend(str(address[4][0]) for address in addresses)
        raise ConnectionRefusedError

    monkeypatch.setattr(aiohappyeyeballs, "start_connection", noted)
    receivers = Receivers(find=names)
    assert await post(receivers, "http://rebinding.example/") == "cannot connect"
    assert (names.asked, reached) == (1, ["203.0.114.7"])
    assert await post(receivers, "http://rebinding.example/") == "not a public address"
    assert (names.asked, reached) == (2, ["203.0.114.7"])


@pytest.mark.parametrize(
    ("host", "expected"),
    [("hooks.example", 200), ("hooks.example.", 200), ("other.example", "no valid certificate")],
)
async def test_the_certificate_and_the_request_are_of_the_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, host: str, expected: int | str
) -> None:
    own, heads, named = papers(tmp_path, "DNS:hooks.example", 2), list[bytes](), list[str | None]()
    offered = own.context()
    offered.set_servername_callback(lambda _, name, __: named.append(name))

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heads.append((await reader.readuntil(b"\r\n\r\n")).lower())
        writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
        await writer.drain()
        writer.close()

    monkeypatch.setattr(pool, "_trusting", lambda: ssl.create_default_context(cafile=own.certificate))
    receivers = Receivers(allow_private=True, find=Names("127.0.0.1"))
    async with talking(answer, offered) as port:
        assert await post(receivers, f"https://{host}:{port}/a?b=c") == expected
    assert named == [host.rstrip(".")]
    if expected == 200:
        (head,) = heads
        lines = head.split(b"\r\n")
        assert lines[0] == b"post /a?b=c http/1.1"
        assert f"host: hooks.example:{port}".encode() in lines
        assert [line for line in lines if line.startswith((b"user-agent", b"content-type", b"connection"))] == [
            b"user-agent: rhumbline-webhooks", b"connection: close", b"content-type: application/json",
        ]  # fmt: skip
    else:
        assert heads == []


async def test_tls_is_not_given_up_for_who_does_not_speak_it() -> None:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1)
        writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
        writer.close()

    async with talking(answer) as port:
        assert await post(Receivers(allow_private=True), f"https://127.0.0.1:{port}/") == "no valid certificate"


async def test_a_name_that_nobody_has_is_told() -> None:
    async def nobody(host: str, port: int) -> Addresses:
        raise socket.gaierror(socket.EAI_NONAME, host)

    assert await post(Receivers(find=nobody), "https://hooks.example/") == "no such host"
    assert await post(Receivers(), f"https://{'a' * 64}.example/") == "not a valid address"


async def test_a_redirect_is_an_answer_and_not_followed() -> None:
    asked = []

    async def answer(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.append(1)
        writer.write(b"HTTP/1.1 307 X\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: 0\r\n\r\n")
        await writer.drain()

    async with receiver(answer) as port:
        assert await post(Receivers(allow_private=True), f"http://127.0.0.1:{port}/") == 307
    assert asked == [1]


async def test_an_endless_body_is_not_read() -> None:
    sent, over = 0, asyncio.Event()

    async def answer(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal sent
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 10000000000\r\n\r\n")
        try:
            while True:
                writer.write(bytes(2**16))
                await writer.drain()
                sent += 2**16
        finally:
            over.set()

    async with asyncio.timeout(60), receiver(answer) as port:
        assert await post(Receivers(allow_private=True), f"http://127.0.0.1:{port}/") == 200
        await over.wait()
    assert sent < 64 * 2**20


async def test_who_hangs_or_drips_is_given_up() -> None:
    async def hang(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()

    async def drip(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\n")
        for number in count():
            writer.write(f"x-{number}: y\r\n".encode())
            await writer.drain()
            # Slowly, so that the head stays within its bounds however long it takes to give up.
            await asyncio.sleep(0.01)

    for answer in (hang, drip):
        async with receiver(answer) as port:
            said = await post(Receivers(allow_private=True, longest_s=0.3), f"http://127.0.0.1:{port}/")
            assert said == "no answer in time"


@pytest.mark.parametrize(
    "head",
    [b"no http at all\r\n\r\n", b"HTTP/1.1 200 OK\r\nx: " + b"y" * 2**20 + b"\r\n\r\n", b"HTTP/1.1 200 OK\n\n", b""],
)
async def test_what_is_no_answer_is_none(head: bytes) -> None:
    async def answer(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(head)
        await writer.drain()

    async with receiver(answer) as port:
        assert await post(Receivers(allow_private=True), f"http://127.0.0.1:{port}/") == "not a valid answer"


async def test_a_port_that_nobody_has_cannot_be_connected_to() -> None:
    assert await post(Receivers(allow_private=True), "http://127.0.0.1:1/") == "cannot connect"
