"""A collector of traces on the loopback: takes OTLP over HTTP and keeps the spans."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from aiohttp import web
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.common.v1.common_pb2 import KeyValue
from opentelemetry.proto.trace.v1.trace_pb2 import Status

from rhumbline.devnet.hosts import hosted

Attribute = str | int | float | bool


@dataclass(frozen=True)
class ReceivedSpan:
    trace_id: str
    span_id: str
    parent_id: str
    name: str
    began_ns: int
    ended_ns: int
    attributes: dict[str, Attribute]
    fault: str | None
    resource: dict[str, Attribute]


def attributes_of(pairs: Iterable[KeyValue]) -> dict[str, Attribute]:
    return {pair.key: getattr(pair.value, pair.value.WhichOneof("value") or "string_value") for pair in pairs}


@dataclass
class Collector:
    """``status`` is what it answers with; ``bodies`` and ``headers`` are those of each request, as they came."""

    url: str = ""
    status: int = 200
    spans: list[ReceivedSpan] = field(default_factory=list)
    bodies: list[bytes] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    _came: asyncio.Event = field(default_factory=asyncio.Event)

    async def take(self, request: web.Request) -> web.Response:
        self.headers.append({name.lower(): value for name, value in request.headers.items()})
        body = await request.read()
        self.bodies.append(body)
        if self.status == 200:
            message = ExportTraceServiceRequest.FromString(body)
            for group in message.resource_spans:
                resource = attributes_of(group.resource.attributes)
                for scope in group.scope_spans:
                    for span in scope.spans:
                        failed = span.status.code == Status.STATUS_CODE_ERROR
                        self.spans.append(
                            ReceivedSpan(
                                span.trace_id.hex(),
                                span.span_id.hex(),
                                span.parent_span_id.hex(),
                                span.name,
                                span.start_time_unix_nano,
                                span.end_time_unix_nano,
                                attributes_of(span.attributes),
                                span.status.message if failed else None,
                                resource,
                            )
                        )
        self._came.set()
        return web.Response(status=self.status)

    async def until(self, there: Callable[[], bool]) -> None:
        """Wait until something came that makes it true; a minute at most."""
        async with asyncio.timeout(60):
            while not there():
                self._came.clear()
                await self._came.wait()

    async def trace(self, trace_id: str) -> list[ReceivedSpan]:
        """Return the spans of a trace, earliest first, once its first span is there, which ends last."""
        await self.until(lambda: any(each.trace_id == trace_id and not each.parent_id for each in self.spans))
        found = [each for each in self.spans if each.trace_id == trace_id]
        return sorted(found, key=lambda each: (each.began_ns, -each.ended_ns))


@asynccontextmanager
async def collecting() -> AsyncIterator[Collector]:
    collector = Collector()
    app = web.Application(client_max_size=64 * 1024 * 1024)
    app.router.add_post("/v1/traces", collector.take)
    async with hosted(app) as url:
        collector.url = f"{url}/v1/traces"
        yield collector
