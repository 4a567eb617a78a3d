import asyncio
import socket
import ssl
import subprocess
from pathlib import Path

import aiohttp
import pytest
from starlette.types import Receive, Scope, Send

from rhumbline.api.http import protocol as bounded_protocol
from rhumbline.api.server.application import create_app
from rhumbline.api.server.listener import CannotListen, PortTaken, Tls, reserve, serve
from tests.api.api_service import ApiService, services
from tests.api.conftest import served


class Slow:
    """Answers when it is let."""

    def __init__(self) -> None:
        self.asked, self.let = asyncio.Event(), asyncio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.asked.set()
        await self.let.wait()
        client = f"{scope['scheme']} {scope['client'][0]}".encode()
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": client})


@pytest.fixture
def certificate(tmp_path: Path) -> Tls:
    files = Tls(tmp_path / "cert.pem", tmp_path / "key.pem")
    subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]
    key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", str(files.key)]
    subprocess.run(
        ["openssl", "req", "-x509", "-days", "2", *key, "-out", str(files.certificate), *subject],
        check=True,
        capture_output=True,
    )
    return files


def test_a_taken_port_is_said_plainly() -> None:
    with reserve("127.0.0.1", 0) as first:
        port = first.getsockname()[1]
        with pytest.raises(PortTaken, match=rf"server\.port: {port} on 127\.0\.0\.1 is taken"):
            reserve("127.0.0.1", port)


@pytest.mark.parametrize("host", ["203.0.113.9", "no-such-host.invalid", "256.1.1.1"])
def test_an_address_of_somebody_else(host: str) -> None:
    with pytest.raises(CannotListen, match=r"server\.host") as raised:
        reserve(host, 0)
    assert not isinstance(raised.value, PortTaken)


async def test_a_running_request_is_finished() -> None:
    slow, listener = Slow(), reserve("127.0.0.1", 0)
    url = f"http://127.0.0.1:{listener.getsockname()[1]}"
    serving = asyncio.create_task(serve(slow, listener, grace_s=5))
    async with aiohttp.ClientSession() as session:
        asking = asyncio.create_task(session.get(url))
        await slow.asked.wait()
        serving.cancel()
        await asyncio.sleep(0.3)
        with pytest.raises(aiohttp.ClientConnectionError):
            await session.get(url)
        assert not serving.done()
        slow.let.set()
        response = await asking
        assert (response.status, await response.text()) == (200, "http 127.0.0.1")
    with pytest.raises(asyncio.CancelledError):
        await serving


async def test_the_grace_is_bounded() -> None:
    slow, listener = Slow(), reserve("127.0.0.1", 0)
    serving = asyncio.create_task(serve(slow, listener, grace_s=1))
    _, writer = await asyncio.open_connection(*listener.getsockname())
    writer.write(b"GET / HTTP/1.1\r\nhost: x\r\n\r\n")
    await slow.asked.wait()
    serving.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asyncio.wait_for(serving, 60)
    writer.close()


@pytest.mark.parametrize(("trusted", "seen"), [((), "http 127.0.0.1"), (("127.0.0.1",), "https 198.51.100.7")])
async def test_forwarded_headers_count_from_trusted_proxies_only(trusted: tuple[str, ...], seen: str) -> None:
    slow, listener = Slow(), reserve("127.0.0.1", 0)
    slow.let.set()
    serving = asyncio.create_task(serve(slow, listener, trusted_proxies=trusted))
    headers = {"x-forwarded-for": "198.51.100.7", "x-forwarded-proto": "https"}
    async with (
        aiohttp.ClientSession() as session,
        session.get(f"http://127.0.0.1:{listener.getsockname()[1]}", headers=headers) as response,
    ):
        assert await response.text() == seen
        assert "server" not in response.headers
    serving.cancel()
    await asyncio.gather(serving, return_exceptions=True)


@pytest.mark.parametrize("address", ["203.0.113.7", ""])
async def test_a_trailer_does_not_say_who_asks(address: str) -> None:
    """A trusted proxy's word holds, whatever stands behind the body, and so does its silence."""
    slow, listener = Slow(), reserve("127.0.0.1", 0)
    slow.let.set()
    serving = asyncio.create_task(serve(slow, listener, trusted_proxies=("127.0.0.1",)))
    reader, writer = await asyncio.open_connection(*listener.getsockname())
    told = f"x-forwarded-for: {address}\r\nx-forwarded-proto: http\r\n" if address else ""
    head = f"GET / HTTP/1.1\r\nhost: x\r\n{told}connection: close\r\ntransfer-encoding: chunked\r\n\r\n"
    writer.write(f"{head}0\r\nx-forwarded-for: 198.51.100.99\r\nx-forwarded-proto: https\r\n\r\n".encode())
    answer = await asyncio.wait_for(reader.read(), 60)
    assert f"\r\nhttp {address or '127.0.0.1'}\r\n".encode() in answer
    writer.close()
    serving.cancel()
    await asyncio.gather(serving, return_exceptions=True)


async def test_tls_and_hsts(certificate: Tls) -> None:
    trust = ssl.create_default_context(cafile=str(certificate.certificate))
    app = create_app(services(ApiService(), {}))
    async with served(app, certificate) as (url, port), aiohttp.ClientSession() as session:
        assert url == f"https://127.0.0.1:{port}"
        async with session.get(url + "/v1/chains", ssl=trust) as response:
            assert response.status == 200
            assert response.headers["strict-transport-security"] == "max-age=31536000"
        async with session.get(url + "/v1/chains?" + "x" * 20_000, ssl=trust) as response:
            assert response.status == 414
            assert response.headers["strict-transport-security"] == "max-age=31536000"
    async with served(app) as (url, _), aiohttp.ClientSession() as session, session.get(url + "/health") as response:
        assert "strict-transport-security" not in response.headers


async def test_a_certificate_that_cannot_be_used(tmp_path: Path) -> None:
    listener = reserve("127.0.0.1", 0)
    with pytest.raises(CannotListen, match=r"server\.tls_certificate"):
        await serve(Slow(), listener, tls=Tls(tmp_path / "none.pem", tmp_path / "none.key"))
    assert listener.fileno() == -1


async def test_a_client_that_never_asks_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounded_protocol, "HEAD_TIMEOUT_S", 0.2)
    async with served(create_app(services(ApiService(), {}))) as (_, port):
        for beginning in (b"", b"GET / HTTP/1.1\r\nhost"):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(beginning)
            assert await asyncio.wait_for(reader.read(), 60) == b""
            writer.close()


async def drip(writer: asyncio.StreamWriter) -> None:
    for _ in range(200):
        writer.write(b"x")
        await writer.drain()
        await asyncio.sleep(0.02)


async def test_a_refused_client_that_goes_on_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounded_protocol, "LINGER_S", 0.2)
    async with served(create_app(services(ApiService(), {}))) as (_, port):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"rubbish\r\n")
        assert (await reader.readline()).startswith(b"HTTP/1.1 400 ")
        with pytest.raises(ConnectionError):
            await drip(writer)
        writer.close()


def test_port_zero_takes_a_free_one() -> None:
    with reserve("::1", 0) as six, reserve("localhost", 0) as named:
        assert six.family is socket.AF_INET6
        assert named.getsockname()[1] > 0
