"""Accounts as nodes return them, their rent, and the lookup tables in them.

Layout of a table: u32 kind (1 for a table), u64 slot of deactivation (all ones for none), u64 slot of the last
extension, u8 how many entries there were before it, an optional authority of 1 + 32 bytes, 2 bytes of padding; then 32
bytes an entry. Source: github.com/solana-program/address-lookup-table, program/src/state.rs, read 2026-11-22.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from struct import Struct
from types import MappingProxyType

from rhumbline.domain.svm import LookupTable
from rhumbline.gateways.svm.address import encode_address
from rhumbline.gateways.svm.programs import LOOKUP_TABLES

_OVERHEAD = 128


@dataclass(frozen=True, slots=True)
class Account:
    """An account: its balance in lamports, the program that owns it, its data, and whether it is a program."""

    lamports: int
    owner: str
    data: bytes = field(repr=False)
    executable: bool = False


@dataclass(frozen=True, slots=True)
class Rent:
    """The minimum balance of an account: ``lamports_per_byte``, for its data and 128 bytes more.

    Since every account must hold it at the end of a transaction that changes it (or be empty), a transfer that leaves
    a wallet with less fails as a whole. The rate is asked of the node: it was 6,960 for years, and has been proposed
    to be lowered by steps (SIMD-0436). Source: solana.com/docs/core/accounts, read 2026-11-22.
    """

    lamports_per_byte: int

    def minimum(self, size: int) -> int:
        """Return the lamports that an account with ``size`` bytes of data must hold."""
        return (_OVERHEAD + size) * self.lamports_per_byte

    def keeps(self, balance: int, size: int = 0) -> bool:
        """Return whether a transaction may leave an account with such a balance; zero is allowed."""
        return balance == 0 or balance >= self.minimum(size)

    @classmethod
    def of_nothing(cls, lamports: int) -> "Rent":
        """Read the rate off the minimum of an account without data; ValueError when that is no multiple of 128."""
        rate, rest = divmod(lamports, _OVERHEAD)
        if rest or rate < 0:
            raise ValueError("the minimum of an account without data is no multiple of its overhead")
        return cls(rate)


_HEADER = Struct("<IQQB")
_HEADER_SIZE = 56
_ENTRY = 32
_MOST_ENTRIES = 256
_TABLE = 1
_NEVER = 2**64 - 1


class NoLookupTable(ValueError):
    """An account that is no lookup table, or one that is being deactivated."""


def read_lookup_table(address: str, account: Account | None, slot: int) -> LookupTable:
    """Return the table entries usable after ``slot``; raise NoLookupTable if it cannot be used.

    Entries added in ``slot`` itself are left out: they count from the next one. A table that is being deactivated
    would still serve for about 512 slots, less than a wallet may take to sign: it is refused.
    """
    if account is None or account.owner != LOOKUP_TABLES:
        raise NoLookupTable(f"{address} is no lookup table")
    data = account.data
    count, rest = divmod(len(data) - _HEADER_SIZE, _ENTRY)
    if count < 0 or rest or count > _MOST_ENTRIES:
        raise NoLookupTable(f"{address} is no lookup table")
    kind, deactivated, extended, before = _HEADER.unpack_from(data)
    if kind != _TABLE:
        raise NoLookupTable(f"{address} is no lookup table")
    if deactivated != _NEVER:
        raise NoLookupTable(f"the lookup table {address} is being taken out of service")
    active = count if slot > extended else min(before, count)
    return LookupTable(address, _entries(data, active))


def _entries(data: bytes, count: int) -> Mapping[int, str]:
    places = (_HEADER_SIZE + _ENTRY * place for place in range(count))
    return MappingProxyType({i: encode_address(data[at : at + _ENTRY]) for i, at in enumerate(places)})
