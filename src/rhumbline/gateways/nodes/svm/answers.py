"""What nodes of Solana answer: its shape as nodes write it, and what is made of it where that is something else.

Source of all shapes: solana.com/docs/rpc/http, read 2026-11-22.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Annotated, Any

import msgspec
from solders.pubkey import Pubkey
from solders.signature import Signature

from rhumbline.gateways.nodes.svm.block_pace import LIFE_BLOCKS
from rhumbline.gateways.nodes.svm.fields import (
    At,
    Base64,
    Commitment,
    Count,
    Index,
    Shape,
    UnixTime,
    log_lines,
)
from rhumbline.gateways.nodes.svm.transaction_error import TransactionError, Variant, read_error
from rhumbline.gateways.svm import base58
from rhumbline.gateways.svm.account import Account


class Epoch(Shape, frozen=True):
    """Where the chain is: the epoch, its slot and its height (blocks; slots that were skipped do not count)."""

    number: Count = msgspec.field(name="epoch")
    slot: Count = msgspec.field(name="absoluteSlot")
    block_height: Count


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
        """Why it failed."""
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
        """Why it failed."""
        return read_error(self.err)


@dataclass(frozen=True, slots=True)
class ReturnData:
    """What the last program that set any returned."""

    program: str
    data: bytes


class ReturnShape(Shape, frozen=True):
    """What a program returned, written in base64."""

    program_id: str
    data: Base64

    def __post_init__(self) -> None:
        Pubkey.from_string(self.program_id)


def read_returned(shape: ReturnShape | None) -> ReturnData | None:
    """Return what a program returned, None for nothing."""
    return None if shape is None else ReturnData(shape.program_id, shape.data[0])


@dataclass(frozen=True, slots=True)
class SimulatedCall:
    """A call that a program would make, under the top instruction number ``outer``.

    Of the programs that the node knows it tells ``parsed`` (``type`` and ``info``, in its own words), of the others
    ``accounts`` and ``text``, the data in base58; what it does not tell is None.
    """

    outer: int
    program: str
    accounts: tuple[str, ...] | None
    text: str | None = field(repr=False)
    parsed: Mapping[str, object] | None

    @property
    def data(self) -> bytes | None:
        """The data, decoded anew each time; up to 10,240 bytes that anybody may have chosen."""
        return None if self.text is None else base58.decode(self.text)


class _CallShape(Shape, frozen=True):
    program_id: str
    parsed: Any = msgspec.UNSET
    accounts: list[str] | None = None
    data: str | None = None

    def __post_init__(self) -> None:
        for address in (self.program_id, *(self.accounts or ())):
            Pubkey.from_string(address)
        if self.parsed is msgspec.UNSET and not (
            self.accounts is not None and self.data is not None and base58.is_base58(self.data)
        ):
            raise ValueError("neither parsed nor accounts and data")

    def call(self, outer: int) -> SimulatedCall:
        if self.parsed is not msgspec.UNSET:
            # Of some programs, memos for one, a mere text.
            parsed = self.parsed if isinstance(self.parsed, dict) else {"info": self.parsed}
            return SimulatedCall(outer, self.program_id, None, None, parsed)
        return SimulatedCall(outer, self.program_id, tuple(self.accounts or ()), self.data, None)


class _CallsShape(Shape, frozen=True):
    index: Index
    instructions: list[_CallShape]


@dataclass(frozen=True, slots=True)
class Simulation:
    """What a transaction would do on the node's state of ``slot``.

    ``accounts`` are those that were asked for, in that order, as they would be afterwards; empty when it fails.
    ``replaced`` is the blockhash that stood in for the transaction's own, and ``calls`` are those between programs,
    None where they were not asked for.
    """

    slot: int
    error: TransactionError | None
    logs: tuple[str, ...] = field(repr=False)
    units: int | None
    accounts: tuple[Account | None, ...]
    returned: ReturnData | None
    replaced: Blockhash | None
    calls: tuple[SimulatedCall, ...] | None


class SimulationShape(Shape, frozen=True):
    """A simulation without the slot that it is of."""

    err: Variant | None = None
    logs: list[str] | None = None
    units_consumed: Count | None = None
    accounts: list[AccountShape | None] | None = None
    return_data: ReturnShape | None = None
    replacement_blockhash: Blockhash | None = None
    inner_instructions: list[_CallsShape] | None = None


def read_simulation(answer: At[SimulationShape], asked: int) -> Simulation:
    """Read a simulation that was asked for ``asked`` accounts; ValueError for a success that tells of others."""
    slot, shape = answer.context.slot, answer.value
    error, accounts, replaced = read_error(shape.err), shape.accounts or (), shape.replacement_blockhash
    if error is None and len(accounts) != asked:
        raise ValueError("not the accounts that were asked for")
    calls = shape.inner_instructions
    return Simulation(
        slot, error, log_lines(shape.logs), shape.units_consumed,
        () if error is not None else tuple(read_accounts(accounts)), read_returned(shape.return_data),
        None if replaced is None else msgspec.structs.replace(replaced, slot=slot),
        None if calls is None else tuple(each.call(group.index) for group in calls for each in group.instructions),
    )  # fmt: skip
