"""``GET /v1/prices/pair``: about what an amount would bring, for pages that show it before there is a wallet."""

from starlette.requests import Request
from starlette.responses import Response

from rhumbline.api.http.headers import NO_STORE
from rhumbline.api.http.middleware.callers import caller_of
from rhumbline.api.http.paths import PAIR
from rhumbline.api.parameters.parameter import Reading
from rhumbline.api.parameters.source import query_source
from rhumbline.api.reference.operation import ApiRoute, Operation
from rhumbline.api.v1.services import Services
from rhumbline.api.wire.pair_price import PAIR_PARAMETERS, PairPrice, parse_pair_request, to_pair_price
from rhumbline.api.wire.shape import answer

_PAIR = Operation(
    "getPairPrice",
    "Metadata",
    "An indicative price of a pair",
    "About what an amount would bring, without a wallet. It is no quote: there is no transaction, nothing is "
    "simulated, and nobody guarantees it. No bridge or exchange is asked; `source` says where it is from. The same "
    "answer for all callers, at most a second old. Beyond the contract.",
    PAIR_PARAMETERS,
    (400, 404, 422, 429, 502, 503),
)


def pair_price_route(services: Services) -> ApiRoute:
    async def get_pair_price(request: Request) -> Response:
        pair = parse_pair_request(Reading(query_source(request.scope["query_string"])), services.chains)
        found = services.pairs.known(pair)
        if found is None:
            with await services.admission.enter(caller_of(request).requester):
                found = await services.pairs.price(pair)
        return answer(to_pair_price(found), headers=NO_STORE)

    return ApiRoute(PAIR, get_pair_price, _PAIR, PairPrice)
