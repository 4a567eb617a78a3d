"""A statement is a span by what it does to which table; its text and values stay out."""

import pytest
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.domain.spans import SpanKind
from rhumbline.gateways.postgres.statement_spans import statement_spans
from rhumbline.gateways.tracing.recorder import sdk_tracing


async def test_statements_of_a_trace_are_spans(store_engine: AsyncEngine) -> None:
    exporter = InMemorySpanExporter()
    async with sdk_tracing(exporter, "service", "instance", 1.0, joins=False) as tracing:
        with statement_spans(store_engine):
            async with store_engine.connect() as connection:
                await connection.execute(text("SELECT 1 FROM builds"))
            with tracing.trace("work", SpanKind.INTERNAL):
                async with store_engine.begin() as connection:
                    await connection.execute(text("SELECT count(*) FROM builds WHERE 'secret' = :a"), {"a": "secret"})
                    await connection.execute(text("CREATE TEMPORARY TABLE secret (a int)"))
                with pytest.raises(DBAPIError):
                    async with store_engine.begin() as connection:
                        await connection.execute(text("DELETE FROM nowhere"))
        with tracing.trace("later", SpanKind.INTERNAL):
            async with store_engine.connect() as connection:
                await connection.execute(text("SELECT 1 FROM builds"))
    spans = exporter.get_finished_spans()
    assert [each.name for each in spans] == ["SELECT builds", "OTHER", "DELETE nowhere", "work", "later"]
    assert [each.status.description is None for each in spans] == [True, True, False, True, True]
    assert "secret" not in "".join(each.to_json() for each in spans)
