"""``GET /v1/quotes/stream``: what each adapter offers as it comes, then the answer, as server-sent events."""

import asyncio
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from types import MappingProxyType

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from rhumbline.accounts.admission import Place
from rhumbline.api.http.errors import retry_after_s, standard_error
from rhumbline.api.http.middleware.callers import caller_of
from rhumbline.api.http.middleware.failures import error_of
from rhumbline.api.http.paths import STREAM, target_of
from rhumbline.api.parameters.source import query_source
from rhumbline.api.reference.operation import ApiRoute, Operation
from rhumbline.api.v1.services import Services
from rhumbline.api.wire.events import to_event
from rhumbline.api.wire.quote import to_quote
from rhumbline.api.wire.quote_request import QUOTE_PARAMETERS, parse_quote_request
from rhumbline.api.wire.shape import Wire
from rhumbline.domain.quote import Refusal
from rhumbline.domain.route import Estimate, RouteRequest

# `x-accel-buffering` is nginx's: https://nginx.org/en/docs/http/ngx_http_proxy_module.html, proxy_buffering.
_HEADERS: Mapping[str, str] = MappingProxyType({"cache-control": "no-store", "x-accel-buffering": "no"})
_MEDIA_TYPE = "text/event-stream"
_STREAM = Operation(
    "streamQuote",
    "Routing",
    "Quotes as they come",
    "Server-sent events for the parameters of `GET /v1/quotes`: a `quote` (`adapter`, `outputAmount`, "
    "`minOutputAmount`, `fees`, `estimatedTimeSec`; estimates) or a `refusal` (`adapter`, `kind`, `reason`) for each "
    "adapter as it answers, then one `answer`, the body of `GET /v1/quotes`, or one `error`, a StandardError. After "
    "that the stream ends: close it, or an `EventSource` asks again.",
    QUOTE_PARAMETERS,
    (400, 404, 429, 503),
    # The whole body as a text: clients that are made of the document hand that out as it comes. OpenAPI 3.2 has
    # `itemSchema` for the events; what makes clients of 3.1 knows no word for them.
    content={
        _MEDIA_TYPE: {
            "schema": {
                "type": "string",
                "description": "Events: a line `event:`, a line `data:`, an empty one. The data of a `quote` is a "
                "QuoteEvent, of a `refusal` a RefusalEvent, of the `answer` a QuoteResponse, of an `error` a "
                "StandardError.",
                "examples": [
                    'event: refusal\ndata: {"adapter":"ACROSS","kind":"no_route","reason":"has no route"}\n\n'
                ],
            }
        }
    },
)


class EventStream(StreamingResponse):
    """Server-sent events; when it ends, however it ends, so does what makes them, and its place is left."""

    media_type = _MEDIA_TYPE

    def __init__(self, events: AsyncGenerator[bytes, None], place: Place) -> None:
        super().__init__(events, headers=_HEADERS)
        self._events = events
        self._place = place

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with self._place:
            await super().__call__(scope, receive, send)

    async def stream_response(self, send: Send) -> None:
        async with aclosing(self._events):
            await super().stream_response(send)


def stream_route(services: Services) -> ApiRoute:
    known = services.tools.known

    async def get_stream(request: Request) -> Response:
        source = query_source(request.scope["query_string"])
        question = parse_quote_request(source, caller_of(request), services.chains, known)
        place = await services.admission.enter(question.client.requester)
        return EventStream(_events(services, question, request.scope), place)

    return ApiRoute(STREAM, get_stream, _STREAM, None)


async def _events(services: Services, question: RouteRequest, scope: Scope) -> AsyncGenerator[bytes, None]:
    """Yield the events; as many as there are adapters, and one. Who stops listening stops the work."""
    events: asyncio.Queue[bytes | None] = asyncio.Queue()

    def tell(told: Estimate | Refusal) -> None:
        name = "refusal" if isinstance(told, Refusal) else "quote"
        events.put_nowait(_event(name, to_event(told)))

    async def work() -> None:
        try:
            last = _event("answer", to_quote(await services.quotes(question, tell)))
        except Exception as failure:
            error = error_of(failure, scope)
            last = _event("error", standard_error(error, services.clock(), target_of(scope)), retry_after_s(error))
        events.put_nowait(last)
        events.put_nowait(None)

    task = asyncio.create_task(work())
    try:
        while (event := await events.get()) is not None:
            yield event
    finally:
        task.cancel()


def _event(name: str, body: Wire, retry_s: int | None = None) -> bytes:
    """Write an event; JSON as it is written here has no line breaks.

    ``retry`` is in milliseconds: https://html.spec.whatwg.org/multipage/server-sent-events.html, read 2026-11-23.
    """
    retry = "" if retry_s is None else f"retry: {1000 * retry_s}\n"
    return f"event: {name}\ndata: {body.model_dump_json()}\n{retry}\n".encode()
