"""The credentials that an adapter has for its upstream, and those that are missing."""

from collections.abc import Collection, Mapping
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from rhumbline.app.settings import Settings
from rhumbline.gateways.upstreams.spec import AdapterSpec

_OWN = ("localhost", "local", "internal", "lan", "home", "test", "invalid")
"""Host names without a public meaning (RFC 6761, RFC 6762, and common private ones)."""


def credentials_of(spec: AdapterSpec[Any], settings: Settings) -> Mapping[str, str]:
    """Return an adapter's configured credentials, and the service's public address for one that is our page."""
    own = settings.adapters.upstream(spec.key).credentials
    credentials = {name: value.get_secret_value() for name, value in own.items()}
    if spec.page and spec.page not in credentials and (page := public_page(settings.base_url)) is not None:
        credentials[spec.page] = page
    return credentials


def lacking(spec: AdapterSpec[Any], names: Collection[str]) -> tuple[str, ...]:
    """Return the names of credentials without which an adapter is not listed; ``a or b`` where either would do."""
    missing = [name for name in spec.needs if name not in names]
    if spec.needs_one and not any(name in names for name in spec.needs_one):
        missing.append(" or ".join(spec.needs_one))
    return tuple(missing)


def public_page(base_url: str) -> str | None:
    """Return the page at a service's address, None where others cannot mean the same by it: ``http://127.0.0.1``."""
    try:
        parts = urlsplit(base_url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return None
    name = f"[{host}]" if ":" in host else host
    return f"{parts.scheme}://{name}{'' if port is None else f':{port}'}/" if _is_public(host) else None


def _is_public(host: str) -> bool:
    try:
        return ip_address(host).is_global
    except ValueError:
        labels = host.rstrip(".").split(".")
        return len(labels) > 1 and all(labels) and labels[-1] not in _OWN
