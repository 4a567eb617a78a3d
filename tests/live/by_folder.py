"""What adapters declare for ``make live`` beside their tests: ``tests/adapters/<folder>/live.py``, found by folder.

Each has ``ASKS``, by the adapter's key, and ``ENDPOINTS``; the others where there are any.
"""

from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from rhumbline.domain.transfer import Transfer
from tests.adapters.conformance.case import Ask
from tests.live.endpoint import Endpoint

_MODULES: tuple[ModuleType, ...] = tuple(
    import_module(f"tests.adapters.{path.parent.name}.live")
    for path in sorted((Path(__file__).parents[1] / "adapters").glob("*/live.py"))
)


def _declared(name: str) -> dict[str, Any]:
    """Return what all folders declare under a name, joined; nothing of one that has none."""
    return {key: value for module in _MODULES for key, value in getattr(module, name, {}).items()}


ASKS: Mapping[str, tuple[Ask, ...]] = _declared("ASKS")
"""What the real upstreams are asked."""
ENDPOINTS: tuple[Endpoint, ...] = tuple(endpoint for module in _MODULES for endpoint in module.ENDPOINTS)
"""What each upstream answers at which path: how it is read, and what is recorded of it."""
FAILURES: Mapping[str, frozenset[str]] = _declared("FAILURES")
"""Recordings of failures, which are not asked for, by folder."""
DELIVERED: Mapping[str, tuple[Transfer, str]] = _declared("DELIVERED")
"""What was delivered long ago, with the transaction on the other side."""
NOBODYS_REFERENCE: Mapping[str, str] = _declared("NOBODYS_REFERENCE")
"""References of no transfer, of bridges whose references are no hashes."""
NO_CONTRACTS: Mapping[str, tuple[str, ...]] = _declared("NO_CONTRACTS")
"""Addresses in deployments that are no contracts of the chain itself, as patterns of what `pinned` calls them."""


def endpoints_of(key: str, method: str, path: str) -> Iterator[Endpoint]:
    """Yield what a call of an adapter was to; none for one that no folder declares."""
    for endpoint in ENDPOINTS:
        if key.lower().startswith(endpoint.folder) and endpoint.covers(method, path):
            yield endpoint
