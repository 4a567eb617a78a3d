"""The sections of the settings and the values that each key may have."""

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


def evm_address(value: str) -> str:
    """Return the EIP-55 form; raise ValueError for an invalid EVM address."""
    if not is_address(value) or not checksum_holds(value):
        raise ValueError("must be an EVM address, in lower case or with a correct EIP-55 checksum")
    return checksummed(value)


Share = Annotated[Decimal, Field(ge=0, lt=1)]
Slug = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$")]
FeeShare = Annotated[Decimal, Field(ge=0, le=Decimal("0.1"))]
Port = Annotated[int, Field(ge=0, le=65535)]
ChainNames = dict[ChainId, Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$")]]
"""An external service's names of chains, by chain ID; they become parts of paths."""


def upstream_url(value: str) -> str:
    """Require TLS but on this machine; credentials have their own place."""
    local = re.fullmatch(r"http://(127\.0\.0\.1|localhost|\[::1\])(:\d+)?(/[^\s?#]*)?", value)
    if not local and not re.fullmatch(r"https://[^/\s@?#]+(/[^\s?#]*)?", value):
        raise ValueError("must be an https:// URL without user, query or fragment; http:// for this machine only")
    return value


def _token_address(value: str) -> str:
    """Read a mint's address, which no EVM address is, or a contract's."""
    return value if svm.is_address(value) else evm_address(value)


TokenAddress = Annotated[str, AfterValidator(_token_address)]
EvmAddress = Annotated[str, AfterValidator(evm_address)]
UpstreamUrl = Annotated[str, AfterValidator(upstream_url)]


class Section(BaseModel):
    """A part of the settings: unknown keys are refused, and faults never show the values."""

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
    """The service's own fee, taken only with a wallet on the chain's type, and the limit of integrators' fees."""

    service_share: FeeShare = Decimal(0)
    largest_integrator_share: FeeShare = Decimal("0.1")
    evm_wallet: str | None = None
    svm_wallet: str | None = None

    @field_validator("svm_wallet")
    @classmethod
    def _svm_wallet(cls, value: str | None) -> str | None:
        if value is not None and is_placeholder(ChainType.SVM, value):
            raise ValueError("is the System Program or the incinerator, so fees would be lost")
        if value is not None and not svm.is_address(value):
            raise ValueError("must be a Solana address: base58 of 32 bytes")
        return value

    @field_validator("evm_wallet")
    @classmethod
    def _wallet(cls, value: str | None) -> str | None:
        if value is not None and is_address(value) and is_unowned(value):
            raise ValueError("is an address that nobody can sign for, so fees would be lost")
        return None if value is None else evm_address(value)


class TenderlySettings(Section):
    """The provider of second simulations; off without ``access_key``. Account and project are slugs."""

    account: Slug | None = None
    project: Slug | None = None
    access_key: SecretStr | None = None
    url: UpstreamUrl | None = None

    @model_validator(mode="after")
    def _whole(self) -> "TenderlySettings":
        present = [value is not None for value in (self.account, self.project, self.access_key)]
        if any(present) and not all(present):
            raise ValueError("account, project and access_key go together")
        return self


class TrackingSettings(Section):
    """How the chains are followed; ``enabled`` is False if only ``rhumbline worker`` does it.

    Of records those of ``keep_months`` whole months before the present one are kept; None: for ever.
    """

    enabled: bool = True
    poll_ms: Annotated[int, Field(ge=50, le=600_000)] = 1000
    idle_poll_ms: Annotated[int, Field(ge=50, le=60_000)] = 20_000
    block_range: Annotated[int, Field(ge=1, le=100_000)] = 2000
    bridge_poll_ms: Annotated[int, Field(ge=100, le=600_000)] = 5000
    keep_months: Annotated[int, Field(ge=2, le=1_200)] | None = None


class WebhookSettings(Section):
    """Where events may be posted to: with ``allow_private`` also to private addresses, and over plain HTTP."""

    allow_private: bool = False


class LimitSettings(Section):
    """The limits of each requester in each scope; with ``redis_url`` all processes share the counts."""

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


class WalletConnectSettings(Section):
    """Without a project nothing is asked of the relay, and pages do not offer WalletConnect."""

    project_id: Annotated[str, Field(pattern=r"^[0-9a-f]{32}$")] | None = None
    relay_url: Annotated[str, Field(pattern=r"^(wss://[A-Za-z0-9.-]+|ws://127\.0\.0\.1)(:[0-9]{1,5})?$")] = (
        "wss://relay.walletconnect.org"
    )


class ExplanationSettings(Section):
    """How long what explains an answer is kept, 0 for not at all, and how many requests there are of it at most."""

    keep_hours: Annotated[int, Field(ge=0, le=720)] = 24
    most_requests: Annotated[int, Field(ge=1_000, le=100_000_000)] = 500_000


class ScorecardSettings(Section):
    """For how many days scorecards are kept, 0 for not at all, and what they may cost in the ranking.

    ``most_bps`` is in ten-thousandths of the value; 0 has no effect on it.
    """

    keep_days: Annotated[int, Field(ge=0, le=365)] = 90
    most_bps: Annotated[Decimal, Field(ge=0, le=20)] = Decimal(5)


class LogSettings(Section):
    """The level and form of the log."""

    level: Literal["debug", "info", "warning", "error"] = "info"
    format: Literal["console", "json"] = "console"


class CatalogSettings(Section):
    """The known chains and tokens: those of the package, and token lists in order of trust."""

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
    """The price sources, in order of trust. Keys are optional; URLs are for proxies and tests.

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
    """One listed token; an earlier entry takes precedence for its symbol."""

    chain_id: int
    address: TokenAddress
    symbol: Annotated[str, Field(min_length=1, max_length=64)]
    decimals: Annotated[int, Field(ge=0, le=255)]
    name: str
    coin_key: str | None = None
    logo_uri: str | None = None
