"""Emulators of the upstreams: each speaks its upstream's protocol, strictly, on the sandbox.

Those of adapters lie in folders, one an adapter's folder, and are found there: a folder's ``EMULATORS`` are its own.
"""

from importlib import import_module
from pkgutil import iter_modules

from rhumbline.devnet.upstreams.defillama import DefiLlama
from rhumbline.devnet.upstreams.emulator import Emulator
from rhumbline.devnet.upstreams.tenderly import Tenderly

EMULATORS: tuple[type[Emulator], ...] = tuple(
    emulator
    for folder in sorted(found.name for found in iter_modules(__path__) if found.ispkg)
    for emulator in import_module(f"{__name__}.{folder}").EMULATORS
)
"""Those of all adapters over HTTP, in the order of their keys."""

PRICE_EMULATORS: tuple[type[Emulator], ...] = (DefiLlama,)
"""Those that no adapter speaks to, but a price source."""

SIMULATION_EMULATORS: tuple[type[Emulator], ...] = (Tenderly,)
"""Those that are asked for second simulations; the sandbox's service asks none."""
