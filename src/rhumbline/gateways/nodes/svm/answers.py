"""What nodes of Solana answer, as dataclasses, each read strictly: fields that are not read are ignored.

Source of all shapes: solana.com/docs/rpc/http, read 2026-11-22.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from rhumbline.gateways.nodes.svm.block_pace import LIFE_BLOCKS
from rhumbline.gateways.nodes.svm.reading import Reader
from rhumbline.gateways.nodes.svm.transaction_error import TransactionError, read_error
from rhumbline.gateways.svm import base58
from rhumbline.gateways.svm.account import Account

_LAST_SECOND = 253_402_300_799
_COMMITMENTS = frozenset({"processed", "confirmed", "finalized"})


@dataclass(frozen=True, slots=True)
class Blockhash:
    """A recent block, and the height of the last one in which a transaction that names it can still be executed."""

    value: str
    last_valid_block_height: int
    slot: int

    @property
    def height(self) -> int:
        """The height of the block itself."""
        return max(0, self.last_valid_block_height - LIFE_BLOCKS)


@dataclass(frozen=True, slots=True)
class Epoch:
    """Where the chain is: the epoch, its slot and its height (blocks; slots that were skipped do not count)."""

    number: int
    slot: int
    block_height: int


@dataclass(frozen=True, slots=True)
class AccountsAt:
    """Accounts as they were in ``slot``, by address; None for one that is not there."""

    slot: int
    found: Mapping[str, Account | None]


@dataclass(frozen=True, slots=True)
class SignatureInfo:
    """A transaction that named an address, by its first signature. ``block_time`` is a Unix second."""

    signature: str
    slot: int
    error: TransactionError | None
    block_time: int | None
    commitment: str | None


@dataclass(frozen=True, slots=True)
class SignatureStatus:
    """How far a transaction is: ``confirmations`` is None once it is final."""

    slot: int
    error: TransactionError | None
    confirmations: int | None
    commitment: str | None


@dataclass(frozen=True, slots=True)
class PriorityFee:
    """The least price of a unit, in millionths of a lamport, at which a transaction landed in ``slot``."""

    slot: int
    micro_lamports: int


@dataclass(frozen=True, slots=True)
class ReturnData:
    """What the last program that set any returned."""

    program: str
    data: bytes


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


def read_context(value: object) -> tuple[int, object]:
    """Split an answer into the slot that it is of and its value."""
    reader = Reader("an answer with its slot")
    fields = reader.fields(value)
    slot = reader.integer(reader.fields(fields.get("context")).get("slot"))
    if "value" not in fields:
        raise reader.refuse()
    return slot, fields["value"]


def read_blockhash(value: object, slot: int) -> Blockhash:
    """Read a blockhash with its last height."""
    reader = Reader("a blockhash")
    fields = reader.fields(value)
    return Blockhash(reader.address(fields.get("blockhash")), reader.integer(fields.get("lastValidBlockHeight")), slot)


def read_epoch(value: object) -> Epoch:
    """Read where the chain is."""
    reader = Reader("an epoch")
    fields = reader.fields(value)
    names = ("epoch", "absoluteSlot", "blockHeight")
    return Epoch(*(reader.integer(fields.get(name)) for name in names))


def read_account(value: object) -> Account | None:
    """Read an account, None for one that is not there."""
    if value is None:
        return None
    reader = Reader("an account")
    fields = reader.fields(value)
    return Account(
        reader.integer(fields.get("lamports")),
        reader.address(fields.get("owner")),
        reader.base64(fields.get("data")),
        reader.truth(fields.get("executable")),
    )


def read_signature_info(value: object) -> SignatureInfo:
    """Read one entry of an address's history."""
    reader = Reader("a transaction of an address")
    fields = reader.fields(value)
    return SignatureInfo(
        reader.signature(fields.get("signature")), reader.integer(fields.get("slot")), read_error(fields.get("err")),
        read_time(fields.get("blockTime")), read_commitment(fields.get("confirmationStatus")),
    )  # fmt: skip


def read_status(value: object) -> SignatureStatus | None:
    """Read how far a transaction is, None for one that the node does not know."""
    if value is None:
        return None
    reader = Reader("a transaction's status")
    fields = reader.fields(value)
    confirmations = fields.get("confirmations")
    return SignatureStatus(
        reader.integer(fields.get("slot")), read_error(fields.get("err")),
        None if confirmations is None else reader.integer(confirmations),
        read_commitment(fields.get("confirmationStatus")),
    )  # fmt: skip


def read_priority_fee(value: object) -> PriorityFee:
    """Read what was paid in one slot."""
    reader = Reader("a priority fee")
    fields = reader.fields(value)
    return PriorityFee(reader.integer(fields.get("slot")), reader.integer(fields.get("prioritizationFee")))


def read_simulation(value: object, slot: int, asked: int) -> Simulation:
    """Read a simulation that was asked for ``asked`` accounts; a success must tell of all of them."""
    reader = Reader("a simulation")
    fields = reader.fields(value)
    error = read_error(fields.get("err"))
    listed = fields.get("accounts")
    accounts = tuple(read_account(each) for each in reader.items(listed)) if listed is not None else ()
    if error is None and len(accounts) != asked:
        raise reader.refuse()
    units, replaced = fields.get("unitsConsumed"), fields.get("replacementBlockhash")
    return Simulation(
        slot, error, reader.logs(fields.get("logs")), None if units is None else reader.integer(units),
        accounts if error is None else (), read_returned(fields.get("returnData")),
        None if replaced is None else read_blockhash(replaced, slot), _calls(fields.get("innerInstructions")),
    )  # fmt: skip


def _calls(value: object) -> tuple[SimulatedCall, ...] | None:
    if value is None:
        return None
    reader = Reader("a list of inner instructions")
    groups = [reader.fields(each) for each in reader.items(value)]
    return tuple(
        _call(reader.index(group.get("index")), each)
        for group in groups
        for each in reader.items(group.get("instructions"))
    )


def _call(outer: int, value: object) -> SimulatedCall:
    reader = Reader("an inner instruction")
    fields = reader.fields(value)
    program = reader.address(fields.get("programId"))
    if "parsed" in fields:
        # Of some programs, memos for one, a mere text.
        parsed = fields["parsed"]
        return SimulatedCall(outer, program, None, None, parsed if isinstance(parsed, dict) else {"info": parsed})
    accounts = tuple(reader.address(each) for each in reader.items(fields.get("accounts")))
    return SimulatedCall(outer, program, accounts, reader.base58(fields.get("data")), None)


def read_returned(value: object) -> ReturnData | None:
    """Read what a program returned, None for nothing."""
    if value is None:
        return None
    reader = Reader("what a program returned")
    fields = reader.fields(value)
    return ReturnData(reader.address(fields.get("programId")), reader.base64(fields.get("data")))


def read_time(value: object) -> int | None:
    """Read a Unix second before the year 10,000, None where the node does not know it."""
    return None if value is None else Reader("a time").integer(value, _LAST_SECOND)


def read_commitment(value: object) -> str | None:
    """Read how sure a transaction is, None where the node does not say."""
    if value is None:
        return None
    reader = Reader("a commitment")
    if reader.text(value) not in _COMMITMENTS:
        raise reader.refuse()
    return reader.text(value)
