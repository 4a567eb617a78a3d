"""Tools: the adapters, grouped by what they can do."""

from typing import Annotated

from pydantic import Field

from rhumbline.api.wire.logo import logo_url
from rhumbline.api.wire.quote import OpenAdapterKey
from rhumbline.api.wire.shape import Wire
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
