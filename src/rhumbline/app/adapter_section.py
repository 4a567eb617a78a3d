"""The settings of the adapters."""

import json
from typing import Annotated

from pydantic import ConfigDict, Field, SecretStr, field_validator

from rhumbline.app.sections import EvmAddress, Section, UpstreamUrl, evm_address, upstream_url
from rhumbline.liquidity.kinds.pools import PoolKind


class PoolSourceSettings(Section):
    """One protocol's pools on a chain; ``tiers`` are the fees of V3 and V4 in millionths with their tick spacings.

    ``implementations`` are those of Curve; without them, none of its pools is used. A vault is its own ``factory``.
    """

    key: Annotated[str, Field(pattern=r"^[A-Z][A-Z0-9_]{1,39}$")]
    kind: PoolKind
    factory: EvmAddress
    fee: Annotated[int, Field(ge=0, lt=1_000_000)] = 0
    tiers: tuple[tuple[Annotated[int, Field(ge=0, lt=1_000_000)], Annotated[int, Field(ge=1, le=16_384)]], ...] = ()
    implementations: tuple[EvmAddress, ...] = ()


class OnchainDeployment(Section):
    """The pools of a chain; ``router`` is the SwapRouter02 that wallets call on a chain without a Diamond."""

    wrapped_native: EvmAddress
    sources: tuple[PoolSourceSettings, ...] = ()
    router: EvmAddress | None = None
    anchors: tuple[str, ...] = ()

    @field_validator("sources")
    @classmethod
    def _keys(cls, value: tuple[PoolSourceSettings, ...]) -> tuple[PoolSourceSettings, ...]:
        """Refuse a key that occurs twice: it identifies a pool's factory, in the store as well."""
        keys = [source.key for source in value]
        if twice := sorted({key for key in keys if keys.count(key) > 1}):
            raise ValueError(f"two sources have the key {twice[0]}; give each its own")
        return value

    @field_validator("anchors")
    @classmethod
    def _addresses(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(evm_address(item) for item in value)


class OnchainSettings(Section):
    """On-chain liquidity; ``deployments`` by chain ID add to the built-in ones and override them.

    Quotes use a block that was the newest at most ``block_age_ms`` ago; 0 asks the node for each quote.
    """

    enabled: bool = True
    block_age_ms: Annotated[int, Field(ge=0, le=60_000)] = 2000
    deployments: dict[int, OnchainDeployment] = Field(default_factory=dict)


class UpstreamSettings(Section):
    """One adapter with an HTTP API; absent values are the adapter's own defaults.

    ``more_urls`` replace its further hosts by name. ``credentials`` are by name, ``deployments`` by chain ID: facts of
    the upstream on a chain, in addition to the built-in ones, which they override.
    """

    enabled: bool | None = None
    url: UpstreamUrl | None = None
    more_urls: dict[str, str] = Field(default_factory=dict)
    credentials: dict[str, SecretStr] = Field(default_factory=dict)
    deployments: dict[int, dict[str, object]] = Field(default_factory=dict)
    calls_per_s: Annotated[float, Field(gt=0, le=10_000)] | None = None
    status_per_s: Annotated[float, Field(gt=0, le=10_000)] | None = None
    at_once: Annotated[int, Field(ge=1, le=1000)] | None = None

    @field_validator("credentials", mode="before")
    @classmethod
    def _texts(cls, value: object) -> object:
        """Keep a credential as text, even if it looks like a number or a truth value."""
        if not isinstance(value, dict):
            return value
        return {name: json.dumps(item) if isinstance(item, bool | int) else item for name, item in value.items()}

    @field_validator("more_urls")
    @classmethod
    def _urls(cls, value: dict[str, str]) -> dict[str, str]:
        return {name: upstream_url(url) for name, url in value.items()}


class AdapterSettings(Section):
    """``onchain``, one table for each adapter with an HTTP API, by its key in lower case, and ``beyond_contract``."""

    model_config = ConfigDict(extra="allow", frozen=True, hide_input_in_errors=True)
    __pydantic_extra__: dict[str, UpstreamSettings] = Field(init=False)

    beyond_contract: bool = True
    onchain: OnchainSettings = OnchainSettings()

    def upstream(self, key: str) -> UpstreamSettings:
        return self.upstreams.get(key.lower(), UpstreamSettings())

    @property
    def upstreams(self) -> dict[str, UpstreamSettings]:
        """All tables of adapters over HTTP, by the name they were written under."""
        return self.__pydantic_extra__ or {}
