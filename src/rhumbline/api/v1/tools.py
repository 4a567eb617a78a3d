"""``GET /v1/tools``."""

from typing import Annotated

from pydantic import Field
from starlette.requests import Request
from starlette.responses import Response

from rhumbline.api.hot.bodies import HotBodies
from rhumbline.api.http.encoded_bodies import EncodedBodies
from rhumbline.api.http.headers import FOR_A_MINUTE
from rhumbline.api.parameters.parameter import Reading
from rhumbline.api.parameters.source import query_source
from rhumbline.api.reference.operation import ApiRoute, Operation
from rhumbline.api.v1.filters import CHAIN_FILTER, read_chains
from rhumbline.api.v1.services import Services
from rhumbline.api.wire.quote import OpenAdapterKey
from rhumbline.api.wire.shape import Wire
from rhumbline.api.wire.token import logo_url
from rhumbline.domain.adapter import AdapterInfo


class Tool(Wire):
    """An adapter that can quote with the present settings."""

    key: OpenAdapterKey
    name: str
    logo_uri: Annotated[str, Field(serialization_alias="logoURI")]
    supported_chains: Annotated[list[str], Field(description="Chain IDs.")]


class ToolList(Wire):
    """Adapters that do both are in both lists."""

    exchanges: list[Tool]
    bridges: list[Tool]


def to_tool(info: AdapterInfo, base_url: str) -> Tool:
    """Write an adapter's entry; the service, and its logos, are at ``base_url``."""
    return Tool(
        key=info.key,
        name=info.name,
        logo_uri=info.logo_uri or logo_url(base_url, info.name, info.key),
        supported_chains=[str(chain_id) for chain_id in sorted(info.chains)],
    )


_TOOLS = Operation(
    "getTools",
    "Metadata",
    "Adapters",
    "Exchanges and bridges that can quote from served chains with the present settings; an adapter that does both is "
    "in both lists.",
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
