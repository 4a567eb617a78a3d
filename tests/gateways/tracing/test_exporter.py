"""What is sent to a collector, and what the log says when it does not take it."""

import asyncio

import pytest
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SpanExportResult
from structlog.testing import capture_logs

from rhumbline.gateways.tracing.exporter import collector_exporter
from tests.otlp_receiver import collecting


def one_span() -> ReadableSpan:
    span = TracerProvider(shutdown_on_exit=False).get_tracer("test").start_span("part")
    span.end()
    assert isinstance(span, ReadableSpan)
    return span


async def test_spans_and_headers_reach_the_collector_and_a_failure_is_said_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    async with collecting() as collector:
        exporter = collector_exporter(collector.url, {"authorization": "Bearer secret"})

        async def export(status: int) -> SpanExportResult:
            collector.status = status
            return await asyncio.to_thread(exporter.export, [one_span()])

        with capture_logs() as lines:
            results = [await export(status) for status in (200, 401, 400, 200, 200, 404)]
        exporter.shutdown()
    assert [each.name for each in results] == ["SUCCESS", "FAILURE", "FAILURE", "SUCCESS", "SUCCESS", "FAILURE"]
    assert [line["event"] for line in lines] == ["traces_not_taken", "traces_taken_again", "traces_not_taken"]
    assert [each.name for each in collector.spans] == ["part"] * 3
    assert {each["authorization"] for each in collector.headers} == {"Bearer secret"}
    assert {each["content-encoding"] for each in collector.headers} == {"gzip"}
    assert not caplog.records
    assert collector.url not in repr(lines)
