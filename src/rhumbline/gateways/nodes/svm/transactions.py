"""Executed transactions as nodes answer them: the signed bytes, and their results.

Only the parts that identify a transaction's owner are decoded at once, the rest when it is needed. Anybody can execute
a transaction that names a followed address, with 64 calls of 10,240 bytes each in it: some 900 kB of an answer for
5,000 lamports. All that of a stranger's transaction is skipped without decoding. Source:
solana.com/docs/rpc/http/gettransaction and solana.com/docs/rpc/json-structures, read 2026-11-22.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Annotated

import msgspec
from solders.pubkey import Pubkey
from solders.signature import Signature

from rhumbline.domain.svm import AccountRole, SvmInstruction
from rhumbline.gateways.nodes.json_rpc import Answer, UnexpectedAnswer, why
from rhumbline.gateways.nodes.svm.fields import Base64, Count, Index, Shape, UnixTime, log_lines
from rhumbline.gateways.nodes.svm.transaction_error import TransactionError, Variant, read_error
from rhumbline.gateways.svm import base58
from rhumbline.gateways.svm.decompiler import NEWEST, Decompiled, Loaded, decompile

LARGEST_ANSWER = 2 * 1024 * 1024
"""The largest answer with a transaction, in bytes: the largest of 64 calls, with accounts and log lines, has half."""
_LARGEST_AMOUNT = 2**64 - 1


@dataclass(frozen=True, slots=True)
class TokenBalance:
    """A token account's balance in raw units; ``owner`` and ``program`` are None if an old node has none."""

    account: str
    mint: str
    owner: str | None
    program: str | None
    amount: int
    decimals: int


@dataclass(frozen=True, slots=True)
class InnerInstruction:
    """A call made by a program under the top-level instruction ``outer``; ``height`` is 2 for a direct one.

    ``text`` is its data in base58, up to 10,240 bytes that anybody may have chosen, so check its ``program`` before
    using ``instruction``.
    """

    outer: int
    program: str
    accounts: tuple[AccountRole, ...] = field(repr=False)
    text: str = field(repr=False)
    height: int | None

    @property
    def instruction(self) -> SvmInstruction:
        """The decoded call; its data is decoded at each access."""
        return SvmInstruction(self.program, self.accounts, base58.decode(self.text))


@dataclass(frozen=True, slots=True)
class Execution:
    """A transaction of a block: its place, its decompiled message, and whether it failed."""

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
    """A transaction of a block and its effects.

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


class _UiAmount(Shape, frozen=True):
    amount: Annotated[str, msgspec.Meta(pattern=r"^[0-9]{1,20}\Z")]
    decimals: Index


class _TokenBalance(Shape, frozen=True):
    account_index: Index
    mint: str
    ui_token_amount: _UiAmount
    owner: str | None = None
    program_id: str | None = None

    def __post_init__(self) -> None:
        for address in (self.mint, self.owner, self.program_id):
            if address is not None:
                Pubkey.from_string(address)
        if int(self.ui_token_amount.amount) > _LARGEST_AMOUNT:
            raise ValueError("more than a token account can hold")

    def balance(self, message: Decompiled) -> TokenBalance:
        account, amount = message.accounts[self.account_index].address, self.ui_token_amount
        return TokenBalance(account, self.mint, self.owner, self.program_id, int(amount.amount), amount.decimals)


class _InnerInstruction(Shape, frozen=True):
    program_id_index: Index
    accounts: list[Index]
    data: str
    stack_height: Index | None = None

    def __post_init__(self) -> None:
        if not base58.is_base58(self.data):
            raise ValueError("not base58")

    def call(self, outer: int, message: Decompiled) -> InnerInstruction:
        # The roles that a program passed on are not reported: these are the message's.
        accounts = tuple(message.accounts[each] for each in self.accounts)
        program = message.accounts[self.program_id_index].address
        return InnerInstruction(outer, program, accounts, self.data, self.stack_height)


class _InnerInstructions(Shape, frozen=True):
    index: Index
    instructions: list[_InnerInstruction]

    def calls(self, message: Decompiled) -> list[InnerInstruction]:
        if self.index >= len(message.instructions):
            raise ValueError("not an instruction of the message")
        return [each.call(self.index, message) for each in self.instructions]


class _LoadedAddresses(Shape, frozen=True):
    writable: tuple[str, ...]
    readonly: tuple[str, ...]

    def __post_init__(self) -> None:
        for address in (*self.writable, *self.readonly):
            Pubkey.from_string(address)


class _Outcome(Shape, frozen=True):
    fee: Count
    pre_balances: list[Count]
    post_balances: list[Count]
    pre_token_balances: list[_TokenBalance] | None = None
    post_token_balances: list[_TokenBalance] | None = None
    inner_instructions: list[_InnerInstructions] | None = None
    log_messages: list[str] | None = None
    compute_units_consumed: Count | None = None


class _Executed(Shape, frozen=True):
    """The part of an answer that is decoded only when needed."""

    meta: _Outcome


class _Meta(Shape, frozen=True):
    err: Variant | None = None
    loaded_addresses: _LoadedAddresses | None = None


class FetchedShape(Shape, frozen=True):
    """The part of an answer that shows whose transaction it is."""

    slot: Count
    transaction: Base64
    meta: _Meta
    block_time: UnixTime | None = None

    def execution(self) -> Execution:
        """Parse the results; raise ValueError for an invalid transaction."""
        there = self.meta.loaded_addresses
        loaded = Loaded() if there is None else Loaded(there.writable, there.readonly)
        message = decompile(self.transaction[0], loaded, newest=NEWEST)
        if message.missing:
            raise ValueError("not everybody signed it")
        return Execution(self.slot, self.block_time, message, read_error(self.meta.err))


_EXECUTED = msgspec.json.Decoder(Answer[_Executed])


@dataclass(frozen=True, slots=True)
class FetchedTransaction(Execution):
    """A transaction of a block, and the node's whole answer about it."""

    body: bytes = field(repr=False)

    def read(self) -> ExecutedTransaction:
        """Read all of it; raise UnexpectedAnswer."""
        try:
            return self._read(_EXECUTED.decode(self.body).result.meta)
        except (ValueError, IndexError, RecursionError) as error:
            # A place beyond the message's accounts is an IndexError.
            raise UnexpectedAnswer(f"the node answered something that is not a transaction{why(error)}") from None

    def _read(self, outcome: _Outcome) -> ExecutedTransaction:
        message, inner = self.message, outcome.inner_instructions
        return ExecutedTransaction(
            self.slot, self.block_time, message, self.error, outcome.fee,
            _balances(message, outcome.pre_balances), _balances(message, outcome.post_balances),
            _tokens(message, outcome.pre_token_balances), _tokens(message, outcome.post_token_balances),
            None if inner is None else tuple(call for each in inner for call in each.calls(message)),
            None if outcome.log_messages is None else log_lines(outcome.log_messages),
            outcome.compute_units_consumed,
        )  # fmt: skip


def read_fetched(body: bytes, shape: FetchedShape | None) -> FetchedTransaction | None:
    """Return the transaction of an answer, None if there is none; raise ValueError for an invalid one."""
    if shape is None:
        return None
    found = shape.execution()
    return FetchedTransaction(found.slot, found.block_time, found.message, found.error, body)


def _balances(message: Decompiled, balances: list[int]) -> Mapping[str, int]:
    if len(balances) != len(message.accounts):
        raise ValueError("not a balance for each account")
    return MappingProxyType({role.address: each for role, each in zip(message.accounts, balances, strict=True)})


def _tokens(message: Decompiled, balances: list[_TokenBalance] | None) -> tuple[TokenBalance, ...]:
    found = tuple(each.balance(message) for each in balances or ())
    if len({each.account for each in found}) != len(found):
        raise ValueError("an account's balance twice")
    return found
