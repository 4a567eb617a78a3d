"""The settings: one file, ``rhumbline.toml``, and ``RHUMBLINE_…`` variables that win over it.

A variable names its key with two underscores between levels: ``RHUMBLINE_STORE__DSN``. Everything is checked before
anything starts; each fault names its key. Secrets are ``SecretStr`` and appear in no repr, error or log.
"""

import os
import re
import tomllib
from collections.abc import Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, SecretStr, TypeAdapter, ValidationError, field_validator
from pydantic_core import ErrorDetails

from rhumbline.catalog.known import ChainChange
from rhumbline.catalog.syncing import list_url_fault
from rhumbline.gateways.evm.address import checksum_holds, checksummed, is_address

PREFIX = "RHUMBLINE_"
CONFIG_VARIABLE = "RHUMBLINE_CONFIG"
DEFAULT_FILE = Path("rhumbline.toml")


class SettingsError(Exception):
    """Settings that cannot be used; each fault is one line that begins with its key."""

    def __init__(self, faults: Sequence[str]) -> None:
        """Take at least one fault."""
        super().__init__("\n".join(faults))
        self.faults = tuple(faults)


def _evm_address(value: str) -> str:
    if not is_address(value) or not checksum_holds(value):
        raise ValueError("must be an EVM address, in lower case or with its right checksum")
    return checksummed(value)


Share = Annotated[Decimal, Field(ge=0, lt=1)]
# The contracts take a fifth of the input at the most, for both together.
FeeShare = Annotated[Decimal, Field(ge=0, le=Decimal("0.1"))]
Port = Annotated[int, Field(ge=0, le=65535)]
M = TypeVar("M", bound=BaseModel)


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)


class ServerSettings(_Section):
    """Where the service listens. Plain HTTP on a public address needs ``allow_plain_http``."""

    host: str = "127.0.0.1"
    port: Port = 8700
    tls_certificate: Path | None = None
    tls_key: Path | None = None
    trusted_proxies: tuple[str, ...] = ()
    allow_plain_http: bool = False


class StoreSettings(_Section):
    """The database: a PostgreSQL DSN, or none for the embedded server that keeps its data in ``data_dir``."""

    dsn: SecretStr | None = None
    data_dir: Path = Path(".rhumbline/store")


class FeeSettings(_Section):
    """The service's own fee, taken only when it has a wallet, and the bound for integrators' fees."""

    service_share: FeeShare = Decimal(0)
    largest_integrator_share: FeeShare = Decimal("0.1")
    evm_wallet: str | None = None

    @field_validator("evm_wallet")
    @classmethod
    def _wallet(cls, value: str | None) -> str | None:
        return None if value is None else _evm_address(value)


class QuoteSettings(_Section):
    """How long a quote may take and how long its transaction may be sent; the deadlines in milliseconds."""

    soft_deadline_ms: Annotated[int, Field(ge=50, le=30_000)] = 1200
    hard_deadline_ms: Annotated[int, Field(ge=50, le=60_000)] = 4000
    simulation_budget_ms: Annotated[int, Field(ge=50, le=30_000)] = 1500
    transaction_ttl_s: Annotated[int, Field(ge=30, le=86_400)] = 1200
    largest_loss: Share = Decimal("0.2")


class TrackingSettings(_Section):
    """How the chains are followed; ``enabled`` is False where only ``rhumbline worker`` does it."""

    enabled: bool = True
    poll_ms: Annotated[int, Field(ge=50, le=600_000)] = 1000
    block_range: Annotated[int, Field(ge=1, le=100_000)] = 2000


class LimitSettings(_Section):
    """How often each requester may ask, in each scope; with ``redis_url`` all processes count in one Redis."""

    unauthenticated_requests: Annotated[int, Field(ge=1, le=1_000_000)] = 200
    unauthenticated_window_s: Annotated[int, Field(ge=1, le=86_400)] = 7200
    authenticated_requests: Annotated[int, Field(ge=1, le=1_000_000)] = 200
    redis_url: SecretStr | None = None

    @field_validator("redis_url")
    @classmethod
    def _redis(cls, value: SecretStr | None) -> SecretStr | None:
        if value is not None and not value.get_secret_value().startswith(("redis://", "rediss://", "unix://")):
            raise ValueError("must be a URL that begins with redis://, rediss:// or unix://")
        return value


class MetricsSettings(_Section):
    """Where Prometheus metrics are served; without a port, nowhere."""

    host: str = "127.0.0.1"
    port: Port | None = None


class LogSettings(_Section):
    """How the log looks."""

    level: Literal["debug", "info", "warning", "error"] = "info"
    format: Literal["console", "json"] = "console"


class CatalogSettings(_Section):
    """Which chains and tokens are known: the shipped facts, and token lists in their order of trust."""

    shipped: bool = True
    token_lists: tuple[str, ...] = ()
    refresh_s: Annotated[int, Field(ge=60, le=7 * 86_400)] = 3600
    largest_list_mb: Annotated[int, Field(ge=1, le=100)] = 20
    list_timeout_s: Annotated[int, Field(ge=1, le=300)] = 30

    @field_validator("token_lists")
    @classmethod
    def _urls(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        faults = [fault for url in value if (fault := list_url_fault(url)) is not None]
        if faults:
            raise ValueError("; ".join(faults))
        return value


class ChainSettings(ChainChange):
    """What the operator says about one chain. With ``rpc``, an endpoint that is never shown, the chain is served."""

    rpc: SecretStr | None = None
    start_block: Annotated[int, Field(ge=0)] | None = None

    @field_validator("rpc")
    @classmethod
    def _url(cls, value: SecretStr | None) -> SecretStr | None:
        if value is not None and not re.match(r"https?://[^/\s]+", value.get_secret_value()):
            raise ValueError("must be an http:// or https:// URL")
        return value


class TokenSettings(_Section):
    """One listed token; earlier entries win a symbol over later ones."""

    chain_id: int
    address: str
    symbol: Annotated[str, Field(min_length=1, max_length=64)]
    decimals: Annotated[int, Field(ge=0, le=255)]
    name: str
    coin_key: str | None = None
    logo_uri: str | None = None

    @field_validator("address")
    @classmethod
    def _address(cls, value: str) -> str:
        return _evm_address(value)


class UniswapFork(_Section):
    """Where Uniswap, or a fork of it, lives on a chain; parts that are absent are left out."""

    router: str
    wrapped_native: str
    v2_factory: str | None = None
    v3_factory: str | None = None
    anchors: tuple[str, ...] = ()

    @field_validator("router", "wrapped_native", "v2_factory", "v3_factory")
    @classmethod
    def _address(cls, value: str | None) -> str | None:
        return None if value is None else _evm_address(value)

    @field_validator("anchors")
    @classmethod
    def _addresses(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(_evm_address(item) for item in value)


class UniswapSettings(_Section):
    """On-chain liquidity; ``deployments`` by chain ID add to, and win over, the built-in ones."""

    enabled: bool = True
    deployments: dict[int, UniswapFork] = Field(default_factory=dict)


class AdapterSettings(_Section):
    """The adapters' own settings."""

    uniswap: UniswapSettings = UniswapSettings()


class Settings(_Section):
    """All of ``rhumbline.toml``."""

    brand: Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9]{0,31}$")] = "Rhumbline"
    base_url: Annotated[str, Field(pattern=r"^https?://[^\s]+$")] = "http://127.0.0.1:8700"
    server: ServerSettings = ServerSettings()
    store: StoreSettings = StoreSettings()
    fees: FeeSettings = FeeSettings()
    quotes: QuoteSettings = QuoteSettings()
    tracking: TrackingSettings = TrackingSettings()
    limits: LimitSettings = LimitSettings()
    metrics: MetricsSettings = MetricsSettings()
    log: LogSettings = LogSettings()
    catalog: CatalogSettings = CatalogSettings()
    chains: tuple[ChainSettings, ...] = ()
    tokens: tuple[TokenSettings, ...] = ()
    adapters: AdapterSettings = AdapterSettings()


def load_settings(file: Path | None = None, environment: Mapping[str, str] | None = None) -> Settings:
    """Read and check the settings.

    ``file`` wins over the variable ``RHUMBLINE_CONFIG``, which wins over ``rhumbline.toml`` in the working directory;
    only the last may be absent. Raise SettingsError with every fault.
    """
    variables = os.environ if environment is None else environment
    named = file or (Path(variables[CONFIG_VARIABLE]) if variables.get(CONFIG_VARIABLE) else None)
    tree = _read_file(named or DEFAULT_FILE, required=named is not None)
    _overlay(tree, variables)
    try:
        settings = Settings.model_validate(tree)
    except ValidationError as error:
        raise SettingsError([_fault(detail) for detail in error.errors(include_input=False)]) from None
    return settings


def _read_file(path: Path, *, required: bool) -> dict[str, object]:
    try:
        return dict(tomllib.loads(path.read_text("utf-8")))
    except FileNotFoundError:
        if required:
            raise SettingsError([f"{path}: there is no such settings file"]) from None
        return {}
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError([f"{path}: not valid TOML: {error}"]) from None
    except OSError as error:
        raise SettingsError([f"{path}: cannot be read: {error.strerror}"]) from None


_TEXT = TypeAdapter(object)


def _overlay(tree: dict[str, object], variables: Mapping[str, str]) -> None:
    for name, text in variables.items():
        if not name.startswith(PREFIX) or name == CONFIG_VARIABLE:
            continue
        *sections, key = name.removeprefix(PREFIX).lower().split("__")
        here = tree
        for section in sections:
            inner = here.get(section)
            if not isinstance(inner, dict):
                inner = {}
                here[section] = inner
            here = inner
        here[key] = _value(text)


def _value(text: str) -> object:
    """Read a list, a table, a number or a truth value as JSON writes them; anything else is text."""
    if text[:1] in "[{" or text in ("true", "false") or re.fullmatch(r"-?[0-9]+", text):
        try:
            return _TEXT.validate_json(text)
        except ValidationError:
            return text
    return text


def _fault(detail: ErrorDetails) -> str:
    path = ".".join(str(part) for part in detail["loc"])
    if detail["type"] == "extra_forbidden":
        return f"{path}: there is no such setting"
    return f"{path}: {detail['msg'].removeprefix('Value error, ')}"
