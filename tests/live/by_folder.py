"""What adapters declare for ``make live`` beside their tests: ``tests/adapters/<folder>/live.py``, found by folder."""

from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

_MODULES: tuple[ModuleType, ...] = tuple(
    import_module(f"tests.adapters.{path.parent.name}.live")
    for path in sorted((Path(__file__).parents[1] / "adapters").glob("*/live.py"))
)


def declared(name: str) -> list[Any]:
    """Return every folder's ``ASKS``, ``ENDPOINTS``, ``FAILURES`` or ``DELIVERED``; nothing of one that has none."""
    return [getattr(module, name) for module in _MODULES if hasattr(module, name)]
