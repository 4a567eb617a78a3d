"""The settings of one chain: its facts and the operator's endpoints."""

import re
from collections import Counter
from typing import Annotated

from pydantic import ConfigDict, Field, SecretStr, ValidationInfo, field_validator

from rhumbline.app.sections import Section
from rhumbline.catalog.known import ChainChange
from rhumbline.domain.chain import ChainType
from rhumbline.gateways.chain_types.addresses import is_address
from rhumbline.gateways.nodes.endpoint import EndpointTerms, Use


class EndpointSettings(Section):
    """One JSON-RPC endpoint of a chain. Its URL is never shown, only its ``name`` or its position in the list."""

    model_config = ConfigDict(validate_by_name=True, validate_by_alias=True)

    url: SecretStr
    name: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]{0,31}$")] | None = None
    order: Annotated[int, Field(ge=0, le=1000)] | None = None
    weight: Annotated[int, Field(ge=1, le=1000)] = 1
    uses: Annotated[tuple[Use, ...], Field(alias="for")] = ()

    @field_validator("url")
    @classmethod
    def _url(cls, value: SecretStr) -> SecretStr:
        _check_url(value.get_secret_value())
        return value


class ChainSettings(ChainChange):
    """The operator's settings of one chain. With ``rpc``, endpoints that are never shown, the chain is served.

    ``rpc`` is one URL or a list of URLs and tables. ``ws``, as secret, is a websocket of a node on the same chain that
    announces new heads (on Solana slots). ``genesis`` is the hash of a Solana chain's first block, by which its node is
    known.
    """

    rpc: tuple[EndpointSettings, ...] | None = None
    ws: SecretStr | None = None
    start_block: Annotated[int, Field(ge=0)] | None = None
    genesis: str | None = None

    @field_validator("rpc", mode="before")
    @classmethod
    def _listed(cls, value: object) -> object:
        """Read one URL as a list of one, and a URL in a list as a table of it."""
        if value is None:
            return None
        if isinstance(value, str):
            _check_url(value)
        each = [value] if isinstance(value, str) else value
        if not isinstance(each, list | tuple):
            raise ValueError("must be a URL, or a list of URLs and tables with url")
        return [{"url": item} if isinstance(item, str) else item for item in each]

    @field_validator("rpc")
    @classmethod
    def _distinct(cls, value: tuple[EndpointSettings, ...] | None) -> tuple[EndpointSettings, ...] | None:
        if value is not None and not value:
            raise ValueError("needs at least one endpoint")
        named = Counter(terms.name for _, terms in endpoints_of(value or ()))
        if twice := [name for name, count in named.items() if count > 1]:
            raise ValueError(f"two endpoints have the name {twice[0]}; give each its own name")
        if len({each.url.get_secret_value() for each in value or ()}) < len(value or ()):
            raise ValueError("the same endpoint is listed twice")
        return value

    @field_validator("genesis")
    @classmethod
    def _first_block(cls, value: str | None) -> str | None:
        if value is not None and not is_address(ChainType.SVM, value):
            raise ValueError("must be the hash of the first block in base58, as getGenesisHash returns it")
        return value

    @field_validator("ws")
    @classmethod
    def _socket(cls, value: SecretStr | None, info: ValidationInfo) -> SecretStr | None:
        if value is not None and not re.match(r"wss?://[^/\s]+", value.get_secret_value()):
            raise ValueError("must be a ws:// or wss:// URL")
        if value is not None and info.data.get("rpc", value) is None:
            raise ValueError("needs chains.rpc too: a websocket only announces heads")
        return value


def _check_url(url: str) -> None:
    if not re.match(r"https?://[^/\s]+", url):
        raise ValueError("must be an http:// or https:// URL")


def endpoints_of(rpc: tuple[EndpointSettings, ...]) -> list[tuple[str, EndpointTerms]]:
    """Return each URL with its settings; the default order is that of the list."""
    return [
        (
            each.url.get_secret_value(),
            EndpointTerms(
                each.name or str(place), place if each.order is None else each.order, each.weight, frozenset(each.uses)
            ),
        )
        for place, each in enumerate(rpc, 1)
    ]
