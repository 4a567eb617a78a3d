"""``POST /v1/advanced/routes`` and ``POST /v1/advanced/stepTransaction``."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from rhumbline.api.http.body import body_source, read_object
from rhumbline.api.http.middleware.callers import caller_of
from rhumbline.api.parameters.parameter import Parameter, Reading
from rhumbline.api.parameters.rules import LARGEST_CHAIN_ID, Whole
from rhumbline.api.reference.operation import Described
from rhumbline.api.v1.services import Services
from rhumbline.api.wire.posted_step import POSTED_STEP
from rhumbline.api.wire.quote_request import QUOTE_PARAMETERS, parse_quote_request
from rhumbline.api.wire.route import RoutesResponse, Step, to_populated, to_route
from rhumbline.api.wire.shape import answer
from rhumbline.api.wire.step_request import parse_step_request

ROUTES, STEP = "/v1/advanced/routes", "/v1/advanced/stepTransaction"
MAX_ROUTES = Parameter(
    "maxRoutes",
    Whole(1, LARGEST_CHAIN_ID, "the most routes that are wanted,", default=10),
    "How many routes are answered at the most.",
    "10",
)
_PARAMETERS: tuple[Parameter[object], ...] = (*QUOTE_PARAMETERS, MAX_ROUTES)
_ERRORS = (400, 404, 415, 422, 429, 502, 503)
_UNKEPT: Mapping[str, str] = MappingProxyType({"cache-control": "no-store"})
_ROUTES = Described(
    "getRoutes",
    "Routing",
    "Ranked route plans",
    "Plans routes of one step or several, best first. The best few are built and simulated, the others are estimates. "
    "The body has the fields of `GET /v1/quotes`.",
    errors=_ERRORS,
)
_STEP = Described(
    "getStepTransaction",
    "Routing",
    "A step's transaction",
    "Quotes one step of a route anew and answers the transaction to sign. A later step needs what the one before "
    "really brought, in `context.previousStepReceivedAmount`.",
    errors=_ERRORS,
)


def advanced_routes(services: Services) -> APIRouter:
    router = APIRouter()
    known = services.tools.known

    async def get_routes(request: Request) -> Response:
        source, faults = body_source(await read_object(request), _PARAMETERS)
        reading = Reading(source, faults)
        most = reading.take(MAX_ROUTES) or 10
        question = parse_quote_request(source, caller_of(request), services.chains, known, reading)
        plans = await services.planner.routes(question, most)
        body = RoutesResponse(routes=[to_route(plan) for plan in plans])
        return answer(body, headers=_UNKEPT)

    async def get_step(request: Request) -> Response:
        asked = parse_step_request(await read_object(request), caller_of(request), services.chains, known)
        return answer(to_populated(asked, await services.planner.step(asked)), headers=_UNKEPT)

    post = ["POST"]
    options = _options(_ROUTES, _routes_body())
    router.add_api_route(ROUTES, get_routes, methods=post, response_model=RoutesResponse, **options)
    router.add_api_route(STEP, get_step, methods=post, response_model=Step, **_options(_STEP, _step_body()))
    return router


def _options(described: Described, schema: dict[str, Any]) -> dict[str, Any]:
    """Return the endpoint's words with the schema of its body, which FastAPI does not read itself."""
    options = described.options()
    body = {"required": True, "content": {"application/json": {"schema": schema}}}
    return {**options, "openapi_extra": {**options["openapi_extra"], "requestBody": body}}


def _routes_body() -> dict[str, Any]:
    return {
        "type": "object",
        "required": [each.name for each in _PARAMETERS if each.required],
        "properties": {each.name: {**each.rule.schema, "description": each.description} for each in _PARAMETERS},
    }


def _step_body() -> dict[str, Any]:
    amount = {"type": "string", "pattern": "^[1-9][0-9]{0,77}$"}
    context = {
        "senderAddress": {"type": "string", "description": "Who signs this step."},
        "receiverAddress": {"type": "string", "description": "The route's final receiver."},
        "previousStepReceivedAmount": {**amount, "description": "What the step before really brought."},
        "amountOverride": {**amount, "description": "Another amount than was planned."},
        "slippage": {"type": "number", "minimum": 0, "maximum": 1},
    }
    return {
        "type": "object",
        "required": ["step", "context"],
        "properties": {
            "step": {"$ref": f"#/components/schemas/{POSTED_STEP}"},
            "context": {
                "type": "object",
                "required": ["senderAddress", "receiverAddress"],
                "properties": context,
            },
        },
    }
