"""The adapters over HTTP, one line each: the only list of concrete ones."""

from typing import Any

from rhumbline.adapters import (
    across,
    dflow,
    gaszip,
    jupiter,
    kyberswap,
    mayan,
    near_intents,
    nordstern,
    okx,
    openocean,
    relay,
    rise,
    symbiosis,
)
from rhumbline.gateways.upstreams.spec import AdapterSpec

SPECS: tuple[AdapterSpec[Any], ...] = (
    across.SPEC,
    dflow.SPEC,
    gaszip.SPEC,
    jupiter.SPEC,
    kyberswap.SPEC,
    *mayan.SPECS,
    near_intents.SPEC,
    nordstern.SPEC,
    okx.SPEC,
    openocean.SPEC,
    relay.SPEC,
    rise.SPEC,
    symbiosis.SPEC,
)
"""UNISWAP, which reads the chains and needs no upstream, is built in ``app/uniswap.py``."""
