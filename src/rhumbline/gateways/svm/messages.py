"""Messages of the runtime: compiles instructions into one, and decompiles one into instructions.

A message lists its accounts once: writable signers (the payer first), other signers, writable accounts, the rest; then
those looked up in tables. So a role belongs to the message, not to an instruction: an account that one instruction may
write, every instruction of the message may write. Sources: solana.com/docs/core/transactions and
github.com/anza-xyz/solana-sdk, message/src/compiled_keys.rs and versions/v0/mod.rs, read 2026-11-22.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from solders.address_lookup_table_account import AddressLookupTableAccount
from solders.hash import Hash
from solders.instruction import AccountMeta, Instruction
from solders.message import MessageV0, to_bytes_versioned
from solders.pubkey import Pubkey
from solders.signature import Signature

from rhumbline.domain.svm import AccountRole, LookupTable, SvmInstruction
from rhumbline.gateways.svm.address import decode_address

LARGEST = 1232
"""The bytes of a transaction with signatures that fit into one packet: 1,280 of IPv6 less 48 of headers."""
LARGEST_V1 = 4096
"""Bytes of a transaction of version 1 with its signatures (SIMD-0296, SIMD-0385, read 2026-11-23)."""
V1_PREFIX = b"\x81"
"""The first byte of a transaction of version 1: its message; the signatures follow it, without their number."""
MOST_ACCOUNTS = 64
"""Accounts that one transaction may lock, looked up or not (MAX_TX_ACCOUNT_LOCKS)."""
MOST_ENTRIES = 256
_SIGNATURE = 64


class Unfit(Exception):
    """Instructions that do not make a valid transaction."""


class TooLarge(Unfit):
    """Their transaction would have ``size`` bytes, signatures included, more than a packet holds."""

    def __init__(self, size: int) -> None:
        super().__init__(f"the transaction would have {size} bytes, at most {LARGEST} fit")
        self.size = size


class TooManyAccounts(Unfit):
    """They name ``count`` different accounts, programs included, more than a transaction may lock."""

    def __init__(self, count: int) -> None:
        super().__init__(f"the transaction would name {count} accounts, at most {MOST_ACCOUNTS} are allowed")
        self.count = count


def compile_v0(
    payer: str, instructions: Sequence[SvmInstruction], tables: Sequence[LookupTable], blockhash: str
) -> bytes:
    """Return the serialised v0 message that ``payer`` signs first, deterministically.

    A table is used if it contains an account that neither signs nor is called; an unused table is left out. Raise
    TooLarge if the transaction, with room for every signature, has more than 1,232 bytes, TooManyAccounts beyond 64,
    ValueError for an invalid address, blockhash or table.
    """
    if any(each.program == payer for each in instructions):
        raise ValueError("an instruction calls the payer, who is no program")
    named = merged(payer, instructions)
    if len(named) > MOST_ACCOUNTS:
        raise TooManyAccounts(len(named))
    owner = Pubkey.from_string(payer)
    # Neither accounts nor entries can be too many for their bytes here, so the library has nothing to refuse.
    message = MessageV0.try_compile(
        owner,
        [_instruction(each) for each in instructions],
        [_table(each, owner) for each in tables],
        Hash(decode_address(blockhash)),
    )
    size = _size(message)
    if size > LARGEST:
        # Also because the library panics, which no `except Exception` stops, when lengths do not fit into their fields.
        raise TooLarge(size)
    return to_bytes_versioned(message)


def merged(payer: str, instructions: Iterable[SvmInstruction]) -> dict[str, AccountRole]:
    """Return every account that the instructions name, programs included, with its role in their message."""
    roles = {payer: AccountRole(payer, signer=True, writable=True)}
    for instruction in instructions:
        for role in (*instruction.accounts, AccountRole(instruction.program)):
            known = roles.get(role.address, role)
            roles[role.address] = AccountRole(
                role.address, known.signer or role.signer, known.writable or role.writable
            )
    return roles


@dataclass(frozen=True, slots=True)
class Size:
    """The size of a transaction of some instructions: ``bytes_used`` of 1,232, ``accounts`` of 64."""

    bytes_used: int
    accounts: int


def measure(payer: str, instructions: Sequence[SvmInstruction], tables: Sequence[LookupTable]) -> Size:
    """Return the size of a transaction of these instructions, whether it fits or not.

    Raise TooManyAccounts beyond 64, ValueError for an invalid address or table.
    """
    count = len(merged(payer, instructions))
    try:
        message = compile_v0(payer, instructions, tables, str(Hash.default()))
    except TooLarge as error:
        return Size(error.size, count)
    return Size(transaction_size(message), count)


def transaction_size(message: bytes) -> int:
    """Return the bytes of a message's transaction, with one signature of 64 bytes for each signer."""
    signers = signer_count(message)
    return _length_size(signers) + _SIGNATURE * signers + len(message)


def signer_count(message: bytes) -> int:
    """Return how many signatures a serialised message needs; raise ValueError for one that is too short."""
    header = message[1:] if message[:1] >= b"\x80" else message
    if len(header) < 3:
        raise ValueError("too short to be a message")
    return header[0]


def serialise(message: bytes, signers: Sequence[str], signatures: Mapping[str, bytes]) -> bytes:
    """Return the transaction of a message with the present signatures, zeros for missing ones.

    ``signers`` are the message's, in its order; raise ValueError if their number is wrong, a signature has not 64
    bytes, or a signature is of no signer.
    """
    if len(signers) != signer_count(message) or signatures.keys() - set(signers):
        raise ValueError("not the signers of the message")
    each = [signatures.get(signer, bytes(_SIGNATURE)) for signer in signers]
    if any(len(signature) != _SIGNATURE for signature in each):
        raise ValueError("a signature has 64 bytes")
    return _length(len(signers)) + b"".join(each) + message


def signature_of(transaction: bytes) -> str:
    """Return what a signed transaction is known by, its payer's signature; ValueError where there is none."""
    first = _first_signature(transaction)
    signature = transaction[first : first + _SIGNATURE]
    if not any(signature):
        raise ValueError("the payer has not signed")
    return str(Signature.from_bytes(signature))


def _first_signature(transaction: bytes) -> int:
    if transaction[:1] == V1_PREFIX:
        signers = signer_count(transaction)
        if signers and len(transaction) > _SIGNATURE * signers:
            return len(transaction) - _SIGNATURE * signers
    elif len(transaction) > 1 + _SIGNATURE and 0 < transaction[0] < 0x80:
        return 1
    raise ValueError("not a transaction")


def _instruction(instruction: SvmInstruction) -> Instruction:
    metas = [AccountMeta(Pubkey.from_string(each.address), each.signer, each.writable) for each in instruction.accounts]
    return Instruction(Pubkey.from_string(instruction.program), instruction.data, metas)


def _table(table: LookupTable, payer: Pubkey) -> AddressLookupTableAccount:
    if any(not 0 <= place < MOST_ENTRIES for place in table.entries):
        raise ValueError("a lookup table has at most 256 entries")
    # Unknown entries of the table are filled with the payer, which signs, and so is never looked up.
    entries = [payer] * (max(table.entries, default=-1) + 1)
    for place, address in table.entries.items():
        entries[place] = Pubkey.from_string(address)
    return AddressLookupTableAccount(Pubkey.from_string(table.address), entries)


def _size(message: MessageV0) -> int:
    """Return the transaction's size without serialising it."""
    signers = message.header.num_required_signatures
    size = _length_size(signers) + _SIGNATURE * signers
    # The version, the header of three bytes, the blockhash.
    size += 1 + 3 + 32
    size += _length_size(len(message.account_keys)) + 32 * len(message.account_keys)
    size += _length_size(len(message.instructions))
    for instruction in message.instructions:
        size += 1 + _bytes_size(instruction.accounts) + _bytes_size(instruction.data)
    size += _length_size(len(message.address_table_lookups))
    for lookup in message.address_table_lookups:
        size += 32 + _bytes_size(lookup.writable_indexes) + _bytes_size(lookup.readonly_indexes)
    return size


def _bytes_size(data: bytes) -> int:
    return _length_size(len(data)) + len(data)


def _length_size(length: int) -> int:
    """Return the bytes that a length takes: seven bits in each."""
    return max(1, (length.bit_length() + 6) // 7)


def _length(length: int) -> bytes:
    low = length & 0x7F
    return bytes([low]) if length < 0x80 else bytes([low | 0x80]) + _length(length >> 7)
