"""``GET /v1/token``: one token."""

from collections.abc import Mapping
from types import MappingProxyType

from starlette.requests import Request
from starlette.responses import Response

from rhumbline.api.parameters.parameter import Parameter, Reading, Text, required, shown
from rhumbline.api.parameters.source import query_source
from rhumbline.api.reference.operation import ApiRoute, Operation
from rhumbline.api.v1.services import Services
from rhumbline.api.wire.shape import answer
from rhumbline.api.wire.token import Token, to_token
from rhumbline.domain.chain import Chain
from rhumbline.domain.errors import NotFound
from rhumbline.domain.token import Token as DomainToken
from rhumbline.gateways.chain_types.addresses import canonical_token

CHAIN = Parameter(
    "chain", Text(64), "Chain ID or key.", "1", required=True, remedy="a chain's ID or key; GET /v1/chains lists them"
)
TOKEN = Parameter(
    "token", Text(128), "Token address or symbol.", "USDC", required=True, remedy="a token's address or symbol"
)
_TOKEN = Operation(
    "getToken",
    "Metadata",
    "One token",
    "Looks up a token by address or, in any case, by symbol. A symbol finds listed tokens only.",
    (CHAIN, TOKEN),
    (400, 404, 429, 502),
)
BRIEFLY: Mapping[str, str] = MappingProxyType({"cache-control": "private, max-age=15"})
_PATIENCE_S = 4.0
"""How long a node is awaited for an unlisted token."""


def token_route(services: Services) -> ApiRoute:
    """Return the route; it raises InvalidRequest with all faults, or NotFound."""

    async def get_token(request: Request) -> Response:
        reading = Reading(query_source(request.scope["query_string"]))
        chain_name, name = reading.take(CHAIN), reading.take(TOKEN)
        chain = None if chain_name is None else services.chains.find(chain_name)
        if chain_name is not None and chain is None:
            reading.unknown_chain(CHAIN.name, chain_name)
        reading.finish()
        token = await _find(services, required(chain), required(name))
        return answer(
            to_token(token, services.prices(token.chain_id, token.address), services.base_url), headers=BRIEFLY
        )

    return ApiRoute("/v1/token", get_token, _TOKEN, Token)


async def _find(services: Services, chain: Chain, name: str) -> DomainToken:
    """Return the token an address or symbol names; an unlisted address is read from its chain."""
    address = canonical_token(chain.type, name)
    listed = services.tokens.find(chain, address or name)
    if listed is not None:
        return listed
    if address is not None and services.tokens.reads(chain):
        return await services.tokens.resolve_within(chain, address, _PATIENCE_S)
    raise NotFound(
        f"Token {shown(name)} is not known on chain {chain.id}; GET /v1/tokens?chains={chain.id} lists those"
    )
