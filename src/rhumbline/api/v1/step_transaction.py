"""``POST /v1/advanced/stepTransaction``."""

from dataclasses import replace

from starlette.requests import Request
from starlette.responses import Response

from rhumbline.api.http.body import read_object
from rhumbline.api.http.headers import NO_STORE
from rhumbline.api.http.middleware.callers import caller_of
from rhumbline.api.parameters.parameter import Amount
from rhumbline.api.reference.operation import ApiRoute, Operation
from rhumbline.api.v1.kept_requests import KeptRequest
from rhumbline.api.v1.services import Services
from rhumbline.api.wire.posted_step import POSTED_STEP
from rhumbline.api.wire.route import Step, to_populated
from rhumbline.api.wire.shape import answer
from rhumbline.api.wire.solana_terms import SOLANA_PARAMETERS
from rhumbline.api.wire.step_request import parse_step_request

STEP = "/v1/advanced/stepTransaction"
_STEP = Operation(
    "getStepTransaction",
    "Routing",
    "A step's transaction",
    "Quotes one step of a route again and returns the transaction to sign. A later step needs the amount that the "
    "previous step delivered, in `context.previousStepReceivedAmount`.",
    errors=(400, 404, 415, 422, 429, 502, 503),
    body={
        "type": "object",
        "required": ["step", "context"],
        "properties": {
            "step": {"$ref": f"#/components/schemas/{POSTED_STEP}"},
            "context": {
                "type": "object",
                "required": ["senderAddress", "receiverAddress"],
                "properties": {
                    "senderAddress": {"type": "string", "description": "Who signs this step."},
                    "receiverAddress": {"type": "string", "description": "The route's final receiver."},
                    "previousStepReceivedAmount": {
                        **Amount().schema,
                        "description": "The amount that the previous step delivered.",
                    },
                    "amountOverride": {**Amount().schema, "description": "An amount that overrides the planned one."},
                    "slippage": {"type": "number", "minimum": 0, "maximum": 1},
                    **{each.name: {**each.rule.schema, "description": each.description} for each in SOLANA_PARAMETERS},
                    "permits": {
                        "type": "boolean",
                        "description": "Adds a `permit` where there is one, as with `GET /v1/quotes`. Beyond the "
                        "contract.",
                    },
                },
            },
        },
    },
)


def step_route(services: Services) -> ApiRoute:
    known = services.tools.known

    async def get_step(request: Request) -> Response:
        with KeptRequest.of(services.trails, request, STEP) as kept:
            step_request = parse_step_request(await read_object(request), caller_of(request), services.chains, known)
            with await services.admission.enter(step_request.request.client.requester):
                found = await services.planner.step(replace(step_request, request=kept.asks(step_request.request)))
        return answer(to_populated(step_request, found), headers=NO_STORE)

    return ApiRoute(STEP, get_step, _STEP, Step)
