"""What tracking asks of chains. Each chain type has a wing that answers (``tracking/evm``); ``app`` picks the wing."""

from asyncio import Event
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from rhumbline.domain.chain import Chain
from rhumbline.domain.deposit import BridgeDeposit
from rhumbline.domain.transfer import Transfer


class ChainIndexer(Protocol):
    """Takes in one chain: what starts there becomes records, what a reorganisation takes back is withdrawn."""

    @property
    def chain(self) -> Chain:
        """The chain that is followed."""

    @property
    def reached(self) -> object:
        """How far the chain was read, as far as is remembered: another value when something was taken in."""

    @property
    def head(self) -> int | None:
        """The newest block, or slot, that the node told of; None before it was asked."""

    @property
    def next_block(self) -> int | None:
        """The block, or slot, that is to be read next; None before anything was."""

    async def latest(self) -> int:
        """Ask the node for the newest block, or slot. Raise NodeRefused or NodeUnavailable."""

    async def step(self) -> bool:
        """Do one piece of work; tell whether more is waiting. Whatever it raises, nothing is half done then."""


class HeadAnnouncements(Protocol):
    """New heads of one chain as its node announces them: hints to look, which nobody has to ask for on a clock."""

    @property
    def bell(self) -> Event:
        """Set whenever a head is announced, and when announcements begin or end."""

    @property
    def announces(self) -> bool:
        """Tell whether heads are announced."""

    def newest_is(self, head: int | None) -> bool:
        """Tell whether this is the newest that was announced, so that the next one will be; else look on a clock."""

    async def listen(self, wanted: Callable[[], bool]) -> None:
        """Hear announcements until they are not ``wanted``. Raise NodeUnavailable or NodeRefused without them."""


class WalletCallSearch(Protocol):
    """Looks through what a chain's indexer has read for bridges' transactions that wallets sent themselves."""

    async def step(self) -> bool:
        """Do one piece of work; tell whether more is waiting. Whatever it raises, nothing is half done then."""


@dataclass(frozen=True, slots=True)
class NetworkFee:
    """What a whole transaction cost, in raw units of the chain's native asset, and the block that it is in."""

    block_hash: str
    raw: int


class NetworkFees(Protocol):
    """Reads what transactions of one chain cost."""

    async def paid(self, hashes: Collection[str]) -> Mapping[str, NetworkFee]:
        """Return the fees by transaction, of those that the node tells of. Raise NodeUnavailable without an answer."""


class Deposits(Protocol):
    """Looks whether bridges took over tokens, on origins of one chain type."""

    async def is_there(self, transfer: Transfer, deposit: BridgeDeposit, block_hash: str) -> bool | None:
        """Tell whether the transfer's own transaction, in this block, holds the deposit; None where no node tells."""


@dataclass(frozen=True, slots=True)
class DeliveryReceipt:
    """What a chain tells of a transaction that delivered something, amounts in raw units; of one that failed nothing.

    ``gained`` is what a receiver gained of a token by it, as far as it shows; ``paid`` is its fee, in the native asset.
    """

    succeeded: bool
    time: datetime | None = None
    paid: int | None = None
    gained: int = 0


class Destinations(Protocol):
    """Reads the destinations of one chain type."""

    def tx_hash(self, told: str) -> str | None:
        """Return a transaction's hash as lookups expect it; None for what cannot be one."""

    def address(self, told: str) -> str | None:
        """Return an address in canonical form; None for what is none."""

    async def receipt(self, chain_id: int, tx_hash: str, measured: Transfer | None) -> DeliveryReceipt | None:
        """Read a receipt, and what the receiver of ``measured`` gained; None without a node that knows the transaction.

        Raise NodeRefused or NodeUnavailable.
        """
