"""The adapters that use HTTP APIs, one line each: the only list of concrete ones."""

from importlib import import_module
from typing import Any

from rhumbline.gateways.upstreams.spec import AdapterSpec

FOLDERS = (
    "across",
    "dflow",
    "gaszip",
    "jupiter",
    "kyberswap",
    "mayan",
    "near_intents",
    "nordstern",
    "okx",
    "openocean",
    "relay",
    "rise",
    "symbiosis",
)
"""Folders of ``adapters``. Each declares its ``SPEC``, or ``SPECS`` if one upstream has several adapters."""


def _specs(folder: str) -> tuple[AdapterSpec[Any], ...]:
    module = import_module(f"rhumbline.adapters.{folder}")
    return tuple(module.SPECS) if hasattr(module, "SPECS") else (module.SPEC,)


SPECS: tuple[AdapterSpec[Any], ...] = tuple(spec for folder in FOLDERS for spec in _specs(folder))
"""ONCHAIN, which reads the chains and needs no upstream, is built in ``app/adapters.py``."""
