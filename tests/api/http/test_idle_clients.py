"""Whatever a client does between two requests, it is let go when it does not ask."""

import asyncio
import contextlib
from collections.abc import Mapping
from dataclasses import replace
from itertools import product

import pytest

from rhumbline.api.server import listener as serving
from rhumbline.api.server.application import create_app
from tests.api.api_service import ApiService, services
from tests.api.conftest import served
from tests.api.paired_services import paired_services, read_replies, request

ASKED = request("/v1/chains")
BETWEEN = [b"", b"\r", b"\n", b"\r\n", b"\r\n\r\n\r\n"]


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "_KEEP_ALIVE_S", 0.3)


async def let_go(port: int, path: str, byte: bytes) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(2 * request(path))
    assert len(await read_replies(reader, 2)) == 2
    # On a busy machine it may be let go before the byte is there.
    with contextlib.suppress(ConnectionError):
        writer.write(byte)
        assert await asyncio.wait_for(reader.read(), 60) == b""
    writer.close()


async def test_bytes_that_begin_no_request_do_not_keep_a_connection() -> None:
    async with paired_services() as both:
        ports, paths = (both.hot.port, both.plain.port), ("/v1/chains", "/health", "/nowhere")
        await asyncio.gather(*(let_go(*each) for each in product(ports, paths, BETWEEN)))


async def test_dripping_bytes_that_begin_no_request_does_not_wind_the_timer_up() -> None:
    async with served(create_app(services(ApiService(), {}))) as (_, port):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(ASKED)
        await read_replies(reader, 1)
        ended = asyncio.create_task(reader.read())
        with contextlib.suppress(ConnectionError):
            for _ in range(500):
                writer.write(b"\r\n")
                await writer.drain()
                await asyncio.sleep(0.02)
                if ended.done():
                    break
        assert ended.done()
        writer.close()


@pytest.mark.parametrize("parts", [(b"ab", b"cd"), (b"abcd",)])
async def test_a_body_that_ends_after_its_answer_leaves_an_idle_connection(parts: tuple[bytes, ...]) -> None:
    async with served(create_app(services(ApiService(), {}))) as (_, port):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(request("/v1/chains", {"content-length": "4"}))
        assert [reply.status for reply in await read_replies(reader, 1)] == [200]
        for part in parts:
            await asyncio.sleep(0.02)
            writer.write(part)
        assert await asyncio.wait_for(reader.read(), 60) == b""
        writer.close()


async def test_an_answer_that_takes_longer_than_idle_clients_have_is_awaited() -> None:
    """The next request may have begun before the last answer was given: its connection is not idle then."""
    let, api_service = asyncio.Event(), ApiService()

    async def later() -> Mapping[str, str]:
        await let.wait()
        return {}

    async with served(create_app(replace(services(api_service, {}), ready=later))) as (_, port):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        second = request("/health/ready")
        writer.write(request("/health") + second[:10])
        await read_replies(reader, 1)
        writer.write(second[10:])
        await asyncio.sleep(1)
        let.set()
        assert [reply.status for reply in await read_replies(reader, 1)] == [200]
        writer.close()
