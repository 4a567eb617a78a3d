"""Sends spans to a collector by OTLP over HTTP, from a thread of its own; no request waits for it.

https://opentelemetry.io/docs/specs/otlp/#otlphttp (read 2026-11)
"""

import logging
import ssl
from collections.abc import Mapping, Sequence

import requests
import structlog
from opentelemetry.exporter.otlp.proto.http import Compression
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export import SpanExporter, SpanExportResult

_TIMEOUT_S = 5.0


class CollectorExporter(SpanExporter):
    """Says once that the collector does not take spans, and once that it does again; those in between are lost."""

    def __init__(self, inner: SpanExporter) -> None:
        self._inner = inner
        self._is_failing = False

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        result = self._inner.export(spans)
        is_failing = result is not SpanExportResult.SUCCESS
        if is_failing and not self._is_failing:
            remedy = "see that tracing.endpoint is the collector's, and tracing.headers what it asks for"
            structlog.get_logger().warning("traces_not_taken", remedy=remedy)
        elif self._is_failing and not is_failing:
            structlog.get_logger().info("traces_taken_again")
        self._is_failing = is_failing
        return result

    def shutdown(self) -> None:
        self._inner.shutdown()


def collector_exporter(endpoint: str, headers: Mapping[str, str]) -> CollectorExporter:
    """Return what sends to a collector's URL: no proxy, no password file and no redirect is used."""
    # It would write a line for each batch and each attempt, with the address of the collector.
    logging.getLogger("opentelemetry").setLevel(logging.CRITICAL)
    session, trusted = requests.Session(), ssl.get_default_verify_paths()
    session.trust_env = False
    inner = OTLPSpanExporter(
        endpoint,
        certificate_file=trusted.cafile or trusted.capath,
        headers=dict(headers),
        timeout=_TIMEOUT_S,
        compression=Compression.Gzip,
        session=session,
    )
    return CollectorExporter(inner)
