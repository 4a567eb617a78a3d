"""A service with rate limits to test over HTTP: the real application and limiter, and nothing real below."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

import aiohttp
from starlette.types import ASGIApp

from rhumbline.accounts.counters import Limiter
from rhumbline.accounts.rate_limits import Tiers
from rhumbline.api.metrics.service_metrics import ServiceMetrics
from rhumbline.api.server.application import create_app
from rhumbline.api.server.listener import reserve, serve
from rhumbline.domain.rate import Limit
from tests.api.api_service import ApiService, services
from tests.clocks import Clock

TIERS = Tiers(Limit(200, 7200), Limit(200, 60))
QUOTE = "/v1/quotes"  # without parameters: 400, and counted like any other
OTHER = "/v1/chains"


@dataclass
class Watch(Clock):
    now: datetime = datetime(2026, 11, 21, 12, 0, 0, 123_456, UTC)


def limited_app(api_service: ApiService, limiter: Limiter, metrics: ServiceMetrics | None = None) -> ASGIApp:
    """The service's application with this limiter and these metrics."""
    return create_app(replace(services(api_service, {}), limiter=limiter, metrics=metrics))


@dataclass(frozen=True)
class Answer:
    status: int
    headers: Mapping[str, str]
    json: Any

    @property
    def limits(self) -> tuple[str, ...]:
        return tuple(self.headers[f"X-RateLimit-{name}"] for name in ("Limit", "Remaining", "Reset"))

    @property
    def remaining(self) -> int:
        return int(self.headers["X-RateLimit-Remaining"])


async def ask(url: str, path: str = OTHER, *, method: str = "GET", **headers: str) -> Answer:
    """Ask over a connection of its own; underscores in the headers' names stand for hyphens."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    async with aiohttp.ClientSession() as session:
        return await ask_in(session, url, path, method=method, headers=named)


async def ask_in(
    session: aiohttp.ClientSession,
    url: str,
    path: str = OTHER,
    *,
    method: str = "GET",
    headers: Mapping[str, str] | None = None,
) -> Answer:
    async with session.request(method, url + path, headers=headers) as response:
        body = await response.json() if "json" in response.content_type else await response.text()
        return Answer(response.status, response.headers, body)


@asynccontextmanager
async def moored(app: ASGIApp, trusted_proxies: Sequence[str] = (), host: str = "127.0.0.1") -> AsyncIterator[str]:
    """Serve an application on a free port; yield its address."""
    listener = reserve(host, 0)
    started: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    task = asyncio.create_task(
        serve(app, listener, trusted_proxies=trusted_proxies, grace_s=2, started=started.set_result)
    )
    try:
        yield await started
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
