"""Transactions, instructions and accounts of Solana, read alone."""

from collections.abc import Sequence
from contextlib import suppress
from random import Random
from struct import pack
from typing import Any

from fuzz.decoder import Decoder
from fuzz.mutations import altered_bytes, altered_text
from rhumbline.domain.errors import UpstreamFailed
from rhumbline.domain.svm import AccountRole, SvmInstruction
from rhumbline.gateways.svm import base58
from rhumbline.gateways.svm.account import Account, NoLookupTable, read_lookup_table
from rhumbline.gateways.svm.address import decode_address, encode_address
from rhumbline.gateways.svm.compute_budget import ComputeBudget, network_fee, read_budget
from rhumbline.gateways.svm.decompiler import (
    Unreadable,
    blockhash_of,
    decompile,
    decompile_message,
    lookup_tables_of,
)
from rhumbline.gateways.svm.fingerprint import find_parts, fingerprint, parts_of, sealed_fingerprint
from rhumbline.gateways.svm.instructions import (
    CloseAccount,
    CreateTokenAccount,
    SyncNative,
    SystemTransfer,
    TokenApproval,
    TokenTransfer,
    decode,
)
from rhumbline.gateways.svm.messages import signature_of, signer_count, transaction_size
from rhumbline.gateways.svm.programs import LOOKUP_TABLES, SPL, SPL_2022
from rhumbline.gateways.svm.signatures import verifies
from rhumbline.gateways.svm.tokens import NoToken, read_mint, read_token_account
from rhumbline.gateways.svm.tracking_instruction import read_tracking, reference_key, tracking_instruction
from rhumbline.gateways.upstreams.svm.transaction import tables_of
from tests.gateways.svm.genuine import ORDER, TABLES
from tests.gateways.svm.runtime import Runtime, transfer_fee

_KEYS = tuple(encode_address(bytes([place] * 32)) for place in range(1, 9))
_MESSAGE_AT = 1 + 64 * 2
_REFERENCE = reference_key(b"k" * 32)


def _transactions() -> tuple[bytes, ...]:
    runtime = Runtime()
    sender, key = str(runtime.payer.pubkey()), _KEYS[0]
    calls = [
        *ComputeBudget(200_000, 1_000).instructions(),
        SystemTransfer(sender, key, 5).encode(),
        tracking_instruction(sender, _REFERENCE, bytes(range(32))),
    ]
    return ORDER, runtime.signed(calls)


def _read_transaction(raw: bytes) -> Any:
    found = decompile(raw, TABLES, newest=1)
    fingerprint(found.instructions)
    assert find_parts(found.instructions, parts_of(found.instructions)) is not None or not parts_of(found.instructions)
    return found.message, [decode(each) for each in found.instructions]


def _read_parts(raw: bytes) -> Any:
    """All that is read of a transaction without decompiling it."""
    tables_of(raw)
    return network_fee(raw), signature_of(raw)


def _read_message(message: bytes) -> Any:
    sealed_fingerprint(message)
    return (
        decompile_message(message, TABLES).message, lookup_tables_of(message), blockhash_of(message),
        signer_count(message), transaction_size(message),
    )  # fmt: skip


def _instructions() -> tuple[SvmInstruction, ...]:
    a, b, c, d = _KEYS[:4]
    return (
        SystemTransfer(a, b, 7).encode(),
        TokenTransfer(SPL, a, b, c, 8).encode(),
        TokenTransfer(SPL_2022, a, b, c, 8, d, 6, 1).encode(),
        TokenApproval(SPL, a, b, c, 9, d, 6).encode(),
        CloseAccount(SPL, a, b, c).encode(),
        SyncNative(SPL, a).encode(),
        CreateTokenAccount.of(a, b, c, SPL).encode(),
        tracking_instruction(a, _REFERENCE, bytes(range(32))),
        *ComputeBudget(100, 5, 32 * 1024, 64 * 1024).instructions(),
    )


def _altered_instruction(rng: Random, given: SvmInstruction, others: Sequence[SvmInstruction]) -> SvmInstruction:
    accounts = list(given.accounts)
    if accounts and rng.randrange(2):
        accounts = accounts[: rng.randrange(len(accounts) + 1)]
    if rng.randrange(2):
        accounts.append(AccountRole(rng.choice(_KEYS), bool(rng.randrange(2)), bool(rng.randrange(2))))
    program = rng.choice(others).program if rng.randrange(4) == 0 else given.program
    return SvmInstruction(program, tuple(accounts), altered_bytes(rng, given.data, [each.data for each in others]))


def _read_instruction(given: SvmInstruction) -> Any:
    read_tracking(given, [_REFERENCE])
    known = decode(given)
    if known is not None:
        assert known.encode().data in (given.data, b"", b"\x00", b"\x01"), "another call than was read"
    return read_budget([given])


def _accounts() -> tuple[Account, ...]:
    runtime = Runtime()
    authority = bytes(runtime.payer.pubkey())
    plain = runtime.mint(freezer=True)
    newer = runtime.mint(
        transfer_fee(100, 10**6, runtime.payer), (64, b"\x24\x00" + authority + authority), (32, b"\x23" + authority),
        (33, b"\x2c\x00" + authority), (52, b"\x21\x00" + authority + pack("<h", 5)), program=SPL_2022,
    )  # fmt: skip
    owner = _KEYS[5]
    made = [plain, newer, runtime.holding(owner, plain, 77), runtime.table(*_KEYS, *map(str, _KEYS[:4]))]
    return tuple(account for each in made if (account := runtime.account(each)) is not None)


def _altered_account(rng: Random, given: Account, others: Sequence[Account]) -> Account:
    owner = rng.choice([SPL, SPL_2022, LOOKUP_TABLES]) if rng.randrange(8) == 0 else given.owner
    return Account(given.lamports, owner, altered_bytes(rng, given.data, [each.data for each in others]))


def _read_account(given: Account) -> Any:
    """As whatever it may be; one of three fits."""
    found: list[Any] = []
    with suppress(NoToken):
        mint = read_mint(_KEYS[0], given)
        found += [mint, mint.obstacle()]
    with suppress(NoToken):
        tokens = read_token_account(_KEYS[0], given)
        found += [tokens, tokens.obstacle_to_receiving()]
    with suppress(NoLookupTable):
        found.append(read_lookup_table(_KEYS[0], given, 10**6))
    if not found:
        raise NoToken("nothing that is known")
    return found


def _base58(text: str) -> Any:
    verifies(text, b"message", text)
    data = base58.decode(text)
    assert base58.encode(data) == text, "two texts for the same bytes"
    try:
        return decode_address(text)
    except ValueError:
        return data


def svm_codecs() -> list[Decoder]:
    """The decoders, each with what it is documented to raise."""
    transactions = _transactions()
    messages = tuple(each[1 + 64 * each[0] :] for each in transactions)
    texts = (*_KEYS, "1" * 88, base58.encode(bytes(range(64))), base58.encode(b"\xff" * 1232))
    return [
        Decoder(
            "transactions of Solana",
            transactions, altered_bytes, _read_transaction, (Unreadable,),
        ),
        Decoder(
            "parts of Solana transactions",
            transactions[1:], altered_bytes, _read_parts, (ValueError, UpstreamFailed),
        ),
        Decoder(
            "messages of Solana", messages, altered_bytes,
            _read_message, (ValueError,),
        ),
        Decoder(
            "instructions of Solana",
            _instructions(), _altered_instruction, _read_instruction, (ValueError,),
        ),
        Decoder(
            "accounts of Solana",
            _accounts(),
            _altered_account, _read_account, (NoToken,),
        ),
        Decoder(
            "base58", texts,
            altered_text, _base58, (ValueError,),
        ),
    ]  # fmt: skip
