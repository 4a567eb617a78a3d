"""``GET /v1/quotes``."""

from starlette.requests import Request
from starlette.responses import Response

from rhumbline.api.http.headers import NO_STORE
from rhumbline.api.http.middleware.callers import caller_of
from rhumbline.api.http.paths import QUOTES
from rhumbline.api.parameters.parameter import Reading
from rhumbline.api.parameters.source import query_source
from rhumbline.api.reference.operation import ApiRoute, Operation
from rhumbline.api.v1.kept_requests import KeptRequest
from rhumbline.api.v1.services import Services
from rhumbline.api.wire.quote import QuoteResponse, to_quote
from rhumbline.api.wire.quote_request import ANSWER_PARAMETERS, parse_quote_request
from rhumbline.api.wire.shape import answer

_QUOTE = Operation(
    "getQuote",
    "Routing",
    "The best executable route",
    "Quotes an exact input, on one chain or across chains, and returns the transaction to sign. Amounts are integers "
    "in smallest units, before fees.",
    ANSWER_PARAMETERS,
    (400, 404, 422, 429, 502, 503),
)


def quote_route(services: Services) -> ApiRoute:
    known = services.tools.known

    async def get_quote(request: Request) -> Response:
        caller = caller_of(request)
        # Before anything is read: a refusal must cost little.
        with await services.admission.enter(caller.requester), KeptRequest.of(services.trails, request, QUOTES) as kept:
            reading = Reading(query_source(request.scope["query_string"]))
            question = parse_quote_request(reading, caller, services.chains, known)
            answered = services.quotes if question.wanted_output is None else services.outputs
            route = await answered(kept.asks(question))
        return answer(to_quote(route), headers=NO_STORE)

    return ApiRoute(QUOTES, get_quote, _QUOTE, QuoteResponse)
