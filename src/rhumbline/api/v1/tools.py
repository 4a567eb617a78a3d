"""``GET /v1/tools``."""

from starlette.requests import Request
from starlette.responses import Response

from rhumbline.api.hot.bodies import HotBodies
from rhumbline.api.http.encoded_bodies import EncodedBodies
from rhumbline.api.http.headers import FOR_A_MINUTE
from rhumbline.api.parameters.parameter import Reading, query_source
from rhumbline.api.reference.operation import ApiRoute, Operation
from rhumbline.api.v1.filters import CHAIN_FILTER, read_chains
from rhumbline.api.v1.services import Services
from rhumbline.api.wire.tool import ToolList, to_tool

_TOOLS = Operation(
    "getTools",
    "Metadata",
    "Adapters",
    "Exchanges and bridges that can quote with the present configuration, from chains that are served; an adapter that "
    "does both is in both lists.",
    (CHAIN_FILTER,),
    tagged=True,
)


def tool_route(services: Services, bodies: EncodedBodies) -> ApiRoute:
    kept = HotBodies(bodies, FOR_A_MINUTE)

    async def get_tools(request: Request) -> Response:
        reading = Reading(query_source(request.scope["query_string"]))
        only = read_chains(reading, services.chains)
        reading.finish()
        exchanges, bridges = services.tools.exchanges(only), services.tools.bridges(only)

        async def build() -> bytes:
            body = ToolList(
                exchanges=[to_tool(info, services.base_url) for info in exchanges],
                bridges=[to_tool(info, services.base_url) for info in bridges],
            )
            return body.model_dump_json().encode()

        key = ("tools", tuple(info.key for info in exchanges), tuple(info.key for info in bridges))
        return await kept.answer(request, key, build)

    return ApiRoute("/v1/tools", get_tools, _TOOLS, ToolList, kept.find)
