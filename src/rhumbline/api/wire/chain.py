"""Chains. One field's name carries the service's."""

from types import GenericAlias
from typing import Annotated, Any

from pydantic import MISSING, Field, create_model

from rhumbline.api.wire.logo import logo_url
from rhumbline.api.wire.shape import HexText, Wire
from rhumbline.api.wire.token import Logo, NativeToken, to_native
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
        Field(description="Whether the service has a node of it: only then can it be paid from. Beyond the contract."),
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
                description="The service's contract, whom wallets approve; absent where there is none.",
            ),
        ),
    )


class ChainList(Wire):
    """The chains that are known."""

    chains: list[Chain]


def chain_list_model(chain: type[Chain]) -> type[ChainList]:
    fields: dict[str, Any] = {"chains": (GenericAlias(list, (chain,)), ...)}
    return create_model("ChainList", __base__=ChainList, __doc__=ChainList.__doc__, **fields)


def to_chain(
    model: type[Chain], chain: DomainChain, tokenlist_url: str | None, base_url: str, *, served: bool
) -> Chain:
    """Write a chain; what it has not is left out. The service, and its logos, are at ``base_url``."""
    return model(
        key=chain.key,
        name=chain.name,
        chain_type=chain.type,
        id=chain.id,
        id_hex=hex(chain.id),
        mainnet=chain.mainnet,
        logo_uri=chain.logo_uri or logo_url(base_url, chain.name, chain.key),
        tokenlist_url=MISSING if tokenlist_url is None else tokenlist_url,
        multicall_address=MISSING if chain.multicall is None else chain.multicall,
        rpc_urls=list(chain.rpc_urls),
        block_explorer_urls=MISSING if chain.explorer_url is None else chain.explorer_url,
        native_token=to_native(chain.native, base_url),
        served=served,
        diamond=MISSING if chain.diamond is None else chain.diamond,
    )
