"""Builds what keeps the trails of requests for quotes, as the settings say."""

from datetime import timedelta

from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.accounts.trail_store import TrailWriter
from rhumbline.accounts.trails import Trails
from rhumbline.api.metrics.service_metrics import ServiceMetrics
from rhumbline.app.sections import ExplanationSettings
from rhumbline.domain.clock import Clock


def build_trails(
    settings: ExplanationSettings, engine: AsyncEngine, clock: Clock, metrics: ServiceMetrics
) -> tuple[Trails | None, TrailWriter]:
    """Return what takes trails, None if none are kept, and their writer, which then only removes those there are."""
    trails = Trails(clock)
    writer = TrailWriter(engine, trails, clock, timedelta(hours=settings.keep_hours), settings.most_requests)
    metrics.watch_trails(lambda: trails.dropped)
    return (trails if settings.keep_hours else None), writer
