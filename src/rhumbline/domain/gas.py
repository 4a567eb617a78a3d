"""What a transaction's execution costs on a chain, in the words that every chain type shares."""

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class GasTerms:
    """What a wallet should offer for the execution; ``limit`` in the chain's units of work, None where none was tried.

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
    """What work costs on one chain now."""

    def cost(self, units: int, /) -> int:
        """Return what so many units of work are expected to cost, in raw units of the chain's native asset."""
        ...

    def terms(self, limit: int | None = None, /) -> GasTerms | None:
        """Return what a wallet should offer; None where the transaction itself says it."""
        ...
