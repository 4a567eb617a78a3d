"""Lookup tables as they lie on the chain.

Layout: u32 kind (1 for a table), u64 slot of deactivation (all ones for none), u64 slot of the last extension, u8 how
many entries there were before it, an optional authority of 1 + 32 bytes, 2 bytes of padding; then 32 bytes an entry.
Source: github.com/solana-program/address-lookup-table, program/src/state.rs, read 2026-11-22.
"""

from collections.abc import Mapping
from struct import Struct
from types import MappingProxyType

from rhumbline.domain.svm import LookupTable
from rhumbline.gateways.svm.account import Account
from rhumbline.gateways.svm.address import encode_address
from rhumbline.gateways.svm.programs import LOOKUP_TABLES

_HEADER = Struct("<IQQB")
_HEADER_SIZE = 56
_ENTRY = 32
_MOST_ENTRIES = 256
_TABLE = 1
_NEVER = 2**64 - 1


class NoLookupTable(ValueError):
    """An account that is no lookup table, or one that is not to be used any more."""


def read_lookup_table(address: str, account: Account | None, slot: int) -> LookupTable:
    """Return what a transaction of a slot after ``slot`` may look up; raise NoLookupTable for what is not to be used.

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
