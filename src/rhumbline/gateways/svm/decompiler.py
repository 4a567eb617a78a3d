"""Decompiles transactions of others, signed or not, into instructions.

Whatever the runtime would not take is refused. Version 1 is read where it is asked for, of executed transactions: it
has its compute budget in its header, so who bounds that by instructions must not be given one. Sources:
github.com/anza-xyz/solana-sdk, message/src/versions/v0/mod.rs and v1/message.rs (`sanitize`),
transaction/src/versioned/mod.rs, and SIMD-0385, read 2026-11-23.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from solders.errors import BincodeError
from solders.message import Message, MessageV0, MessageV1, from_bytes_versioned, to_bytes_versioned
from solders.signature import Signature
from solders.transaction import SanitizeError, VersionedTransaction

from rhumbline.domain.svm import AccountRole, LookupTable, SvmInstruction
from rhumbline.gateways.svm.messages import LARGEST, LARGEST_V1, V1_PREFIX

NEWEST = 1
"""The newest readable version of messages; the service's own are of version 0."""
_Message = Message | MessageV0 | MessageV1


class Unreadable(ValueError):
    """Bytes that are no transaction of a known form, or that the runtime would refuse."""


class UnknownLookup(Unreadable):
    """A message looks up ``place`` of ``table``, which is not among the tables given."""

    def __init__(self, table: str, place: int) -> None:
        super().__init__(f"entry {place} of lookup table {table} is not known")
        self.table = table
        self.place = place


@dataclass(frozen=True, slots=True)
class Decompiled:
    """A decompiled message.

    ``accounts`` are all of its accounts in order, looked up ones last, each with its role; ``static`` is how many of
    them are in the message itself. ``signatures`` are the present and valid ones, by signer; ``forged`` names signers
    with an invalid one. ``message`` is what they sign. ``version`` is None for a legacy message.
    """

    version: int | None
    message: bytes
    blockhash: str
    accounts: tuple[AccountRole, ...]
    static: int
    instructions: tuple[SvmInstruction, ...]
    signatures: Mapping[str, bytes] = field(default_factory=lambda: MappingProxyType({}))
    forged: tuple[str, ...] = ()

    @property
    def payer(self) -> str:
        """Who pays the transaction's fee, always the first account and a signer."""
        return self.accounts[0].address

    @property
    def signers(self) -> tuple[str, ...]:
        """All required signers, in the order of the signatures."""
        return tuple(role.address for role in self.accounts if role.signer)

    @property
    def missing(self) -> tuple[str, ...]:
        """The signers without a valid signature."""
        return tuple(signer for signer in self.signers if signer not in self.signatures)


@dataclass(frozen=True, slots=True)
class Loaded:
    """The addresses to which a node resolved a transaction's lookups, in their order."""

    writable: tuple[str, ...] = ()
    readonly: tuple[str, ...] = ()


Lookups = Sequence[LookupTable] | Loaded


def decompile(transaction: bytes, lookups: Lookups = (), *, newest: int = 0) -> Decompiled:
    """Decode a whole transaction; raise Unreadable for an invalid one, UnknownLookup if a table is missing.

    ``newest`` is the last supported version of messages.
    """
    largest = LARGEST_V1 if newest and transaction[:1] == V1_PREFIX else LARGEST
    if len(transaction) > largest:
        raise Unreadable("not a transaction: too large for a packet")
    try:
        parsed = VersionedTransaction.from_bytes(transaction)
        parsed.sanitize()
    except (ValueError, SanitizeError, BincodeError) as error:
        raise Unreadable(f"not a transaction: {error}") from None
    if bytes(parsed) != transaction:
        # The library reads on over what follows.
        raise Unreadable("not a transaction: bytes are left over")
    found = _decompiled(_known(parsed.message, newest), lookups)
    signatures: dict[str, bytes] = {}
    forged: list[str] = []
    for signer, signature, holds in zip(found.signers, parsed.signatures, parsed.verify_with_results(), strict=True):
        if holds:
            signatures[signer] = bytes(signature)
        elif signature != Signature.default():
            forged.append(signer)
    return replace(found, signatures=MappingProxyType(signatures), forged=tuple(forged))


def decompile_message(message: bytes, lookups: Lookups = ()) -> Decompiled:
    """Decode an unsigned message; raise as ``decompile`` does."""
    if len(message) > LARGEST:
        raise Unreadable("not a message: too large for a packet")
    try:
        parsed = _known(from_bytes_versioned(message))
        # A message alone has no check of its own: the transaction's is the same and checks its signatures' number.
        count = parsed.header.num_required_signatures
        VersionedTransaction.populate(parsed, [Signature.default()] * count).sanitize()
    except (ValueError, SanitizeError, BincodeError) as error:
        raise Unreadable(f"not a message: {error}") from None
    if to_bytes_versioned(parsed) != message:
        raise Unreadable("not a message: bytes are left over")
    return _decompiled(parsed, lookups)


def lookup_tables_of(message: bytes) -> tuple[str, ...]:
    """Return the addresses of the lookup tables that a message names; raise Unreadable for an invalid message."""
    parsed = _parsed(message)
    tables = parsed.address_table_lookups if isinstance(parsed, MessageV0) else []
    return tuple(str(each.account_key) for each in tables)


def blockhash_of(message: bytes) -> str:
    """Return the blockhash that a message names; raise Unreadable for an invalid message."""
    return str(_parsed(message).recent_blockhash)


def _parsed(message: bytes) -> _Message:
    try:
        return _known(from_bytes_versioned(message))
    except (ValueError, BincodeError) as error:
        raise Unreadable(f"not a message: {error}") from None


def _known(message: object, newest: int = 0) -> _Message:
    if isinstance(message, Message | MessageV0) or (newest and isinstance(message, MessageV1)):
        return message
    raise Unreadable("a message of a version that is not read")


def _decompiled(message: _Message, lookups: Lookups) -> Decompiled:
    writable, readonly = _resolved(message, lookups)
    accounts = (*_static_roles(message), *writable, *readonly)
    if len({role.address for role in accounts}) != len(accounts):
        raise Unreadable("an account stands twice in the message")
    if any(index >= len(accounts) for each in message.instructions for index in each.accounts):
        raise Unreadable("an instruction names an account that is not there")
    static = len(message.account_keys)
    if any(not 0 < each.program_id_index < static for each in message.instructions):
        raise Unreadable("an instruction calls a program that is not there")
    instructions = tuple(
        SvmInstruction(accounts[each.program_id_index].address, tuple(accounts[i] for i in each.accounts), each.data)
        for each in message.instructions
    )
    version = {MessageV0: 0, MessageV1: 1}.get(type(message))
    return Decompiled(
        version, to_bytes_versioned(message), str(message.recent_blockhash), accounts, static, instructions
    )


def _static_roles(message: _Message) -> list[AccountRole]:
    header, count = message.header, len(message.account_keys)
    signers = header.num_required_signatures
    first_readonly_signer = signers - header.num_readonly_signed_accounts
    first_readonly = count - header.num_readonly_unsigned_accounts
    if not 0 < first_readonly_signer <= signers <= first_readonly <= count:
        raise Unreadable("the message's header does not fit its accounts")
    return [
        AccountRole(str(key), index < signers, index < first_readonly_signer or signers <= index < first_readonly)
        for index, key in enumerate(message.account_keys)
    ]


def _resolved(message: _Message, lookups: Lookups) -> tuple[list[AccountRole], list[AccountRole]]:
    tables = message.address_table_lookups if isinstance(message, MessageV0) else []
    if isinstance(lookups, Loaded):
        writable, readonly = list(lookups.writable), list(lookups.readonly)
        many = sum(len(each.writable_indexes) for each in tables), sum(len(each.readonly_indexes) for each in tables)
        if (len(writable), len(readonly)) != many:
            raise Unreadable("not as many addresses were loaded as the message looks up")
    else:
        known = {table.address: table.entries for table in lookups}
        writable = [_entry(known, str(each.account_key), i) for each in tables for i in each.writable_indexes]
        readonly = [_entry(known, str(each.account_key), i) for each in tables for i in each.readonly_indexes]
    return [AccountRole(each, writable=True) for each in writable], [AccountRole(each) for each in readonly]


def _entry(tables: Mapping[str, Mapping[int, str]], table: str, place: int) -> str:
    address = tables.get(table, {}).get(place)
    if address is None:
        raise UnknownLookup(table, place)
    return address
