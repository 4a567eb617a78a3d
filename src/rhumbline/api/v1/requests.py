"""``GET /v1/requests/{requestId}``: why an integrator's own request was answered as it was. Beyond the contract."""

import re

from starlette.requests import Request
from starlette.responses import Response

from rhumbline.api.http.headers import NO_STORE
from rhumbline.api.http.middleware.callers import integrator_of
from rhumbline.api.http.paths import REQUESTS
from rhumbline.api.parameters.parameter import Parameter, Text
from rhumbline.api.reference.operation import ApiRoute, Operation
from rhumbline.api.v1.services import Services
from rhumbline.api.wire.kept_request import KeptRequests, to_kept_requests
from rhumbline.api.wire.shape import answer
from rhumbline.domain.errors import InvalidRequest, NotFound

_ID = re.compile(r"[A-Za-z0-9._-]{1,66}", re.ASCII)
REQUEST_ID = Parameter(
    "requestId",
    Text(66, r"^[A-Za-z0-9._-]+$", "a request's ID"),
    "The `X-Request-Id` of the answer, or the `transactionId` that it had.",
    "4f0c7a1be29d4b6c8d3e5f60718293a4",
    required=True,
    place="path",
)
_ONE = Operation(
    "getRequest",
    "Tracking",
    "Why a request was answered as it was",
    "Of quotes, routes, steps and streams that were asked with a key of the same integrator: what became of each "
    "adapter, and why. It is there about a second after the answer, and is kept for a while, a day unless the operator "
    "says otherwise. 404 for an unknown ID and for another integrator's request alike. Beyond the contract.",
    (REQUEST_ID,),
    (400, 401, 404, 429, 503),
    key="required",
)


def request_route(services: Services) -> ApiRoute:
    """Return the route; it raises NotFound for what is unknown, too old or another's, InvalidRequest for no ID."""

    async def get_request(request: Request) -> Response:
        integrator = integrator_of(request)
        identifier = str(request.path_params["requestId"])
        if not _ID.fullmatch(identifier):
            raise InvalidRequest(
                ["requestId must be an X-Request-Id (letters, digits, dots, hyphens, underscores), or a transactionId"]
            )
        found = () if services.kept_trails is None else await services.kept_trails.of(identifier, integrator)
        if not found:
            raise NotFound("Nothing is kept of such a request: it is unknown, or too old")
        return answer(to_kept_requests(found), headers=NO_STORE)

    return ApiRoute(REQUESTS + "/{requestId}", get_request, _ONE, KeptRequests)
