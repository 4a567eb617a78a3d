"""Signatures and digests in base58."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from solders.keypair import Keypair

from rhumbline.gateways.svm.signatures import verifies


@given(seed=st.binary(min_size=32, max_size=32), message=st.binary(max_size=100), place=st.integers(0))
def test_a_signature_is_of_one_key_and_one_message(seed: bytes, message: bytes, place: int) -> None:
    pair = Keypair.from_seed(seed)
    key, signature = str(pair.pubkey()), str(pair.sign_message(message))
    assert verifies(key, message, signature)
    assert not verifies(key, message + b"\x00", signature)
    changed = bytearray(bytes(pair.sign_message(message)))
    changed[place % 64] ^= 1
    assert not verifies(key, message, str(type(pair.sign_message(b"")).from_bytes(bytes(changed))))


@pytest.mark.parametrize("text", ["", "1", "0OIl", "1" * 200, "é"])
def test_what_is_no_signature_verifies_nothing(text: str) -> None:
    key = str(Keypair.from_seed(bytes(32)).pubkey())
    assert not verifies(key, b"", text)
    assert not verifies(text, b"", str(Keypair.from_seed(bytes(32)).sign_message(b"")))
