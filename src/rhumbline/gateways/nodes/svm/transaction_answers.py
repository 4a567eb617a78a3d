"""Executed transactions as nodes tell them: the bytes that were signed, and what the runtime made of them.

Source: solana.com/docs/rpc/http/gettransaction and solana.com/docs/rpc/json-structures, read 2026-11-22.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from solders.signature import Signature

from rhumbline.domain.svm import AccountRole, SvmInstruction
from rhumbline.gateways.nodes.svm.answers import ReturnData, read_returned, read_time
from rhumbline.gateways.nodes.svm.reading import NotUnderstood, Reader
from rhumbline.gateways.nodes.svm.transaction_error import TransactionError, read_error
from rhumbline.gateways.svm import base58
from rhumbline.gateways.svm.decompiling import NEWEST, Decompiled, Loaded, Unreadable, decompile


@dataclass(frozen=True, slots=True)
class TokenBalance:
    """What a token account held, in raw units; ``owner`` and ``program`` are None where an old node noted none."""

    account: str
    mint: str
    owner: str | None
    program: str | None
    amount: int
    decimals: int


@dataclass(frozen=True, slots=True)
class InnerInstruction:
    """A call that a program made, under the top instruction number ``outer``; ``height`` is 2 for a direct one.

    ``text`` is its data in base58, up to 10,240 bytes that anybody may have chosen: who asks for the ``instruction``
    has looked at its ``program`` first.
    """

    outer: int
    program: str
    accounts: tuple[AccountRole, ...] = field(repr=False)
    text: str = field(repr=False)
    height: int | None

    @property
    def instruction(self) -> SvmInstruction:
        """The call in words, its data decoded anew each time."""
        return SvmInstruction(self.program, self.accounts, base58.decode(self.text))


@dataclass(frozen=True, slots=True)
class Execution:
    """A transaction of a block: where it is, what was signed, read back, and whether it failed."""

    slot: int
    block_time: int | None
    message: Decompiled
    error: TransactionError | None

    @property
    def signature(self) -> str:
        """What the transaction is known by: its payer's signature."""
        return str(Signature.from_bytes(self.message.signatures[self.message.payer]))


@dataclass(frozen=True, slots=True)
class ExecutedTransaction(Execution):
    """A transaction of a block, and what it did.

    ``balances_before`` and ``balances_after`` are lamports by address, for every account of the message.
    ``tokens_before`` and ``tokens_after`` list the token accounts among them that there were. ``inner`` and ``logs``
    are None where the node did not keep them.
    """

    fee: int
    balances_before: Mapping[str, int]
    balances_after: Mapping[str, int]
    tokens_before: tuple[TokenBalance, ...]
    tokens_after: tuple[TokenBalance, ...]
    inner: tuple[InnerInstruction, ...] | None
    logs: tuple[str, ...] | None = field(repr=False)
    units: int | None
    returned: ReturnData | None


def read_execution(value: object) -> Execution | None:
    """Read of a transaction what tells whose it is, and nothing else; as ``read_transaction`` does."""
    if value is None:
        return None
    reader = Reader("a transaction")
    fields = reader.fields(value)
    meta = reader.fields(fields.get("meta"))
    try:
        transaction = reader.base64(fields.get("transaction"))
        message = decompile(transaction, _loaded(meta.get("loadedAddresses")), newest=NEWEST)
    except Unreadable as error:
        raise NotUnderstood(f"the node answered something that is not a transaction: {error}") from None
    if message.missing:
        raise NotUnderstood("the node answered a transaction that not everybody signed")
    slot, block_time = reader.integer(fields.get("slot")), read_time(fields.get("blockTime"))
    return Execution(slot, block_time, message, read_error(meta.get("err")))


def read_transaction(value: object) -> ExecutedTransaction | None:
    """Read a transaction, None for one that the node does not know, or no longer; NotUnderstood for what is none."""
    found = read_execution(value)
    if found is None:
        return None
    reader, message = Reader("a transaction"), found.message
    meta = reader.fields(reader.fields(value).get("meta"))
    units, logs = meta.get("computeUnitsConsumed"), meta.get("logMessages")
    return ExecutedTransaction(
        found.slot, found.block_time, message, found.error, reader.integer(meta.get("fee")),
        _balances(message, meta.get("preBalances")), _balances(message, meta.get("postBalances")),
        _tokens(message, meta.get("preTokenBalances")), _tokens(message, meta.get("postTokenBalances")),
        _inner(message, meta.get("innerInstructions")), None if logs is None else reader.logs(logs),
        None if units is None else reader.integer(units), read_returned(meta.get("returnData")),
    )  # fmt: skip


def _loaded(value: object) -> Loaded:
    if value is None:
        return Loaded()
    reader = Reader("addresses that were looked up")
    fields = reader.fields(value)
    writable, readonly = (reader.items(fields.get(name)) for name in ("writable", "readonly"))
    return Loaded(tuple(map(reader.address, writable)), tuple(map(reader.address, readonly)))


def _balances(message: Decompiled, value: object) -> Mapping[str, int]:
    reader = Reader("balances of a transaction's accounts")
    balances = reader.items(value)
    if len(balances) != len(message.accounts):
        raise reader.refuse()
    told = zip(message.accounts, balances, strict=True)
    return MappingProxyType({role.address: reader.integer(each) for role, each in told})


def _tokens(message: Decompiled, value: object) -> tuple[TokenBalance, ...]:
    reader = Reader("token balances of a transaction's accounts")
    found = tuple(_token(message, each) for each in reader.items([] if value is None else value))
    if len({each.account for each in found}) != len(found):
        raise reader.refuse()
    return found


def _token(message: Decompiled, value: object) -> TokenBalance:
    reader = Reader("a token balance")
    fields = reader.fields(value)
    amount = reader.fields(fields.get("uiTokenAmount"))
    owner, program = fields.get("owner"), fields.get("programId")
    return TokenBalance(
        _address(message, fields.get("accountIndex")), reader.address(fields.get("mint")),
        None if owner is None else reader.address(owner), None if program is None else reader.address(program),
        reader.amount(amount.get("amount")), reader.integer(amount.get("decimals"), 255),
    )  # fmt: skip


def _inner(message: Decompiled, value: object) -> tuple[InnerInstruction, ...] | None:
    if value is None:
        return None
    reader = Reader("a list of inner instructions")
    found: list[InnerInstruction] = []
    for group in reader.items(value):
        fields = reader.fields(group)
        outer = reader.index(fields.get("index"))
        if outer >= len(message.instructions):
            raise reader.refuse()
        found += [_inner_instruction(message, outer, each) for each in reader.items(fields.get("instructions"))]
    return tuple(found)


def _inner_instruction(message: Decompiled, outer: int, value: object) -> InnerInstruction:
    reader = Reader("an inner instruction")
    fields = reader.fields(value)
    program = _address(message, fields.get("programIdIndex"))
    # What a program passed on of a role is not told: these are the message's.
    accounts = tuple(message.accounts[each] for each in _places(message, fields.get("accounts")))
    height = fields.get("stackHeight")
    return InnerInstruction(
        outer, program, accounts, reader.base58(fields.get("data")),
        None if height is None else reader.integer(height, 255),
    )  # fmt: skip


def _places(message: Decompiled, value: object) -> list[int]:
    """Read the places of an instruction's accounts; there may be thousands of them in a transaction."""
    reader, largest = Reader("the place of an account"), len(message.accounts) - 1
    return [reader.integer(each, largest) for each in reader.items(value)]


def _address(message: Decompiled, place: object) -> str:
    return message.accounts[_place(message, place)].address


def _place(message: Decompiled, place: object) -> int:
    reader = Reader("the place of an account")
    return reader.integer(place, len(message.accounts) - 1)
