"""Traces by the SDK of OpenTelemetry. Imported only where tracing is on: it takes 0.3 s and 28 MB."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from importlib.metadata import version
from threading import Thread
from types import MappingProxyType

from opentelemetry import trace as otel
from opentelemetry.context import Context
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import SpanLimits, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter
from opentelemetry.sdk.trace.sampling import ParentBased, TraceIdRatioBased
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from rhumbline.domain.spans import NO_SPAN, Attribute, OpenSpan, Recorder, SpanContext, SpanKind

MOST_SPANS = 2_000
"""Of one trace; what follows is not recorded."""
FLUSH_S = 3.0
"""How long a process that ends waits for the collector."""
_LONGEST = 200
_WAITING = 16_384
_BATCH = 512
_EVERY_MS = 1_000
_NOWHERE = Context()
_PROPAGATOR = TraceContextTextMapPropagator()
_KINDS = MappingProxyType(
    {
        SpanKind.INTERNAL: otel.SpanKind.INTERNAL,
        SpanKind.SERVER: otel.SpanKind.SERVER,
        SpanKind.CLIENT: otel.SpanKind.CLIENT,
    }
)


@dataclass(slots=True)
class _Trace:
    """What the spans of a trace share. Work that goes on after the end of the trace is no part of it."""

    tracer: otel.Tracer
    spans_left: int = MOST_SPANS
    has_ended: bool = False


class _SdkSpan:
    """A span of the SDK. Its parent is given, so that the SDK's own context variable is not used."""

    __slots__ = ("_is_first", "_span", "_trace", "_within")

    def __init__(self, span: otel.Span, trace: _Trace, *, is_first: bool = False) -> None:
        self._span = span
        self._trace = trace
        self._is_first = is_first
        self._within = otel.set_span_in_context(span, _NOWHERE)

    @property
    def trace_id(self) -> str:
        return otel.format_trace_id(self._span.get_span_context().trace_id)

    def name(self, name: str, /) -> None:
        self._span.update_name(name)

    def note(self, name: str, value: Attribute, /) -> None:
        self._span.set_attribute(name, value)

    def fail(self, why: str, /) -> None:
        self._span.set_status(otel.StatusCode.ERROR, why)
        self._span.set_attribute("error.type", why)

    def child(self, name: str, kind: SpanKind, /) -> Recorder | None:
        trace = self._trace
        if trace.has_ended or trace.spans_left <= 0:
            return None
        trace.spans_left -= 1
        return _SdkSpan(trace.tracer.start_span(name, self._within, _KINDS[kind]), trace)

    def end(self) -> None:
        if self._is_first:
            self._trace.has_ended = True
        self._span.end()


class SdkTracing:
    """Begins traces, and records a share of them; with ``joins`` it continues traces of callers as they decided."""

    def __init__(self, tracer: otel.Tracer, *, joins: bool) -> None:
        self._tracer = tracer
        self._joins = joins

    def trace(self, name: str, kind: SpanKind, parent: str | None = None, /) -> SpanContext:
        within = _NOWHERE
        if parent is not None and self._joins:
            within = _PROPAGATOR.extract({"traceparent": parent}, _NOWHERE)
        span = self._tracer.start_span(name, within, _KINDS[kind])
        if not span.is_recording():
            return NO_SPAN
        return OpenSpan(_SdkSpan(span, _Trace(self._tracer), is_first=True))


@asynccontextmanager
async def sdk_tracing(
    exporter: SpanExporter, service: str, instance: str, share: float, *, joins: bool, flush_s: float = FLUSH_S
) -> AsyncIterator[SdkTracing]:
    """Offer tracing under a service's name and an instance's; at the end what waits is sent, for ``flush_s`` at most.

    The exporter is asked from a thread.
    """
    resource = Resource(
        {
            "service.name": service,
            "service.version": version("rhumbline"),
            "service.instance.id": instance,
            "telemetry.sdk.language": "python",
            "telemetry.sdk.name": "opentelemetry",
            "telemetry.sdk.version": version("opentelemetry-sdk"),
        }
    )
    limits = SpanLimits(max_span_attributes=32, max_events=8, max_span_attribute_length=_LONGEST)
    sampler = ParentBased(TraceIdRatioBased(share))
    provider = TracerProvider(sampler, resource, shutdown_on_exit=False, span_limits=limits)
    provider.add_span_processor(
        BatchSpanProcessor(
            exporter, max_queue_size=_WAITING, schedule_delay_millis=_EVERY_MS, max_export_batch_size=_BATCH
        )
    )
    try:
        yield SdkTracing(provider.get_tracer("rhumbline"), joins=joins)
    finally:
        await _shut_down(provider, flush_s)


async def _shut_down(provider: TracerProvider, flush_s: float) -> None:
    """Send what waits. The SDK may take half a minute for it, so that it is left behind on a thread of its own."""
    loop, done = asyncio.get_running_loop(), asyncio.Event()

    def work() -> None:
        provider.shutdown()
        # Nobody waits any more where the loop was closed meanwhile.
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(done.set)

    Thread(target=work, name="traces", daemon=True).start()
    with suppress(TimeoutError):
        async with asyncio.timeout(flush_s):
            await done.wait()
