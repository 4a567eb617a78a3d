"""A swap that is altered anywhere is refused, unless what was altered is the venues' own affair."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from rhumbline.adapters.dflow.checking import Wanted, check_message
from rhumbline.domain.errors import AdapterError
from rhumbline.domain.svm import AccountRole, LookupTable, SvmInstruction
from rhumbline.gateways.svm.address import encode_address
from rhumbline.gateways.svm.decompiler import decompile
from rhumbline.gateways.svm.programs import ASSOCIATED, SPL, SPL_2022, SYSTEM
from tests.adapters.dflow.orders import (
    ENTRIES,
    PROGRAM,
    REQUEST,
    STRANGER,
    TABLE,
    USDC,
    USDT,
    WALLET,
    Trade,
    tokens_of,
    whole,
)

WANTED = Wanted(REQUEST, PROGRAM, (USDC.address, USDT.address), (SPL, SPL))
SWAP = Trade().instruction()
OWN = {WALLET, tokens_of(WALLET, USDC), tokens_of(WALLET, USDT)}
FIXED = 6
ADDRESSES = st.one_of(st.sampled_from([*OWN, STRANGER]), st.binary(min_size=32, max_size=32).map(encode_address))
ROLES = st.builds(AccountRole, ADDRESSES, st.booleans(), st.booleans())
ADDED = st.builds(
    SvmInstruction, st.sampled_from([SYSTEM, SPL, SPL_2022, ASSOCIATED, STRANGER, PROGRAM]),
    st.lists(ROLES, max_size=7).map(tuple), st.binary(max_size=40),
)  # fmt: skip


def is_sound(*instructions: SvmInstruction) -> bool:
    """Tell whether such a transaction is handed out, as one that the wallet alone signs."""
    message = decompile(whole(*instructions), [LookupTable(TABLE, ENTRIES)])
    try:
        check_message(message, WANTED)
    except AdapterError:
        return False
    return message.missing == (WALLET,)


def test_the_swap_is_sound_before() -> None:
    assert is_sound(SWAP)


@given(ADDED, st.booleans())
def test_no_added_instruction_passes(added: SvmInstruction, first: bool) -> None:
    assert not is_sound(*((added, SWAP) if first else (SWAP, added)))


@given(st.integers(0, len(SWAP.accounts) - 1), ADDRESSES)
def test_an_exchanged_account_is_a_venues(place: int, address: str) -> None:
    old = SWAP.accounts[place]
    roles = [*SWAP.accounts]
    roles[place] = replace(old, address=address)
    changed = address != old.address
    missing = OWN - {role.address for role in roles}
    if changed and is_sound(replace(SWAP, accounts=tuple(roles))):
        assert place >= FIXED
        assert not missing


@given(ADDRESSES.filter(lambda each: each != WALLET), st.booleans())
def test_no_added_signer_passes(address: str, writable: bool) -> None:
    signer = AccountRole(address, signer=True, writable=writable)
    assert not is_sound(replace(SWAP, accounts=(*SWAP.accounts, signer)))


@given(st.integers(0, len(SWAP.data) - 1), st.integers(1, 255))
def test_data_that_differ_in_a_byte_tell_the_same_terms(place: int, change: int) -> None:
    data = bytearray(SWAP.data)
    data[place] ^= change
    # The mark, the venue's tag and flags, the quote and the slippage, which the adapter compares, may differ.
    amount = slice(SWAP.data.index(bytes([40])) + 1, SWAP.data.index(bytes([40])) + 9)
    fee = slice(len(data) - 2, len(data))
    if is_sound(replace(SWAP, data=bytes(data))):
        assert data[:12] == SWAP.data[:12]
        assert data[amount] == SWAP.data[amount]
        assert data[fee] == SWAP.data[fee]
