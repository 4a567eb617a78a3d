"""Answers of Solana nodes: their shape, and their conversion to our types.

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
        """Return whether a slot is one of the epoch's."""
        return 0 <= slot - self.slot + self.index < self.slots


class PriorityFee(Shape, frozen=True):
    """The smallest unit price, in millionths of a lamport, at which a transaction landed in ``slot``."""

    slot: Count
    micro_lamports: Annotated[int, msgspec.Meta(ge=0)] = msgspec.field(name="prioritizationFee")


class Blockhash(Shape, frozen=True):
    """A recent block, and the last height at which a transaction with its blockhash can be executed."""

    value: str = msgspec.field(name="blockhash")
    last_valid_block_height: Count
    slot: Count = 0
    """The slot of the answer, from its context."""

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
    """Accounts as of ``slot``, by address; None for one that does not exist."""

    slot: int
    found: Mapping[str, Account | None]

    @classmethod
    def read(cls, addresses: Sequence[str], answer: At[list[AccountShape | None]]) -> "AccountsAt":
        """Read a node's answer for the requested accounts, in their order; ValueError for more or fewer."""
        return cls(
            answer.context.slot, MappingProxyType(dict(zip(addresses, read_accounts(answer.value), strict=True)))
        )


class SignatureInfo(Shape, frozen=True):
    """A transaction that names an address, by its first signature. ``block_time`` is a Unix second.

    Its memo, up to 4,000 bytes of unknown origin, is skipped.
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
    """The confirmation of a transaction: ``confirmations`` is None once it is final."""

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
    """A transaction's effect on the node's state of ``slot``.

    ``accounts`` are the requested ones, in that order, as they would be afterwards; empty if it fails.
    """

    slot: int
    error: TransactionError | None
    logs: tuple[str, ...] = field(repr=False)
    units: int | None
    accounts: tuple[Account | None, ...]


class SimulationShape(Shape, frozen=True):
    """A simulation without its slot."""

    err: Variant | None = None
    logs: list[str] | None = None
    units_consumed: Count | None = None
    accounts: list[AccountShape | None] | None = None


def read_simulation(answer: At[SimulationShape], count: int) -> Simulation:
    """Read a simulation with ``count`` accounts; ValueError for a success with other accounts."""
    shape, error = answer.value, read_error(answer.value.err)
    accounts = () if error is not None else tuple(read_accounts(shape.accounts or ()))
    if error is None and len(accounts) != count:
        raise ValueError("not the accounts that were asked for")
    return Simulation(answer.context.slot, error, log_lines(shape.logs), shape.units_consumed, accounts)
