"""What tracking needs of a chain. Each chain type's wing implements it (``tracking/evm``); ``app`` picks the wing."""

from asyncio import Event
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from rhumbline.domain.chain import Chain
from rhumbline.domain.deposit import BridgeDeposit
from rhumbline.domain.transfer import Transfer


class ChainIndexer(Protocol):
    """Reads one chain: adds records, and removes those that a reorganisation takes back."""

    @property
    def chain(self) -> Chain:
        """The chain that is followed."""

    @property
    def reached(self) -> object:
        """How far the chain was read, as far as is remembered: another value when something was taken in."""

    @property
    def head(self) -> int | None:
        """The newest block, or slot, of the node; None before the first poll."""

    @property
    def next_block(self) -> int | None:
        """The block, or slot, that is to be read next; None before anything was."""

    async def latest(self) -> int:
        """Ask the node for the newest block, or slot. Raise NodeRefused or NodeUnavailable."""

    async def step(self) -> bool:
        """Do one piece of work; return whether more is waiting. If it raises, nothing is half done."""


class HeadAnnouncements(Protocol):
    """New heads of one chain as its node announces them: hints to poll."""

    @property
    def bell(self) -> Event:
        """Set whenever a head is announced, and when announcements begin or end."""

    @property
    def announces(self) -> bool:
        """Return whether heads are announced."""

    def newest_is(self, head: int | None) -> bool:
        """Return whether this is the newest announced head, so that the next one will be announced; otherwise poll."""

    async def listen(self, wanted: Callable[[], bool]) -> None:
        """Hear announcements until they are not ``wanted``. Raise NodeUnavailable or NodeRefused without them."""


class WalletCallSearch(Protocol):
    """Searches the blocks that a chain's indexer has read for wallets' own calls of bridges."""

    async def step(self) -> bool:
        """Do one piece of work; return whether more is waiting. If it raises, nothing is half done."""


@dataclass(frozen=True, slots=True)
class NetworkFee:
    """The cost of a transaction, in raw units of the chain's native asset, and its block."""

    block_hash: str
    raw: int


class NetworkFees(Protocol):
    """Reads the costs of one chain's transactions."""

    async def paid(self, hashes: Collection[str]) -> Mapping[str, NetworkFee]:
        """Return the fees by transaction, of those that the node knows. Raise NodeUnavailable without an answer."""


class Deposits(Protocol):
    """Checks whether bridges took tokens, on origins of one chain type."""

    async def is_there(self, transfer: Transfer, deposit: BridgeDeposit, block_hash: str) -> bool | None:
        """Return whether the transfer's own transaction, in this block, has the deposit; None if no node knows."""


@dataclass(frozen=True, slots=True)
class DeliveryReceipt:
    """What a chain shows of a delivering transaction, amounts in raw units; nothing if it failed.

    ``gained`` is what a receiver gained of a token by it, as far as it shows; ``paid`` is its fee, in the native asset.
    """

    succeeded: bool
    time: datetime | None = None
    paid: int | None = None
    gained: int = 0


class Destinations(Protocol):
    """Reads the destinations of one chain type."""

    def tx_hash(self, told: str) -> str | None:
        """Return a transaction's hash as lookups expect it; None if it is invalid."""

    def address(self, told: str) -> str | None:
        """Return an address in canonical form; None if it is invalid."""

    async def receipt(self, chain_id: int, tx_hash: str, measured: Transfer | None) -> DeliveryReceipt | None:
        """Read a receipt, and what the receiver of ``measured`` gained; None without a node that knows the transaction.

        Raise NodeRefused or NodeUnavailable.
        """
