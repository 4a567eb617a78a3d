"""What nodes of Solana answer: its shape as nodes write it, and what is made of it where that is something else.

Source of all shapes: solana.com/docs/rpc/http, read 2026-11-22.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Annotated

import msgspec
from solders.pubkey import Pubkey
from solders.signature import Signature

from rhumbline.gateways.nodes.svm.block_pace import LIFE_BLOCKS
from rhumbline.gateways.nodes.svm.fields import At, Base64, Commitment, Count, Shape, UnixTime, log_lines
from rhumbline.gateways.nodes.svm.transaction_error import TransactionError, Variant, read_error
from rhumbline.gateways.svm.account import Account


class Epoch(Shape, frozen=True):
    """Where the chain is: the epoch, its slot and its height (blocks; slots that were skipped do not count).

    ``index`` is the slot's place among the ``slots`` of the epoch.
    """

    number: Count = msgspec.field(name="epoch")
    slot: Count = msgspec.field(name="absoluteSlot")
    index: Count = msgspec.field(name="slotIndex")
    slots: Count = msgspec.field(name="slotsInEpoch")
    block_height: Count

    def has(self, slot: int) -> bool:
        """Tell whether a slot is one of the epoch's."""
        return 0 <= slot - self.slot + self.index < self.slots


class PriorityFee(Shape, frozen=True):
    """The least price of a unit, in millionths of a lamport, at which a transaction landed in ``slot``."""

    slot: Count
    micro_lamports: Annotated[int, msgspec.Meta(ge=0)] = msgspec.field(name="prioritizationFee")


class Blockhash(Shape, frozen=True):
    """A recent block, and the height of the last one in which a transaction that names it can still be executed."""

    value: str = msgspec.field(name="blockhash")
    last_valid_block_height: Count
    slot: Count = 0
    """Of which the answer is, as its context says."""

    def __post_init__(self) -> None:
        # It has the form of an address.
        Pubkey.from_string(self.value)

    @property
    def height(self) -> int:
        """The height of the block itself."""
        return max(0, self.last_valid_block_height - LIFE_BLOCKS)


class AccountShape(Shape, frozen=True):
    """An account, its data written in base64."""

    lamports: Count
    owner: str
    data: Base64
    executable: bool

    def __post_init__(self) -> None:
        Pubkey.from_string(self.owner)


def read_accounts(shapes: Iterable[AccountShape | None]) -> list[Account | None]:
    """Return accounts, None for each that is not there."""
    return [
        None if each is None else Account(each.lamports, each.owner, each.data[0], each.executable) for each in shapes
    ]


@dataclass(frozen=True, slots=True)
class AccountsAt:
    """Accounts as they were in ``slot``, by address; None for one that is not there."""

    slot: int
    found: Mapping[str, Account | None]

    @classmethod
    def read(cls, asked: Sequence[str], answer: At[list[AccountShape | None]]) -> "AccountsAt":
        """Read what a node answers of those that were asked for, in that order; ValueError for more or fewer."""
        return cls(answer.context.slot, MappingProxyType(dict(zip(asked, read_accounts(answer.value), strict=True))))


class SignatureInfo(Shape, frozen=True):
    """A transaction that named an address, by its first signature. ``block_time`` is a Unix second.

    Its memo, up to 4,000 bytes of a stranger's, is passed over.
    """

    signature: str
    slot: Count
    err: Variant | None = None
    block_time: UnixTime | None = None
    commitment: Commitment | None = msgspec.field(name="confirmationStatus", default=None)

    def __post_init__(self) -> None:
        Signature.from_string(self.signature)
        read_error(self.err)

    @property
    def error(self) -> TransactionError | None:
        return read_error(self.err)


class SignatureStatus(Shape, frozen=True):
    """How far a transaction is: ``confirmations`` is None once it is final."""

    slot: Count
    err: Variant | None = None
    confirmations: Count | None = None
    commitment: Commitment | None = msgspec.field(name="confirmationStatus", default=None)

    def __post_init__(self) -> None:
        read_error(self.err)

    @property
    def error(self) -> TransactionError | None:
        return read_error(self.err)


@dataclass(frozen=True, slots=True)
class Simulation:
    """What a transaction would do on the node's state of ``slot``.

    ``accounts`` are those that were asked for, in that order, as they would be afterwards; empty when it fails.
    """

    slot: int
    error: TransactionError | None
    logs: tuple[str, ...] = field(repr=False)
    units: int | None
    accounts: tuple[Account | None, ...]


class SimulationShape(Shape, frozen=True):
    """A simulation without the slot that it is of."""

    err: Variant | None = None
    logs: list[str] | None = None
    units_consumed: Count | None = None
    accounts: list[AccountShape | None] | None = None


def read_simulation(answer: At[SimulationShape], asked: int) -> Simulation:
    """Read a simulation that was asked for ``asked`` accounts; ValueError for a success that tells of others."""
    shape, error = answer.value, read_error(answer.value.err)
    accounts = () if error is not None else tuple(read_accounts(shape.accounts or ()))
    if error is None and len(accounts) != asked:
        raise ValueError("not the accounts that were asked for")
    return Simulation(answer.context.slot, error, log_lines(shape.logs), shape.units_consumed, accounts)
