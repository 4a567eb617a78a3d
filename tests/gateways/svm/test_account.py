"""Rent is the runtime's, and lookup tables are read as the runtime reads them."""

from struct import pack

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhumbline.gateways.svm.account import Account, NoLookupTable, Rent, read_lookup_table
from rhumbline.gateways.svm.address import decode_address
from rhumbline.gateways.svm.programs import LOOKUP_TABLES, SPL, WRAPPED_SOL
from tests.gateways.svm.runtime import Runtime
from tests.gateways.svm.strategies import KEYS


@given(st.integers(0, 10_000))
def test_rent_is_the_runtimes(size: int) -> None:
    runtime = Runtime()
    rent = Rent.of_nothing(runtime.svm.minimum_balance_for_rent_exemption(0))
    assert rent.minimum(size) == runtime.svm.minimum_balance_for_rent_exemption(size)
    assert rent.keeps(rent.minimum(size), size)
    assert rent.keeps(0, size)
    assert not rent.keeps(rent.minimum(size) - 1, size)
    assert not rent.keeps(1)


@pytest.mark.parametrize("lamports", [127, 129, -128])
def test_a_rent_that_is_none(lamports: int) -> None:
    with pytest.raises(ValueError, match="no multiple"):
        Rent.of_nothing(lamports)


def table(
    count: int = 3, kind: int = 1, deactivated: int = 2**64 - 1, extended: int = 10, before: int = 1, more: bytes = b""
) -> Account:
    header = pack("<IQQB", kind, deactivated, extended, before) + b"\x01" + bytes(32) + bytes(2)
    keys = b"".join(decode_address(key) for key in KEYS[:count])
    return Account(10**7, LOOKUP_TABLES, header + keys + more)


def test_entries_count_from_the_next_slot() -> None:
    for slot, count in ((9, 1), (10, 1), (11, 3), (10**9, 3)):
        assert read_lookup_table(WRAPPED_SOL, table(), slot).entries == dict(enumerate(KEYS[:count]))


@pytest.mark.parametrize(
    ("account", "said"),
    [
        (None, "is no lookup table"),
        (Account(1, SPL, table().data), "is no lookup table"),
        (Account(1, LOOKUP_TABLES, b""), "is no lookup table"),
        (table(kind=0), "is no lookup table"),
        (table(more=b"\x00"), "is no lookup table"),
        (table(more=bytes(32 * 254)), "is no lookup table"),
        (table(deactivated=5), "out of service"),
    ],
)
def test_tables_that_are_not_to_be_used(account: Account | None, said: str) -> None:
    with pytest.raises(NoLookupTable, match=said):
        read_lookup_table(WRAPPED_SOL, account, 100)
