"""``GET /v1/chains``."""

from starlette.requests import Request
from starlette.responses import Response

from rhumbline.api.hot.bodies import HotBodies
from rhumbline.api.http.encoded_bodies import EncodedBodies
from rhumbline.api.http.headers import FOR_A_MINUTE
from rhumbline.api.parameters.parameter import Reading, query_source
from rhumbline.api.reference.operation import ApiRoute, Operation
from rhumbline.api.v1.filters import TYPE_FILTER, read_types
from rhumbline.api.v1.services import Services
from rhumbline.api.wire.chain import Chain, chain_list_model, chain_model, to_chain
from rhumbline.domain.chain import Chain as DomainChain
from rhumbline.domain.chain import ChainType

_CHAINS = Operation(
    "getChains",
    "Metadata",
    "Chains",
    "Every chain that is known; those with `served` can be paid from.",
    (TYPE_FILTER,),
    tagged=True,
)


def chain_route(services: Services, bodies: EncodedBodies) -> ApiRoute:
    model = chain_model(services.brand)
    list_model = chain_list_model(model)
    kept = HotBodies(bodies, FOR_A_MINUTE)

    def wire_chain(chain: DomainChain) -> Chain:
        list_url = f"{services.base_url.rstrip('/')}/v1/tokenlists/{chain.id}.json"
        return to_chain(
            model,
            chain,
            list_url if chain.type is ChainType.EVM else None,
            services.base_url,
            served=services.served is None or chain.id in services.served,
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
