"""``GET /v1/status/{transactionId}``, without a key: the ID is public once on chain, and cannot be guessed before."""

from starlette.requests import Request
from starlette.responses import Response

from rhumbline.api.http.headers import NO_STORE
from rhumbline.api.parameters.parameter import Parameter, Text
from rhumbline.api.reference.operation import ApiRoute, Operation
from rhumbline.api.v1.services import Services
from rhumbline.api.wire.shape import answer
from rhumbline.api.wire.transaction import PublicStatus, to_public_status
from rhumbline.domain.errors import NotFound

STATUS = "/v1/status/{transactionId}"

TRANSACTION_ID = Parameter(
    "transactionId",
    Text(66, "^0[xX][0-9a-fA-F]{64}$", "a transaction ID"),
    "The `transactionId` of a signed and sent answer.",
    "0x9c5f6d4b3a29180796857463524130f1e2d3c4b5a69788796a5b4c3d2e1f0a9b",
    required=True,
    place="path",
)
_STATUS = Operation(
    "getStatus",
    "Tracking",
    "A transaction's status, without a key",
    "404 until it has been seen on its chain, and for anything but a full transaction ID. To follow a transfer, ask "
    "after a few seconds, then less and less often: the public rate limit applies per address. The page "
    "`/tx/<transactionId>` shows the same to people, with what the chains show of it.",
    (TRANSACTION_ID,),
    (404, 429, 503),
)


def status_route(services: Services) -> ApiRoute:
    """Return the route; it raises NotFound for an ID that has not been seen."""

    async def get_status(request: Request) -> Response:
        record = await services.listing.seen(str(request.path_params["transactionId"]))
        if record is None:
            raise NotFound("No transaction with this ID has been seen yet")
        return answer(to_public_status(record), headers=NO_STORE)

    return ApiRoute(STATUS, get_status, _STATUS, PublicStatus)
