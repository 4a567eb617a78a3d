"""The settings: one file, ``rhumbline.toml``, and ``RHUMBLINE_…`` variables that override it.

A variable names its key with two underscores between levels: ``RHUMBLINE_STORE__DSN``. Everything is checked before
anything starts; each fault names its key. Secrets are ``SecretStr`` and appear in no repr, error or log.
"""

import os
import re
import stat
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, Field, SecretStr, TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from rhumbline.app.adapter_section import AdapterSettings
from rhumbline.app.chain_section import ChainSettings
from rhumbline.app.quote_section import QuoteSettings
from rhumbline.app.sections import (
    CatalogSettings,
    ExplanationSettings,
    FeeSettings,
    LimitSettings,
    LogSettings,
    MetricsSettings,
    PriceSettings,
    ScorecardSettings,
    Section,
    ServerSettings,
    StoreSettings,
    TenderlySettings,
    TokenSettings,
    TrackingSettings,
    WalletConnectSettings,
    WebhookSettings,
)
from rhumbline.app.signing_section import SigningSettings
from rhumbline.app.tracing_section import TracingSettings

PREFIX = "RHUMBLINE_"
CONFIG_VARIABLE = "RHUMBLINE_CONFIG"
KEY_VARIABLE = "RHUMBLINE_API_KEY"
"""The key of `rhumbline mcp`, which asks a service as any client does: no setting of the service."""
NO_SETTINGS = frozenset({CONFIG_VARIABLE, KEY_VARIABLE})
DEFAULT_FILE = Path("rhumbline.toml")
_ADDRESS = r"[0-9.]+|\[?[0-9a-f:]+\]?"
_SERVICE_LINK = re.compile(
    rf"RHUMBLINE(_[A-Z0-9]+)*_(SERVICE_HOST=({_ADDRESS})|SERVICE_PORT(_[A-Z0-9]+)*=\d+"
    rf"|PORT(_\d+_(TCP|UDP|SCTP))?=(tcp|udp|sctp)://({_ADDRESS}):\d+"
    rf"|PORT_\d+_(TCP|UDP|SCTP)_(PROTO=(tcp|udp|sctp)|PORT=\d+|ADDR=({_ADDRESS})))"
)
"""The variables that Kubernetes sets for a Service whose name begins with ``rhumbline``: name and value.

https://kubernetes.io/docs/concepts/services-networking/service/#environment-variables (read 2026-11).
"""


class SettingsError(Exception):
    """Settings that cannot be used; each fault is one line that begins with its key."""

    def __init__(self, faults: Sequence[str]) -> None:
        super().__init__("\n".join(faults))
        self.faults = tuple(faults)


class Settings(Section):
    """All of ``rhumbline.toml``."""

    brand: Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9]{0,31}$")] = "Rhumbline"
    base_url: Annotated[str, Field(pattern=r"^https?://[^\s]+$")] = "http://127.0.0.1:8700"
    server: ServerSettings = ServerSettings()
    store: StoreSettings = StoreSettings()
    fees: FeeSettings = FeeSettings()
    quotes: QuoteSettings = QuoteSettings()
    tenderly: TenderlySettings = TenderlySettings()
    tracking: TrackingSettings = TrackingSettings()
    webhooks: WebhookSettings = WebhookSettings()
    limits: LimitSettings = LimitSettings()
    metrics: MetricsSettings = MetricsSettings()
    tracing: TracingSettings = TracingSettings()
    signing: SigningSettings = SigningSettings()
    walletconnect: WalletConnectSettings = WalletConnectSettings()
    explanations: ExplanationSettings = ExplanationSettings()
    scorecards: ScorecardSettings = ScorecardSettings()
    log: LogSettings = LogSettings()
    catalog: CatalogSettings = CatalogSettings()
    prices: PriceSettings = PriceSettings()
    chains: tuple[ChainSettings, ...] = ()
    tokens: tuple[TokenSettings, ...] = ()
    adapters: AdapterSettings = AdapterSettings()


def load_settings(file: Path | None = None, environment: Mapping[str, str] | None = None) -> Settings:
    """Read and check the settings.

    ``file`` wins over the variable ``RHUMBLINE_CONFIG``, which wins over ``rhumbline.toml`` in the working directory;
    only the last may be absent. Raise SettingsError with every fault.
    """
    variables = os.environ if environment is None else environment
    named = _named(file, variables)
    tree = _read_file(named or DEFAULT_FILE, required=named is not None)
    _overlay(tree, variables)
    try:
        settings = Settings.model_validate(tree)
    except ValidationError as error:
        raise SettingsError(faults_of(error)) from None
    return settings


def settings_file(file: Path | None = None) -> Path:
    """Return the whole path of the file that the settings are read from, whether it is there or not."""
    return (_named(file, os.environ) or DEFAULT_FILE).absolute()


def manager_socket() -> str | None:
    """Return where systemd waits to be told that the service is ready; it is no setting, systemd names it."""
    return os.environ.get("NOTIFY_SOCKET") or None


def exposed_secrets(settings: Settings, file: Path) -> list[str]:
    """Return the keys of the secrets in a settings file that every user of the machine may read."""
    try:
        readable = file.stat().st_mode & stat.S_IROTH
    except OSError:
        return []
    return list(_secrets(settings, _read_file(file, required=False), "")) if readable else []


def _secrets(value: object, written: object, path: str) -> Iterator[str]:
    if isinstance(value, BaseModel) and isinstance(written, dict):
        for name, part in written.items():
            yield from _secrets(getattr(value, name, None), part, f"{path}.{name}")
    elif isinstance(value, tuple) and isinstance(written, list):
        for place, (each, part) in enumerate(zip(value, written, strict=False)):
            yield from _secrets(each, part, f"{path}.{place}")
    elif _holds_secret(value):
        yield path.removeprefix(".")


def _holds_secret(value: object) -> bool:
    if isinstance(value, BaseModel):
        return any(_holds_secret(part) for _, part in value)
    if isinstance(value, dict):
        return any(map(_holds_secret, value.values()))
    return any(map(_holds_secret, value)) if isinstance(value, tuple) else isinstance(value, SecretStr)


def faults_of(error: ValidationError) -> list[str]:
    """Return a line for each fault that begins with its key and never shows the value."""
    return [_fault(detail) for detail in error.errors(include_input=False)]


def _named(file: Path | None, variables: Mapping[str, str]) -> Path | None:
    return file or (Path(variables[CONFIG_VARIABLE]) if variables.get(CONFIG_VARIABLE) else None)


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
        if not name.startswith(PREFIX) or name in NO_SETTINGS or _SERVICE_LINK.fullmatch(f"{name}={text}"):
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
