"""``POST /v1/advanced/routes``."""

from collections.abc import Mapping

from starlette.requests import Request
from starlette.responses import Response

from rhumbline.api.http.body import read_object
from rhumbline.api.http.headers import NO_STORE
from rhumbline.api.http.middleware.callers import caller_of
from rhumbline.api.parameters.parameter import LARGEST_CHAIN_ID, Parameter, Reading, Whole
from rhumbline.api.parameters.source import body_source
from rhumbline.api.reference.operation import ApiRoute, Operation
from rhumbline.api.v1.kept_requests import KeptRequest
from rhumbline.api.v1.services import Services
from rhumbline.api.wire.arrival_request import CALL_SCHEMA, DESTINATION_CALL, with_call_as_text
from rhumbline.api.wire.quote_request import QUOTE_PARAMETERS, parse_quote_request
from rhumbline.api.wire.route import RoutesResponse, to_route
from rhumbline.api.wire.shape import answer

ROUTES = "/v1/advanced/routes"
MAX_ROUTES = Parameter(
    "maxRoutes",
    Whole(1, LARGEST_CHAIN_ID, "the most routes that are wanted,", default=10),
    "The largest number of routes.",
    "10",
)
_PARAMETERS: tuple[Parameter[object], ...] = (*QUOTE_PARAMETERS, MAX_ROUTES)


def _schema(parameter: Parameter[object]) -> Mapping[str, object]:
    return dict(CALL_SCHEMA) if parameter is DESTINATION_CALL else parameter.rule.schema


_ROUTES = Operation(
    "getRoutes",
    "Routing",
    "Ranked route plans",
    "Plans routes of one step or several, best first. The best few are built and simulated, the others are estimates. "
    "The body has the fields of `GET /v1/quotes`.",
    errors=(400, 404, 415, 422, 429, 502, 503),
    body={
        "type": "object",
        "required": [each.name for each in _PARAMETERS if each.required],
        "properties": {each.name: {**_schema(each), "description": each.description} for each in _PARAMETERS},
    },
)


def routes_route(services: Services) -> ApiRoute:
    known = services.tools.known

    async def get_routes(request: Request) -> Response:
        with KeptRequest.of(services.trails, request, ROUTES) as kept:
            source, faults = body_source(with_call_as_text(await read_object(request)), _PARAMETERS)
            reading = Reading(source, faults)
            most = reading.take(MAX_ROUTES) or 10
            question = parse_quote_request(reading, caller_of(request), services.chains, known)
            with await services.admission.enter(question.client.requester):
                plans = await services.planner.routes(kept.asks(question), most)
        body = RoutesResponse(routes=[to_route(plan) for plan in plans])
        return answer(body, headers=NO_STORE)

    return ApiRoute(ROUTES, get_routes, _ROUTES, RoutesResponse)
