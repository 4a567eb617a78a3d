"""Traces by the SDK: which are recorded, what bounds them, and what a caller may say about it."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from threading import Event

import pytest
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export import SpanExporter, SpanExportResult
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from rhumbline.domain.spans import NO_SPAN, SpanKind, span
from rhumbline.gateways.tracing.recorder import MOST_SPANS, SdkTracing, sdk_tracing

TRACE, PARENT = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"


@asynccontextmanager
async def recording(
    share: float = 1.0, *, joins: bool = False
) -> AsyncIterator[tuple[SdkTracing, InMemorySpanExporter]]:
    exporter = InMemorySpanExporter()
    async with sdk_tracing(exporter, "service", "instance", share, joins=joins) as tracing:
        yield tracing, exporter


async def test_what_ended_is_sent_with_its_parents_and_attributes() -> None:
    async with recording() as (tracing, exporter):
        with tracing.trace("GET", SpanKind.SERVER) as first:
            assert first is not None
            first.name("GET /a")
            with span("part", SpanKind.CLIENT, size=7) as part:
                assert part is not None
                part.fail("late")
                assert part.trace_id == first.trace_id
    part_, first_ = exporter.get_finished_spans()
    assert (first_.name, first_.parent, first_.kind.name) == ("GET /a", None, "SERVER")
    assert (part_.name, part_.kind.name, part_.status.description) == ("part", "CLIENT", "late")
    assert part_.attributes == {"size": 7, "error.type": "late"}
    assert part_.parent is not None
    assert part_.parent.span_id == first_.context.span_id
    assert first_.resource.attributes["service.instance.id"] == "instance"


@pytest.mark.parametrize(("sampled", "recorded"), [("01", True), ("00", False)])
async def test_a_caller_decides_where_it_may(sampled: str, recorded: bool) -> None:
    parent = f"00-{TRACE}-{PARENT}-{sampled}"
    for share in (0.0, 1.0):
        async with recording(share, joins=True) as (tracing, _):
            with tracing.trace("GET", SpanKind.SERVER, parent) as first:
                assert (first and first.trace_id) == (TRACE if recorded else None)
        async with recording(share) as (tracing, _):
            with tracing.trace("GET", SpanKind.SERVER, parent) as first:
                assert (first is not None and first.trace_id != TRACE) == (share == 1.0)


@pytest.mark.parametrize("parent", ["", "nonsense", f"00-{'0' * 32}-{PARENT}-01", f"ff-{TRACE}-{PARENT}-01"])
async def test_a_traceparent_that_is_none_begins_a_trace_of_ours(parent: str) -> None:
    async with recording(joins=True) as (tracing, _):
        with tracing.trace("GET", SpanKind.SERVER, parent) as first:
            assert first is not None
            assert first.trace_id not in (TRACE, "0" * 32)


async def test_a_share_is_recorded_and_the_rest_costs_nothing() -> None:
    async with recording(0.0) as (tracing, exporter):
        assert tracing.trace("GET", SpanKind.SERVER) is NO_SPAN
    assert not exporter.get_finished_spans()
    async with recording(0.5) as (tracing, _):
        traces = [tracing.trace("GET", SpanKind.SERVER) for _ in range(400)]
    assert 100 < sum(each is NO_SPAN for each in traces) < 300


async def test_a_trace_has_only_so_many_spans() -> None:
    async with recording() as (tracing, exporter):
        with tracing.trace("GET", SpanKind.SERVER):
            for _ in range(MOST_SPANS + 10):
                with span("part"):
                    pass
    assert len(exporter.get_finished_spans()) == MOST_SPANS + 1


async def test_what_goes_on_after_the_end_of_a_trace_is_no_part_of_it() -> None:
    async with recording() as (tracing, exporter):
        goes_on = asyncio.Event()

        async def lasting() -> bool:
            await goes_on.wait()
            return span("after the end") is NO_SPAN

        with tracing.trace("GET", SpanKind.SERVER):
            task = asyncio.create_task(lasting())
        goes_on.set()
        assert await task
    assert len(exporter.get_finished_spans()) == 1


class Stuck(SpanExporter):
    """Does not come back before it is released."""

    def __init__(self) -> None:
        self.asked, self.released = Event(), Event()

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        self.asked.set()
        self.released.wait(60)
        return SpanExportResult.FAILURE


async def test_a_collector_that_does_not_answer_holds_up_no_end() -> None:
    stuck = Stuck()
    try:
        # The SDK itself would give up after half a minute.
        async with (
            asyncio.timeout(20),
            sdk_tracing(stuck, "service", "instance", 1.0, joins=False, flush_s=0.05) as tracing,
        ):
            with tracing.trace("GET", SpanKind.SERVER):
                pass
        assert not stuck.released.is_set()
        assert await asyncio.to_thread(stuck.asked.wait, 60), "what waited was tried"
    finally:
        stuck.released.set()
