"""What Across's pools pass between each other on the sandbox: relays, and what became of the deposits."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Protocol

from rhumbline.devnet.upstreams.solver import DepositState


@dataclass(frozen=True, slots=True)
class Relay:
    """A deposit as both pools know it; addresses are 32 bytes, amounts raw units, times Unix seconds."""

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
    """A deposit and what became of it; transaction hashes once there are some, ``why`` where it was not filled."""

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
        """Return what a token is called there."""
        ...

    def deposits(self) -> AsyncIterator[Relayed]:
        """Yield deposits as they are made."""
        ...

    async def time(self) -> int:
        """Return the time by which the pool goes."""
        ...

    async def stands(self, tx_hash: str) -> bool:
        """Tell whether a deposit's transaction is on the chain."""
        ...

    async def fill(self, relay: Relay) -> str:
        """Fill a relay, and return the transaction; raise SetUpError where the pool does not take it."""
        ...

    async def filled(self, relay: Relay) -> bool:
        """Tell whether anybody has filled it."""
        ...

    async def refund(self, relay: Relay) -> str:
        """Give a deposit back, and return the transaction."""
        ...
