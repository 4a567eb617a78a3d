"""Addresses, derived and given; base58 of other lengths; rent; lookup tables that are none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from solders.keypair import Keypair
from solders.pubkey import Pubkey
from solders.signature import Signature
from solders.token.associated import get_associated_token_address

from rhumbline.gateways.svm import address, base58
from rhumbline.gateways.svm.programs import SPL, SPL_2022, SYSTEM
from tests.gateways.svm.strategies import addresses


@pytest.mark.parametrize("size", [0, 1, 31, 33, 64])
def test_an_address_has_32_bytes(size: int) -> None:
    text = base58.encode(bytes([7] * size))
    assert not address.is_address(text)
    for read in (address.decode_address, address.is_on_curve):
        with pytest.raises(ValueError, match=r"."):
            read(text)
    with pytest.raises(ValueError, match="32 bytes"):
        address.encode_address(bytes(size))


@pytest.mark.parametrize("text", ["0x" + "ab" * 20, "O" * 43, "é", "", " " + SYSTEM])
def test_what_is_no_address(text: str) -> None:
    assert not address.is_address(text)


@given(addresses, addresses, st.sampled_from([SPL, SPL_2022]))
def test_associated_accounts_are_where_others_find_them(owner: str, mint: str, program: str) -> None:
    found = address.associated_token_address(owner, mint, program)
    keys = [Pubkey.from_string(each) for each in (owner, mint, program)]
    assert found == str(get_associated_token_address(keys[0], keys[1], keys[2]))
    assert not address.is_on_curve(found)


def test_wallets_are_on_the_curve() -> None:
    assert address.is_on_curve(str(Keypair().pubkey()))


def test_seeds_are_bounded() -> None:
    assert address.program_address([b"x" * 32] * 15, SPL) != address.program_address([b"x" * 32] * 14, SPL)
    for seeds in ([b"x" * 33], [b""] * 16):
        with pytest.raises(ValueError, match="15 seeds of 32 bytes"):
            address.program_address(seeds, SPL)


@given(st.binary(max_size=100))
def test_base58_there_and_back(data: bytes) -> None:
    assert base58.decode(base58.encode(data)) == data


@given(st.binary(min_size=64, max_size=64))
def test_base58_is_that_of_signatures(data: bytes) -> None:
    assert base58.encode(data) == str(Signature.from_bytes(data))


@pytest.mark.parametrize("text", ["0", "O", "I", "l", "é", "a b", "1" * 16_385])
def test_what_is_no_base58(text: str) -> None:
    with pytest.raises(ValueError, match="base58"):
        base58.decode(text)
