"""The cost of executing a transaction, in terms that every chain type shares."""

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class GasTerms:
    """The gas terms for the wallet; ``limit`` in the chain's units of work, None if none was tried.

    Each type of chain has terms of its own; one whose transactions carry them has none to tell.
    """

    limit: int | None = None


@dataclass(frozen=True, slots=True)
class EvmGasTerms(GasTerms):
    """In wei a unit of gas; ``gas_price`` or the pair of EIP-1559, never both."""

    gas_price: int | None = None
    max_fee: int | None = None
    max_priority_fee: int | None = None


class NetworkPrice(Protocol):
    """The present price of execution on one chain."""

    def cost(self, units: int, /) -> int:
        """Return the expected cost of so many units of work, in raw units of the chain's native asset."""
        ...

    def terms(self, limit: int | None = None, /) -> GasTerms | None:
        """Return the gas terms for the wallet; None if the transaction contains them."""
        ...
