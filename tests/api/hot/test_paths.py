"""The short way to the hot paths answers what the router answers, to the byte."""

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, replace

import aiohttp
import pytest
from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from rhumbline.api.hot.paths import HotGets, HotPaths
from rhumbline.api.metrics.service_metrics import ServiceMetrics
from rhumbline.api.server.application import create_app
from rhumbline.api.v1.metadata import metadata_routes
from rhumbline.api.v1.prices import price_routes
from rhumbline.api.v1.services import Services
from tests.api.api_service import KEY, UNKNOWN_KEY, USDC, USDT, ApiService, services
from tests.api.conftest import served

NAME = {"x-request-id": "the-same-in-both"}


@dataclass(frozen=True)
class Raw:
    """An answer as it came."""

    status: int
    headers: list[tuple[bytes, bytes]]
    body: bytes


@dataclass(frozen=True)
class Both:
    """The application as it is, and one whose router answers everything."""

    urls: tuple[str, str]
    metrics: tuple[ServiceMetrics, ServiceMetrics]
    session: aiohttp.ClientSession

    async def ask(self, method: str, target: str, headers: Mapping[str, str]) -> list[Raw]:
        answers = []
        for url in self.urls:
            async with self.session.request(method, url + target, headers=NAME | dict(headers)) as response:
                kept = sorted(pair for pair in response.raw_headers if pair[0] != b"date")
                answers.append(Raw(response.status, kept, await response.read()))
        return answers


@pytest.fixture(scope="module")
async def both() -> AsyncIterator[Both]:
    metrics = ServiceMetrics(), ServiceMetrics()
    hot, routed = (create_app(_services(each)) for each in metrics)
    routed.hot = None
    innermost = routed.user_middleware.pop()
    assert getattr(innermost.cls, "__name__", "") == HotGets.__name__
    async with (
        aiohttp.ClientSession(auto_decompress=False) as session,
        served(hot) as (hot_url, _),
        served(routed) as (routed_url, _),
    ):
        yield Both((hot_url, routed_url), metrics, session)


def _services(metrics: ServiceMetrics) -> Services:
    return replace(services(ApiService(), {}), metrics=metrics)


@pytest.mark.parametrize("headers", [{}, {"x-api-key": KEY}, {"x-api-key": UNKNOWN_KEY}, {"accept-encoding": "zstd"}])
@pytest.mark.parametrize(
    "target",
    [
        "/v1/chains",
        "/v1/chains?chainTypes=EVM",
        "/v1/chains?chainTypes=TON",
        "/v1/chains/",
        "/v1/chain%73",
        "/v1//chains",
        "/v1/token?chain=1&token=USDC",
        "/v1/token?chain=777&token=",
        "/v1/token?chain=1&token=NOPE",
        "/v1/tokens",
        "/v1/tokens?chains=1,8453",
        "/v1/tokens?chains=,",
        "/v1/tools",
        "/v1/tools?chains=nope",
        f"/v1/prices?tokens=1:{USDC},1:{USDT},1:NOPE",
        "/v1/prices?tokens=8453",
        "/v1/tokenlists/1.json",
        "/v1/health",
        "/v1/nothing",
    ],
)
async def test_both_ways_answer_the_same(both: Both, target: str, headers: Mapping[str, str]) -> None:
    for method in ("GET", "HEAD", "OPTIONS", "POST"):
        hot, routed = await both.ask(method, target, headers)
        assert hot == routed


async def test_what_the_client_has_is_not_sent_again(both: Both) -> None:
    hot, routed = await both.ask("GET", "/v1/tokens", {})
    etag = dict(hot.headers)[b"etag"]
    assert hot == routed
    hot, routed = await both.ask("GET", "/v1/tokens", {"if-none-match": etag.decode()})
    assert hot == routed
    assert hot.status == 304


async def test_both_ways_are_measured_as_the_same_route(both: Both) -> None:
    await both.ask("GET", "/v1/chains", {})
    counted = [
        each.registry.get_sample_value(
            "rhumbline_http_requests_total", {"route": "/v1/chains", "method": "GET", "status": "200"}
        )
        for each in both.metrics
    ]
    assert counted[0] == counted[1]
    assert counted[0]


async def test_hot_paths_do_not_reach_the_router() -> None:
    """The router of this application has nothing: what is answered is answered before it."""
    paths, offered = HotPaths(), services(ApiService(), {})
    for routes in (metadata_routes, price_routes):
        paths.add(routes(offered).routes)
    async with (
        aiohttp.ClientSession() as session,
        served(HotGets(FastAPI(openapi_url=None), paths)) as (url, _),
    ):
        statuses = {}
        for path in ("/v1/chains", "/v1/tokens", "/v1/tools", f"/v1/prices?tokens=1:{USDC}", "/v1/tokenlists/1.json"):
            async with session.get(url + path) as response:
                statuses[path.partition("?")[0]] = response.status
        async with session.post(url + "/v1/chains") as response:
            posted = response.status
    assert statuses == {
        "/v1/chains": 200, "/v1/tokens": 200, "/v1/tools": 200, "/v1/prices": 200, "/v1/tokenlists/1.json": 404,
    }  # fmt: skip
    assert posted == 404


async def test_only_plain_routes_are_taken() -> None:
    async def endpoint(request: Request) -> Response:
        return Response()

    paths = HotPaths()
    paths.add([Route("/v1/other", endpoint)])
    assert paths.find({"type": "http", "method": "GET", "path": "/v1/other"}) is None
    assert paths.find({"type": "lifespan"}) is None
