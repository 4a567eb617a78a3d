"""Every request is counted and timed, however it ends."""

import asyncio
from typing import Any

import pytest

from rhumbline.accounts.counters import Limiter, LocalCounters
from rhumbline.accounts.rate_limits import Tiers
from rhumbline.api.metrics.service_metrics import ServiceMetrics
from rhumbline.domain.clock import system_clock
from rhumbline.domain.rate import Limit
from tests.api.api_service import KEY, ApiService
from tests.api.limited_service import ask, limited_app, moored
from tests.api.metrics.test_service_metrics import SECRET, SlowApiService, samples, serve_one


async def test_refused_and_broken_requests_are_counted_by_their_template(
    service: str, watching: str, api_service: ApiService
) -> None:
    """Both are decided before a route is chosen."""
    for _ in range(22):
        await ask(service, "/v1/tools")
    await ask(service, f"/v1/transactions/{SECRET}")
    await ask(service, "/v1/chains", method="POST")
    await ask(service, "/v1/chains", method="HEAD")
    await ask(service, f"/v1/{SECRET}")
    api_service.store_down = True
    await ask(service, "/v1/quotes", x_api_key=KEY)
    seen = await samples(watching)
    refused = {key[1:]: value for key, value in seen.items() if key[0] == "rhumbline_http_requests_total"}
    assert refused == {
        ("GET", "/v1/tools", "200"): 20,
        ("GET", "/v1/tools", "429"): 2,
        ("GET", "/v1/transactions/{lookupKey}", "429"): 1,
        ("POST", "/v1/chains", "429"): 1,
        ("GET", "/v1/chains", "429"): 1,
        ("GET", "unmatched", "429"): 1,
        ("GET", "/v1/quotes", "503"): 1,
    }
    assert seen["rhumbline_http_request_seconds_count", "/v1/tools"] == 22


async def test_what_is_under_way_is_seen(metrics: ServiceMetrics, watching: str) -> None:
    api_service = SlowApiService()
    limiter = Limiter(Tiers(Limit(9, 60), Limit(9, 60)), LocalCounters(system_clock))
    async with moored(limited_app(api_service, limiter, metrics)) as url:
        asking = asyncio.create_task(ask(url, "/health/ready"))
        await api_service.reached.wait()
        assert (await samples(watching))["rhumbline_http_requests_in_flight",] == 1
        api_service.go_on.set()
        await asking
    assert (await samples(watching))["rhumbline_http_requests_in_flight",] == 0


async def test_a_request_that_is_cut_off_is_counted_as_such(metrics: ServiceMetrics, watching: str) -> None:
    """As at the end of a shutdown's patience."""
    api_service = SlowApiService()
    limiter = Limiter(Tiers(Limit(9, 60), Limit(9, 60)), LocalCounters(system_clock))
    app = limited_app(api_service, limiter, metrics)

    async def unused(*_: object) -> Any:
        raise AssertionError

    scope = {"type": "http", "method": "GET", "path": "/health/ready", "headers": [], "query_string": b""}
    serving = asyncio.create_task(serve_one(app, scope, unused))
    await api_service.reached.wait()
    serving.cancel()
    with pytest.raises(asyncio.CancelledError):
        await serving
    seen = await samples(watching)
    assert seen["rhumbline_http_requests_total", "GET", "/health/ready", "499"] == 1
    assert seen["rhumbline_http_requests_in_flight",] == 0
