"""The extensions of Token-2022 after a mint or an account: each has a type, a length and a value.

Numbers and layouts: github.com/solana-program/token-2022, interface/src/extension/, commit 426400f of 2026-08-17.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from struct import Struct

_HEAD = Struct("<HH")
_FEE = Struct("<QQH")
_ALL = 10_000
U64 = 2**64 - 1


class Extension(IntEnum):
    """The types of extensions; 0 is the end."""

    TRANSFER_FEE_CONFIG = 1
    TRANSFER_FEE_AMOUNT = 2
    MINT_CLOSE_AUTHORITY = 3
    CONFIDENTIAL_TRANSFER_MINT = 4
    CONFIDENTIAL_TRANSFER_ACCOUNT = 5
    DEFAULT_ACCOUNT_STATE = 6
    IMMUTABLE_OWNER = 7
    MEMO_TRANSFER = 8
    NON_TRANSFERABLE = 9
    INTEREST_BEARING_CONFIG = 10
    CPI_GUARD = 11
    PERMANENT_DELEGATE = 12
    NON_TRANSFERABLE_ACCOUNT = 13
    TRANSFER_HOOK = 14
    TRANSFER_HOOK_ACCOUNT = 15
    CONFIDENTIAL_TRANSFER_FEE_CONFIG = 16
    CONFIDENTIAL_TRANSFER_FEE_AMOUNT = 17
    METADATA_POINTER = 18
    TOKEN_METADATA = 19
    GROUP_POINTER = 20
    TOKEN_GROUP = 21
    GROUP_MEMBER_POINTER = 22
    TOKEN_GROUP_MEMBER = 23
    CONFIDENTIAL_MINT_BURN = 24
    SCALED_UI_AMOUNT = 25
    PAUSABLE = 26
    PAUSABLE_ACCOUNT = 27
    PERMISSIONED_BURN = 28


_OF_ACCOUNTS = frozenset({
    Extension.TRANSFER_FEE_AMOUNT, Extension.CONFIDENTIAL_TRANSFER_ACCOUNT, Extension.IMMUTABLE_OWNER,
    Extension.MEMO_TRANSFER, Extension.CPI_GUARD, Extension.NON_TRANSFERABLE_ACCOUNT, Extension.TRANSFER_HOOK_ACCOUNT,
    Extension.CONFIDENTIAL_TRANSFER_FEE_AMOUNT, Extension.PAUSABLE_ACCOUNT,
})  # fmt: skip


def read_extensions(data: bytes) -> Mapping[int, bytes]:
    """Return the extensions by type, unknown types too; raise ValueError for truncated or duplicate ones."""
    found: dict[int, bytes] = {}
    at = 0
    while len(data) - at >= 2 and data[at : at + 2] != b"\x00\x00":
        if len(data) - at < _HEAD.size:
            raise ValueError("an extension is cut off")
        kind, length = _HEAD.unpack_from(data, at)
        at += _HEAD.size
        if length > len(data) - at or kind in found:
            raise ValueError("an extension is cut off, or there twice")
        found[kind] = data[at : at + length]
        at += length
    return found


def unknown_to_mints(extensions: Mapping[int, bytes]) -> tuple[int, ...]:
    """Return unknown types, whose effect on a transfer cannot be judged."""
    return tuple(sorted(kind for kind in extensions if kind not in _MINT_TYPES))


def unknown_to_accounts(extensions: Mapping[int, bytes]) -> tuple[int, ...]:
    """Return the types that no token account is known to have."""
    return tuple(sorted(extensions.keys() - _OF_ACCOUNTS))


_MINT_TYPES = frozenset(Extension) - _OF_ACCOUNTS


@dataclass(frozen=True, slots=True)
class TransferFee:
    """A mint's transfer fee: ``basis_points`` of the amount, at most ``maximum`` raw units."""

    basis_points: int
    maximum: int

    def of(self, amount: int) -> int:
        """Return the fee on a transfer of ``amount``, rounded up, and no more than the maximum."""
        return min(-(-amount * self.basis_points // _ALL), self.maximum)

    def received(self, amount: int) -> int:
        """Return what arrives of a transfer of ``amount``."""
        return amount - self.of(amount)

    def needed(self, received: int) -> int | None:
        """Return the smallest amount of which ``received`` or more arrives, None if no transfer is large enough.

        The received amount never falls as the amount grows, but with a fee of 100 % nothing arrives below the maximum
        fee.
        """
        if received == 0:
            return 0
        amount = received + self.maximum
        if self.basis_points < _ALL:
            amount = min(amount, -(-received * _ALL // (_ALL - self.basis_points)))
        return amount if amount <= U64 else None


@dataclass(frozen=True, slots=True)
class TransferFees:
    """A mint's fee and its next one: a change applies from the second epoch after it was set."""

    older: TransferFee
    newer: TransferFee
    newer_from_epoch: int

    def at(self, epoch: int) -> TransferFee:
        """Return the fee of an epoch."""
        return self.newer if epoch >= self.newer_from_epoch else self.older


def read_transfer_fees(value: bytes) -> TransferFees:
    """Decode the extension of a mint: two authorities, the withheld amount, the older and the newer fee."""
    if len(value) != 108:
        raise ValueError("a transfer fee has 108 bytes")
    _, older_maximum, older_points = _FEE.unpack_from(value, 72)
    epoch, newer_maximum, newer_points = _FEE.unpack_from(value, 90)
    if max(older_points, newer_points) > _ALL:
        raise ValueError("a transfer fee of more than everything")
    return TransferFees(TransferFee(older_points, older_maximum), TransferFee(newer_points, newer_maximum), epoch)
