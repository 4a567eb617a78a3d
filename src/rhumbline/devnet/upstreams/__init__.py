"""Emulators of the upstreams: each speaks its upstream's protocol, strictly, on the sandbox.

An adapter's emulator is in the folder with the adapter's name, and is found there: every `Emulator` in ``emulator.py``.
"""

from collections.abc import Iterator
from importlib import import_module
from pkgutil import iter_modules

from rhumbline.devnet.upstreams.defillama import DefiLlama
from rhumbline.devnet.upstreams.emulator import Emulator
from rhumbline.devnet.upstreams.tenderly import Tenderly


def _found() -> Iterator[type[Emulator]]:
    for folder in iter_modules(__path__):
        if folder.ispkg:
            module = import_module(f"{__name__}.{folder.name}.emulator")
            for found in vars(module).values():
                if isinstance(found, type) and issubclass(found, Emulator) and found.__module__ == module.__name__:
                    yield found


EMULATORS: tuple[type[Emulator], ...] = tuple(sorted(_found(), key=lambda emulator: emulator.key))
"""Those of all adapters over HTTP, ordered by key."""

PRICE_EMULATORS: tuple[type[Emulator], ...] = (DefiLlama,)
"""Those of price sources."""

SIMULATION_EMULATORS: tuple[type[Emulator], ...] = (Tenderly,)
"""Those for second simulations; the sandbox's service does not use them."""
