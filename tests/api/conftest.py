import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import aiohttp
import pytest
from starlette.types import ASGIApp

from rhumbline.api.server.application import create_app
from rhumbline.api.server.listener import Tls, reserve, serve
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.nodes.evm.rpc import EvmRpc
from tests.api.api_service import ApiService, services
from tests.api.reference.write_document import default_document


@dataclass(frozen=True)
class Answer:
    status: int
    headers: Mapping[str, str]
    text: str
    json: dict[str, Any]


@dataclass(frozen=True)
class Client:
    """Speaks to the service over a real socket."""

    url: str
    port: int
    session: aiohttp.ClientSession

    async def ask(
        self,
        path: str,
        query: Mapping[str, str] | list[tuple[str, str]] | None = None,
        *,
        method: str = "GET",
        headers: Mapping[str, str] | None = None,
        data: bytes | None = None,
    ) -> Answer:
        async with self.session.request(
            method, self.url + path, params=query, headers=headers, data=data, allow_redirects=False
        ) as response:
            text = await response.text()
            body = await response.json() if text and "json" in response.content_type else {}
            return Answer(response.status, response.headers, text, body)


@asynccontextmanager
async def served(app: ASGIApp, tls: Tls | None = None) -> AsyncIterator[tuple[str, int]]:
    """Serve an application on a free port of the loopback."""
    listener = reserve("127.0.0.1", 0)
    port: int = listener.getsockname()[1]
    started: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    task = asyncio.create_task(serve(app, listener, tls=tls, grace_s=2, started=started.set_result))
    try:
        yield await started, port
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


@pytest.fixture(scope="session")
def one_service() -> ApiService:
    return ApiService()


@pytest.fixture(autouse=True)
def emptied(one_service: ApiService) -> None:
    """Begin each test with a service that was told nothing, whether the test tells it something or not."""
    one_service.reset()


@pytest.fixture(scope="session")
async def client(one_service: ApiService) -> AsyncIterator[Client]:
    async with aiohttp.ClientSession() as session, HttpClient() as http:
        dead_node = EvmRpc("http://127.0.0.1:1", http, "base", 1.0)
        async with served(create_app(services(one_service, {8453: dead_node}))) as (url, port):
            yield Client(url, port, session)


@pytest.fixture
def api_service(one_service: ApiService) -> ApiService:
    """What the service asks, empty at the start of each test."""
    one_service.reset()
    return one_service


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    return default_document()
