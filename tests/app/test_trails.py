"""With zero hours nothing is kept, and what was kept goes."""

from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.accounts.trail_store import TrailHistory
from rhumbline.api.metrics.service_metrics import ServiceMetrics
from rhumbline.app.sections import ExplanationSettings
from rhumbline.app.trails import build_trails
from rhumbline.domain.account import ApiClient
from tests.api.api_service import NOW
from tests.clocks import Clock


async def test_zero_hours_keep_nothing(store_engine: AsyncEngine) -> None:
    clock, history = Clock(NOW), TrailHistory(store_engine)
    metrics = ServiceMetrics()
    trails, writer = build_trails(ExplanationSettings(), store_engine, clock, metrics)
    assert trails is not None
    trail = trails.begin("one", "/v1/quotes", ApiClient())
    trail.end(200)
    trails.keep(trail)
    await writer.write()
    assert len(await history.latest(5)) == 1
    assert metrics.registry.get_sample_value("rhumbline_trails_dropped_total") == 0
    clock.move(seconds=1)
    trails, writer = build_trails(ExplanationSettings(keep_hours=0), store_engine, clock, ServiceMetrics())
    await writer.write()
    assert trails is None
    assert await history.latest(5) == ()
