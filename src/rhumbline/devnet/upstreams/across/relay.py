"""Relays between Across's pools on the sandbox, and the outcome of each deposit."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Protocol

from rhumbline.devnet.upstreams.solver import DepositState


@dataclass(frozen=True, slots=True)
class Relay:
    """A deposit as both pools see it; addresses are 32 bytes, amounts raw units, times Unix seconds."""

    depositor: bytes
    recipient: bytes
    exclusive_relayer: bytes
    input_token: bytes
    output_token: bytes
    input_amount: int
    output_amount: int
    origin_chain: int
    deposit_id: int
    fill_deadline: int
    exclusivity_deadline: int
    message: bytes

    @property
    def data(self) -> tuple[object, ...]:
        """The V3RelayData tuple."""
        return tuple(getattr(self, name) for name in self.__slots__)


@dataclass
class Relayed:
    """A deposit and its outcome; transaction hashes once they exist, ``why`` if it was not filled."""

    relay: Relay
    destination_chain: int
    tx_hash: str
    state: DepositState = DepositState.PENDING
    fill_tx: str | None = None
    refund_tx: str | None = None
    why: str = ""


class SpokePool(Protocol):
    """A pool of either type of chain."""

    def symbols(self, token: bytes) -> frozenset[str]:
        """Return the symbols of a token's address on its chain."""
        ...

    def deposits(self) -> AsyncIterator[Relayed]:
        """Yield deposits as they are made."""
        ...

    async def time(self) -> int:
        """Return the pool's present time."""
        ...

    async def stands(self, tx_hash: str) -> bool:
        """Return whether a deposit's transaction is on the chain."""
        ...

    async def fill(self, relay: Relay) -> str:
        """Fill a relay, and return the transaction; raise SetUpError if the pool refuses."""
        ...

    async def filled(self, relay: Relay) -> bool:
        """Return whether the relay was filled by anybody."""
        ...

    async def refund(self, relay: Relay) -> str:
        """Refund a deposit, and return the transaction."""
        ...
