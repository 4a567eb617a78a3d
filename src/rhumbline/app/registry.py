"""The adapters over HTTP, one line each: the only list of concrete ones."""

from typing import Any

from rhumbline.adapters import (
    across,
    gaszip,
    kyberswap,
    mayan,
    near_intents,
    nordstern,
    okx,
    openocean,
    relay,
    symbiosis,
)
from rhumbline.gateways.upstreams import Blueprint

BLUEPRINTS: tuple[Blueprint[Any], ...] = (
    across.BLUEPRINT,
    gaszip.BLUEPRINT,
    kyberswap.BLUEPRINT,
    *mayan.BLUEPRINTS,
    near_intents.BLUEPRINT,
    nordstern.BLUEPRINT,
    okx.BLUEPRINT,
    openocean.BLUEPRINT,
    relay.BLUEPRINT,
    symbiosis.BLUEPRINT,
)
"""UNISWAP, which reads the chains and needs no upstream, is built in ``app/uniswap.py``."""
