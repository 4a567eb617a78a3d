"""Assertions of the Lighthouse program, which fail a transaction if an account is not as asserted.

Source: github.com/Jac0xb/lighthouse, programs/lighthouse/src/instruction.rs and types/assert, commit 4c57947 of
2025-04-27, and the npm package lighthouse-sdk 2.1.0, read 2026-11-23. The program reads one account, writes none, and
needs no signature. Wallets append assertions of their own (docs.phantom.com/developer-powertools/lighthouse).
"""

from struct import Struct

from rhumbline.domain.svm import AccountRole, SvmInstruction
from rhumbline.gateways.svm.address import decode_address

LIGHTHOUSE = "L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95"
_LAMPORTS_ALONE, _OF_ACCOUNT, _OF_TOKENS = 5, 6, 10
_SILENT = 0
_EQUAL, _AT_LEAST, _AT_MOST = 0, 4, 5
_LAMPORTS, _LENGTH, _KNOWN_OWNER = 0, 1, 3
_SYSTEM = 0
_AMOUNT, _DELEGATE, _CLOSER, _OWNER_IS_DERIVED = 2, 3, 7, 8
_NUMBER = Struct("<BQB")


def holds_tokens(account: str, least: int, *, delegate: str | None, closer: str | None) -> SvmInstruction:
    """Assert that an associated token account still belongs to its owner, and holds ``least`` or more.

    ``delegate`` may take from it, ``closer`` may close it beside its owner; None for nobody. ``least`` in raw units of
    64 bits.
    """
    return _tokens(account, least, _key_or_none(_DELEGATE, delegate), _key_or_none(_CLOSER, closer))


def keeps_tokens(account: str, least: int, *, closer: str | None) -> SvmInstruction:
    """Assert the same of an account whose delegate for the input may have used its approval, or not."""
    return _tokens(account, least, _key_or_none(_CLOSER, closer))


def holds_lamports(account: str, least: int) -> SvmInstruction:
    """Assert that an account has at least so many lamports."""
    return _instruction(account, bytes([_LAMPORTS_ALONE, _SILENT]) + _NUMBER.pack(_LAMPORTS, least, _AT_LEAST))


def has_tokens_at_most(account: str, most: int) -> SvmInstruction:
    """Assert that a token account holds no more than ``most``, raw units of 64 bits."""
    return _several(_OF_TOKENS, account, (_NUMBER.pack(_AMOUNT, most, _AT_MOST),))


def has_lamports_at_most(account: str, most: int) -> SvmInstruction:
    """Assert that an account has no more than so many lamports."""
    return _instruction(account, bytes([_LAMPORTS_ALONE, _SILENT]) + _NUMBER.pack(_LAMPORTS, most, _AT_MOST))


def stays_wallet(account: str, least: int) -> SvmInstruction:
    """Assert that an account has at least so many lamports, no data, and no program but the runtime's for an owner."""
    assertions = (
        _NUMBER.pack(_LAMPORTS, least, _AT_LEAST),
        bytes([_KNOWN_OWNER, _SYSTEM, _EQUAL]),
        _NUMBER.pack(_LENGTH, 0, _EQUAL),
    )
    return _several(_OF_ACCOUNT, account, assertions)


def _tokens(account: str, least: int, *more: bytes) -> SvmInstruction:
    first = (_NUMBER.pack(_AMOUNT, least, _AT_LEAST), bytes([_OWNER_IS_DERIVED]))
    return _several(_OF_TOKENS, account, (*first, *more))


def _several(kind: int, account: str, assertions: tuple[bytes, ...]) -> SvmInstruction:
    return _instruction(account, bytes([kind, _SILENT, len(assertions)]) + b"".join(assertions))


def _instruction(account: str, data: bytes) -> SvmInstruction:
    return SvmInstruction(LIGHTHOUSE, (AccountRole(account),), data)


def _key_or_none(kind: int, key: str | None) -> bytes:
    value = b"\x00" if key is None else b"\x01" + decode_address(key)
    return bytes([kind]) + value + bytes([_EQUAL])
