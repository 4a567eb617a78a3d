"""``GET /v1/chains``."""

from types import GenericAlias
from typing import Annotated, Any

from pydantic import MISSING, Field, create_model
from starlette.requests import Request
from starlette.responses import Response

from rhumbline.api.hot.bodies import HotBodies
from rhumbline.api.http.encoded_bodies import EncodedBodies
from rhumbline.api.http.headers import FOR_A_MINUTE
from rhumbline.api.parameters.parameter import Reading
from rhumbline.api.parameters.source import query_source
from rhumbline.api.reference.operation import ApiRoute, Operation
from rhumbline.api.v1.filters import TYPE_FILTER, read_types
from rhumbline.api.v1.services import Services
from rhumbline.api.wire.shape import HexText, Wire
from rhumbline.api.wire.token import Logo, NativeToken, logo_url, to_native
from rhumbline.domain.chain import Chain as DomainChain
from rhumbline.domain.chain import ChainType


class Chain(Wire):
    """A chain; `ServiceDiamond`, here named `diamond`, gets its real name from `chain_model`."""

    key: str
    name: str
    chain_type: ChainType
    id: int
    id_hex: HexText
    mainnet: bool
    logo_uri: Logo
    tokenlist_url: str | MISSING = MISSING
    multicall_address: str | MISSING = MISSING
    rpc_urls: Annotated[list[str], Field(description="Public endpoints.")]
    block_explorer_urls: Annotated[str, Field(description="The explorer's address.")] | MISSING = MISSING
    native_token: NativeToken
    served: Annotated[
        bool,
        Field(description="Whether the service has a node of the chain and can quote from it. Beyond the contract."),
    ]
    diamond: str | MISSING = MISSING


def chain_model(brand: str) -> type[Chain]:
    """Return the model whose field for the service's contract is called ``<brand>Diamond``."""
    return create_model(
        "Chain",
        __base__=Chain,
        __doc__="A chain.",
        diamond=(
            str | MISSING,
            Field(
                default=MISSING,
                serialization_alias=f"{brand}Diamond",
                description="The service's contract, which wallets approve; absent if there is none.",
            ),
        ),
    )


class ChainList(Wire):
    """The known chains."""

    chains: list[Chain]


def chain_list_model(chain: type[Chain]) -> type[ChainList]:
    fields: dict[str, Any] = {"chains": (GenericAlias(list, (chain,)), ...)}
    return create_model("ChainList", __base__=ChainList, __doc__=ChainList.__doc__, **fields)


_CHAINS = Operation(
    "getChains",
    "Metadata",
    "Chains",
    "Every known chain; quotes are possible from those with `served`.",
    (TYPE_FILTER,),
    tagged=True,
)


def chain_route(services: Services, bodies: EncodedBodies) -> ApiRoute:
    model, base_url = chain_model(services.brand), services.base_url
    list_model = chain_list_model(model)
    kept = HotBodies(bodies, FOR_A_MINUTE)

    def wire_chain(chain: DomainChain) -> Chain:
        list_url = f"{base_url.rstrip('/')}/v1/tokenlists/{chain.id}.json"
        return model(
            key=chain.key,
            name=chain.name,
            chain_type=chain.type,
            id=chain.id,
            id_hex=hex(chain.id),
            mainnet=chain.mainnet,
            logo_uri=chain.logo_uri or logo_url(base_url, chain.name, chain.key),
            tokenlist_url=list_url if chain.type is ChainType.EVM else MISSING,
            multicall_address=MISSING if chain.multicall is None else chain.multicall,
            rpc_urls=list(chain.rpc_urls),
            block_explorer_urls=MISSING if chain.explorer_url is None else chain.explorer_url,
            native_token=to_native(chain.native, base_url),
            served=services.served is None or chain.id in services.served,
            diamond=MISSING if chain.diamond is None else chain.diamond,
        )

    async def get_chains(request: Request) -> Response:
        reading = Reading(query_source(request.scope["query_string"]))
        types = read_types(reading)
        reading.finish()
        chains = services.chains.of_types(types)

        async def build() -> bytes:
            return list_model(chains=[wire_chain(chain) for chain in chains]).model_dump_json().encode()

        return await kept.answer(request, ("chains", *(chain.id for chain in chains)), build)

    return ApiRoute("/v1/chains", get_chains, _CHAINS, list_model, kept.find)
