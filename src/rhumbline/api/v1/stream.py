"""``GET /v1/quotes/stream``: each adapter's offer as it arrives, then the answer, as server-sent events."""

import asyncio
from collections.abc import AsyncGenerator

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Scope

from rhumbline.api.http.errors import retry_after_s, standard_error
from rhumbline.api.http.event_stream import EventStream, content_of_events, event
from rhumbline.api.http.middleware.callers import caller_of
from rhumbline.api.http.middleware.failures import error_of
from rhumbline.api.http.paths import STREAM, target_of
from rhumbline.api.parameters.parameter import Reading
from rhumbline.api.parameters.source import query_source
from rhumbline.api.reference.operation import ApiRoute, Operation
from rhumbline.api.v1.kept_requests import KeptRequest
from rhumbline.api.v1.services import Services
from rhumbline.api.wire.events import to_event
from rhumbline.api.wire.quote import to_quote
from rhumbline.api.wire.quote_request import ANSWER_PARAMETERS, parse_quote_request
from rhumbline.domain.errors import release_frames
from rhumbline.domain.quote import Refusal
from rhumbline.domain.route import Estimate, RouteRequest

_STREAM = Operation(
    "streamQuote",
    "Routing",
    "Quotes as they arrive",
    "Server-sent events for the parameters of `GET /v1/quotes`: a `quote` (`adapter`, `outputAmount`, "
    "`minOutputAmount`, `fees`, `estimatedTimeSec`; estimates) or a `refusal` (`adapter`, `kind`, `reason`) for each "
    "adapter as it answers, then one `answer`, the body of `GET /v1/quotes`, or one `error`, a StandardError. After "
    "that the stream ends: close it, or an `EventSource` asks again.",
    ANSWER_PARAMETERS,
    (400, 404, 429, 503),
    content=content_of_events(
        "Events: a line `event:`, a line `data:`, an empty one. The data of a `quote` is a QuoteEvent, of a `refusal` "
        "a RefusalEvent, of the `answer` a QuoteResponse, of an `error` a StandardError.",
        'event: refusal\ndata: {"adapter":"ACROSS","kind":"no_route","reason":"has no route"}\n\n',
    ),
)


def stream_route(services: Services) -> ApiRoute:
    known = services.tools.known

    async def get_stream(request: Request) -> Response:
        kept = KeptRequest.of(services.trails, request, STREAM)
        with kept.until_accepted():
            reading = Reading(query_source(request.scope["query_string"]))
            question = parse_quote_request(reading, caller_of(request), services.chains, known)
            place = await services.admission.enter(question.client.requester)
        return EventStream(_events(services, question, request.scope, kept), place)

    return ApiRoute(STREAM, get_stream, _STREAM, None)


async def _events(
    services: Services, question: RouteRequest, scope: Scope, kept: KeptRequest
) -> AsyncGenerator[bytes, None]:
    """Yield the events; as many as there are adapters, and one. Who stops listening stops the work."""
    events: asyncio.Queue[bytes | None] = asyncio.Queue()

    def on_answer(outcome: Estimate | Refusal) -> None:
        name = "refusal" if isinstance(outcome, Refusal) else "quote"
        events.put_nowait(event(name, to_event(outcome).model_dump_json()))

    async def work() -> None:
        try:
            answered = services.quotes if question.wanted_output is None else services.outputs
            with kept:
                route = await answered(kept.asks(question), on_answer)
            last = event("answer", to_quote(route).model_dump_json())
        except Exception as failure:
            error = error_of(failure, scope)
            body = standard_error(error, services.clock(), target_of(scope))
            last = event("error", body.model_dump_json(), retry_s=retry_after_s(error))
            release_frames(failure)
        events.put_nowait(last)
        events.put_nowait(None)

    task = asyncio.create_task(work())
    try:
        while (block := await events.get()) is not None:
            yield block
    finally:
        task.cancel()
