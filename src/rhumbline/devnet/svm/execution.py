"""One execution of a transaction on the runtime, in the JSON form of nodes."""

from base64 import b64encode
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from solders.account import Account
from solders.message import Message, MessageV0, MessageV1
from solders.pubkey import Pubkey
from solders.transaction import VersionedTransaction
from solders.transaction_metadata import FailedTransactionMetadata, TransactionMetadata

from rhumbline.devnet.svm.programs import LOOKUP_TABLES
from rhumbline.devnet.svm.token_layouts import amount_json, read_holding, read_mint
from rhumbline.devnet.svm.transaction_errors import error_json
from rhumbline.gateways.svm import base58

Accounts = Callable[[Pubkey], Account | None]
_TABLE_HEADER = 56


@dataclass(frozen=True, slots=True)
class Named:
    """A message's accounts in order: its own, then those looked up as writable, then as read-only."""

    own: tuple[Pubkey, ...]
    writable: tuple[Pubkey, ...]
    readonly: tuple[Pubkey, ...]

    @property
    def all(self) -> tuple[Pubkey, ...]:
        """All accounts, in order."""
        return self.own + self.writable + self.readonly


class LookupFailed(Exception):
    """A message's accounts cannot be resolved; the argument is the runtime's name of the error."""


def named_accounts(message: Message | MessageV0 | MessageV1, accounts: Accounts) -> Named:
    """Return all accounts of a message, its lookup tables read; raise LookupFailed."""
    writable: list[Pubkey] = []
    readonly: list[Pubkey] = []
    if isinstance(message, MessageV0):
        for lookup in message.address_table_lookups:
            table = accounts(lookup.account_key)
            if table is None:
                raise LookupFailed("AddressLookupTableNotFound")
            if table.owner != LOOKUP_TABLES or len(table.data) < _TABLE_HEADER:
                raise LookupFailed("InvalidAddressLookupTableOwner")
            writable += (_entry(table, place) for place in lookup.writable_indexes)
            readonly += (_entry(table, place) for place in lookup.readonly_indexes)
    return Named(tuple(message.account_keys), tuple(writable), tuple(readonly))


@dataclass(frozen=True, slots=True)
class Balances:
    """Lamports, and tokens in the nodes' form, of a message's accounts."""

    lamports: list[int]
    tokens: list[dict[str, object]]


def balances(keys: Sequence[Pubkey], accounts: Accounts) -> Balances:
    found = [accounts(key) for key in keys]
    tokens: list[dict[str, object]] = []
    for place, account in enumerate(found):
        holding = read_holding(account)
        mint = None if holding is None else read_mint(accounts(holding.mint))
        if account is None or holding is None or mint is None:
            continue
        tokens.append({
            "accountIndex": place, "mint": str(holding.mint), "owner": str(holding.owner),
            "programId": str(account.owner), "uiTokenAmount": amount_json(holding.amount, mint.decimals),
        })  # fmt: skip
    return Balances([0 if account is None else account.lamports for account in found], tokens)


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of an execution; ``error`` in the nodes' form, None for a success."""

    error: object
    metadata: TransactionMetadata

    @classmethod
    def of(cls, result: object) -> "Outcome":
        """Read the runtime's result of an execution or a simulation."""
        if isinstance(result, FailedTransactionMetadata):
            return cls(error_json(result.err()), result.meta())
        if isinstance(result, TransactionMetadata):
            return cls(None, result)
        raise TypeError(f"{type(result).__name__} is no result of a transaction")

    @property
    def returned(self) -> dict[str, object] | None:
        """The return data of the last program, None without."""
        data = self.metadata.return_data()
        if not data.data:
            return None
        return {"programId": str(data.program_id), "data": [b64encode(bytes(data.data)).decode(), "base64"]}

    @property
    def inner(self) -> list[dict[str, object]]:
        """The inner instructions, by the index of the outer one."""
        return [
            {
                "index": place,
                "instructions": [
                    {
                        "programIdIndex": each.instruction().program_id_index,
                        "accounts": list(each.instruction().accounts),
                        "data": base58.encode(bytes(each.instruction().data)),
                        "stackHeight": each.stack_height(),
                    }
                    for each in group
                ],
            }
            for place, group in enumerate(self.metadata.inner_instructions())
            if group
        ]


def meta_json(outcome: Outcome, named: Named, before: Balances, after: Balances) -> dict[str, object]:
    """Write the `meta` of an executed transaction."""
    written: dict[str, object] = {
        "err": outcome.error,
        "status": {"Ok": None} if outcome.error is None else {"Err": outcome.error},
        "fee": outcome.metadata.fee(),
        "preBalances": before.lamports,
        "postBalances": after.lamports,
        "preTokenBalances": before.tokens,
        "postTokenBalances": after.tokens,
        "innerInstructions": outcome.inner,
        "logMessages": outcome.metadata.logs(),
        "loadedAddresses": loaded_json(named),
        "computeUnitsConsumed": outcome.metadata.compute_units_consumed(),
        "rewards": [],
    }
    if outcome.returned is not None:
        written["returnData"] = outcome.returned
    return written


def loaded_json(named: Named) -> dict[str, list[str]]:
    """Write the addresses that a message looked up in tables."""
    return {"writable": [str(key) for key in named.writable], "readonly": [str(key) for key in named.readonly]}


def with_blockhash(transaction: VersionedTransaction, message: Message | MessageV0 | MessageV1) -> VersionedTransaction:
    """Return a transaction with another message and its old signatures, which do not match any more."""
    return VersionedTransaction.populate(message, transaction.signatures)


def _entry(table: Account, place: int) -> Pubkey:
    key = table.data[_TABLE_HEADER + 32 * place :][:32]
    if len(key) != 32:
        raise LookupFailed("InvalidAddressLookupTableIndex")
    return Pubkey(key)
