"""A service that is measured, and the port on which its metrics are read."""

from collections.abc import AsyncIterator

import pytest

from rhumbline.accounts.counters import Limiter, LocalCounters
from rhumbline.accounts.rate_limits import Tiers
from rhumbline.api.metrics.application import metrics_app
from rhumbline.api.metrics.service_metrics import ServiceMetrics
from rhumbline.api.server.application import create_app
from rhumbline.domain.clock import system_clock
from rhumbline.domain.rate import Limit
from tests.api.api_service import ApiService, services
from tests.api.limited_service import limited_app, moored


@pytest.fixture
def metrics() -> ServiceMetrics:
    return ServiceMetrics()


@pytest.fixture
def api_service() -> ApiService:
    return ApiService()


@pytest.fixture
async def service(api_service: ApiService, metrics: ServiceMetrics) -> AsyncIterator[str]:
    limiter = Limiter(Tiers(Limit(20, 7200), Limit(20, 60)), LocalCounters(system_clock))
    async with moored(limited_app(api_service, limiter, metrics)) as url:
        yield url


@pytest.fixture
async def watching(api_service: ApiService, metrics: ServiceMetrics) -> AsyncIterator[str]:
    async with moored(metrics_app(metrics, create_app(services(api_service, {})))) as url:
        yield url
