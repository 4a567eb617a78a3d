"""The sections of the settings: what each key may hold."""

import json
import re
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, SecretStr, field_validator, model_validator

from rhumbline.catalog.known import ChainId
from rhumbline.catalog.token_sync import list_url_fault
from rhumbline.domain.chain import ChainType
from rhumbline.domain.unowned_addresses import is_placeholder, is_unowned
from rhumbline.gateways.evm.address import checksum_holds, checksummed, is_address
from rhumbline.gateways.svm import address as svm


def _evm_address(value: str) -> str:
    if not is_address(value) or not checksum_holds(value):
        raise ValueError("must be an EVM address, in lower case or with its right checksum")
    return checksummed(value)


Share = Annotated[Decimal, Field(ge=0, lt=1)]
Slug = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$")]
FeeShare = Annotated[Decimal, Field(ge=0, le=Decimal("0.1"))]
Port = Annotated[int, Field(ge=0, le=65535)]
ChainNames = dict[ChainId, Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$")]]
"""What somebody else calls chains, by their IDs; the names go into paths."""


def _upstream_url(value: str) -> str:
    """Require TLS but on this machine; credentials have their own place."""
    local = re.fullmatch(r"http://(127\.0\.0\.1|localhost|\[::1\])(:\d+)?(/[^\s?#]*)?", value)
    if not local and not re.fullmatch(r"https://[^/\s@?#]+(/[^\s?#]*)?", value):
        raise ValueError("must be an https:// URL without user, query or fragment; http:// for this machine only")
    return value


def _token_address(value: str) -> str:
    """Read a mint's address, which no EVM address is, or a contract's."""
    return value if svm.is_address(value) else _evm_address(value)


TokenAddress = Annotated[str, AfterValidator(_token_address)]
EvmAddress = Annotated[str, AfterValidator(_evm_address)]
UpstreamUrl = Annotated[str, AfterValidator(_upstream_url)]


class Section(BaseModel):
    """A part of the settings: unknown keys are refused, and faults never show what was given."""

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)


class ServerSettings(Section):
    """Where the service listens. Plain HTTP on a public address needs ``allow_plain_http``.

    Where it is not said, how many connections there may be is chosen by the process's limit of open files, and how many
    quotes may be in progress by how late its event loop is.
    """

    host: str = "127.0.0.1"
    port: Port = 8700
    tls_certificate: Path | None = None
    tls_key: Path | None = None
    trusted_proxies: tuple[str, ...] = ()
    allow_plain_http: bool = False
    connections: Annotated[int, Field(ge=1, le=1_000_000)] | None = None
    connections_per_address: Annotated[int, Field(ge=1, le=1_000_000)] | None = None
    workers: Annotated[int, Field(ge=1, le=64)] = 1
    quotes_at_once: Annotated[int, Field(ge=1, le=100_000)] | None = None


class StoreSettings(Section):
    """The database: a PostgreSQL DSN, or none for the embedded server that keeps its data in ``data_dir``.

    With ``required`` there must be a DSN.
    """

    dsn: SecretStr | None = None
    data_dir: Path = Path(".rhumbline/store")
    required: bool = False

    @model_validator(mode="after")
    def _named(self) -> "StoreSettings":
        if self.required and self.dsn is None:
            raise ValueError("required is true and dsn is not set: set store.dsn, or RHUMBLINE_STORE__DSN")
        return self


class FeeSettings(Section):
    """The service's own fee, taken only when it has a wallet on the chain's type, and integrators' fees' bound."""

    service_share: FeeShare = Decimal(0)
    largest_integrator_share: FeeShare = Decimal("0.1")
    evm_wallet: str | None = None
    svm_wallet: str | None = None

    @field_validator("svm_wallet")
    @classmethod
    def _svm_wallet(cls, value: str | None) -> str | None:
        if value is not None and is_placeholder(ChainType.SVM, value):
            raise ValueError("is the System Program or the incinerator, where fees would be lost")
        if value is not None and not svm.is_address(value):
            raise ValueError("must be a Solana address: base58 of 32 bytes")
        return value

    @field_validator("evm_wallet")
    @classmethod
    def _wallet(cls, value: str | None) -> str | None:
        if value is not None and is_address(value) and is_unowned(value):
            raise ValueError("is the zero address or another that nobody can sign as, where fees would be lost")
        return None if value is None else _evm_address(value)


class TenderlySettings(Section):
    """Whom the second simulations are asked of; off without ``access_key``. Account and project by their slugs."""

    account: Slug | None = None
    project: Slug | None = None
    access_key: SecretStr | None = None
    url: UpstreamUrl | None = None

    @model_validator(mode="after")
    def _whole(self) -> "TenderlySettings":
        given = [value is not None for value in (self.account, self.project, self.access_key)]
        if any(given) and not all(given):
            raise ValueError("account, project and access_key go together")
        return self


class TrackingSettings(Section):
    """How the chains are followed; ``enabled`` is False where only ``rhumbline worker`` does it."""

    enabled: bool = True
    poll_ms: Annotated[int, Field(ge=50, le=600_000)] = 1000
    idle_poll_ms: Annotated[int, Field(ge=50, le=60_000)] = 20_000
    block_range: Annotated[int, Field(ge=1, le=100_000)] = 2000
    bridge_poll_ms: Annotated[int, Field(ge=100, le=600_000)] = 5000


class LimitSettings(Section):
    """How often each requester may ask, in each scope; with ``redis_url`` all processes count in one Redis."""

    unauthenticated_requests: Annotated[int, Field(ge=1, le=1_000_000)] = 200
    unauthenticated_window_s: Annotated[int, Field(ge=1, le=86_400)] = 7200
    authenticated_requests: Annotated[int, Field(ge=1, le=1_000_000)] = 200
    owners_per_address: Annotated[int, Field(ge=1, le=1_000)] = 3
    registrations_per_address: Annotated[int, Field(ge=1, le=1_000_000)] = 20
    redis_url: SecretStr | None = None

    @field_validator("redis_url")
    @classmethod
    def _redis(cls, value: SecretStr | None) -> SecretStr | None:
        if value is not None and not value.get_secret_value().startswith(("redis://", "rediss://", "unix://")):
            raise ValueError("must be a URL that begins with redis://, rediss:// or unix://")
        return value


class MetricsSettings(Section):
    """Where Prometheus metrics are served; without a port, nowhere."""

    host: str = "127.0.0.1"
    port: Port | None = None


class LogSettings(Section):
    """How the log looks."""

    level: Literal["debug", "info", "warning", "error"] = "info"
    format: Literal["console", "json"] = "console"


class CatalogSettings(Section):
    """Which chains and tokens are known: the shipped facts, and token lists in their order of trust."""

    shipped: bool = True
    token_lists: tuple[str, ...] = ()
    refresh_s: Annotated[int, Field(ge=60, le=7 * 86_400)] = 3600
    largest_list_mb: Annotated[int, Field(ge=1, le=100)] = 20
    list_timeout_s: Annotated[int, Field(ge=1, le=300)] = 30

    @field_validator("token_lists")
    @classmethod
    def _urls(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        if faults := ([fault for url in value if (fault := list_url_fault(url)) is not None]):
            raise ValueError("; ".join(faults))
        return value


class PriceSettings(Section):
    """Where prices come from, in the order of trust. Keys are optional; addresses are for proxies and tests.

    ``…_chains`` say by chain ID what a source calls a chain, beside and over the names that are built in.
    """

    sources: tuple[Literal["dexscreener", "defillama", "jupiter", "coingecko", "onchain"], ...] = (
        "dexscreener", "defillama", "jupiter", "coingecko", "onchain",
    )  # fmt: skip
    coingecko_key: SecretStr | None = None
    coingecko_paid: bool = False
    jupiter_key: SecretStr | None = None
    least_liquidity_usd: Annotated[Decimal, Field(gt=0)] = Decimal(10_000)
    lone_liquidity_usd: Annotated[Decimal, Field(gt=0)] = Decimal(100_000)
    follow_listed: bool = True
    dexscreener_url: UpstreamUrl | None = None
    defillama_url: UpstreamUrl | None = None
    jupiter_url: UpstreamUrl | None = None
    coingecko_url: UpstreamUrl | None = None
    dexscreener_chains: ChainNames = Field(default_factory=dict)
    defillama_chains: ChainNames = Field(default_factory=dict)
    coingecko_chains: ChainNames = Field(default_factory=dict)


class TokenSettings(Section):
    """One listed token; earlier entries win a symbol over later ones."""

    chain_id: int
    address: TokenAddress
    symbol: Annotated[str, Field(min_length=1, max_length=64)]
    decimals: Annotated[int, Field(ge=0, le=255)]
    name: str
    coin_key: str | None = None
    logo_uri: str | None = None


class UniswapFork(Section):
    """Where Uniswap, or a fork of it, lives on a chain; parts that are absent are left out."""

    router: EvmAddress
    wrapped_native: EvmAddress
    v2_factory: EvmAddress | None = None
    v3_factory: EvmAddress | None = None
    anchors: tuple[str, ...] = ()

    @field_validator("anchors")
    @classmethod
    def _addresses(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(_evm_address(item) for item in value)


class OnchainSettings(Section):
    """On-chain liquidity; ``deployments`` by chain ID add to, and win over, the built-in ones."""

    enabled: bool = True
    deployments: dict[int, UniswapFork] = Field(default_factory=dict)


class UpstreamSettings(Section):
    """One adapter over HTTP. What is absent is as the adapter itself says.

    ``more_urls`` replace its further hosts by name. ``credentials`` are by name, ``deployments`` by chain ID: facts of
    the upstream on a chain, over and beside those that are built in.
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
        """Take a credential that looks like a number or a truth value, as variables are read, for the text it is."""
        if not isinstance(value, dict):
            return value
        return {name: json.dumps(item) if isinstance(item, bool | int) else item for name, item in value.items()}

    @field_validator("more_urls")
    @classmethod
    def _urls(cls, value: dict[str, str]) -> dict[str, str]:
        return {name: _upstream_url(url) for name, url in value.items()}


class AdapterSettings(Section):
    """``onchain``, one table for each adapter over HTTP, by its key in lower case, and whether others may join."""

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
