"""Opens tracing as the settings want it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.app.tracing_section import TracingSettings
from rhumbline.domain.spans import Tracing


@asynccontextmanager
async def opened_tracing(settings: TracingSettings, engine: AsyncEngine, process: str) -> AsyncIterator[Tracing | None]:
    """Offer tracing of requests and of the engine's statements, under the process's name; None if it is off."""
    if settings.endpoint is None:
        yield None
        return
    # OpenTelemetry takes a third of a second to load; who does not use it starts without.
    from rhumbline.gateways.postgres.statement_spans import statement_spans
    from rhumbline.gateways.tracing.exporter import collector_exporter
    from rhumbline.gateways.tracing.recorder import sdk_tracing

    headers = {name: value.get_secret_value() for name, value in settings.headers.items()}
    exporter, joins = collector_exporter(settings.endpoint, headers), settings.callers == "join"
    with statement_spans(engine):
        async with sdk_tracing(exporter, settings.service_name, process, settings.share, joins=joins) as tracing:
            yield tracing
