"""``GET /v1/tokenlists/{chainId}.json``."""

import asyncio
from datetime import UTC, datetime

from starlette.requests import Request
from starlette.responses import Response

from rhumbline.api.http.encoded_bodies import BodyRequest, EncodedBodies
from rhumbline.api.http.headers import FOR_A_MINUTE
from rhumbline.api.parameters.parameter import Parameter, Text, shown
from rhumbline.api.reference.operation import ApiRoute, Operation
from rhumbline.api.v1.services import Services
from rhumbline.api.wire.token import ListVersion, TokenList, to_token_list
from rhumbline.domain.chain import ChainType
from rhumbline.domain.errors import NotFound

LIST_ID = Parameter("chainId", Text(20, "^[0-9]{1,20}$", "a chain's ID"), "Chain ID.", "1", required=True, place="path")

_TOKEN_LIST = Operation(
    "getTokenList",
    "Metadata",
    "Token list of a chain",
    "An EVM chain's listed tokens as a Token Lists document.",
    (LIST_ID,),
    (404, 429),
    tagged=True,
)
_FIRST_DAY = datetime(1970, 1, 1, tzinfo=UTC)


def token_list_route(services: Services, bodies: EncodedBodies) -> ApiRoute:
    """Return the route; it raises NotFound for a chain that has no list."""
    started_at = services.clock()

    async def get_token_list(request: Request) -> Response:
        name = str(request.path_params["chainId"])
        chain = services.chains.find(name) if name.isascii() and name.isdigit() else None
        if chain is None or chain.type is not ChainType.EVM:
            raise NotFound(f"There is no token list for the chain {shown(name)}; GET /v1/chains names those there are")

        async def build() -> bytes:
            as_of = services.tokens.as_of
            tokens = services.tokens.listed(chain.id)
            body = await asyncio.to_thread(
                to_token_list, services.brand, chain, tokens, as_of or started_at, services.base_url
            )
            return body.model_copy(update={"version": _list_version(as_of)}).model_dump_json().encode()

        body_request = BodyRequest(("token list", chain.id), build, FOR_A_MINUTE, lambda: services.tokens.version)
        return await bodies.answer(request.headers, body_request)

    return ApiRoute("/v1/tokenlists/{chainId}.json", get_token_list, _TOKEN_LIST, TokenList)


def _list_version(as_of: datetime | None) -> ListVersion:
    """Return a version that grows with time and is the same in every process: days and seconds of the newest list."""
    if as_of is None:
        return ListVersion(major=1, minor=0, patch=0)
    since = as_of - _FIRST_DAY
    return ListVersion(major=1, minor=since.days, patch=since.seconds)
