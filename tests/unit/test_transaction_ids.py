import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhumbline.domain.transaction import make_transaction_id, verify_transaction_id

KEY, OLD, OTHER = b"k" * 32, b"o" * 32, b"x" * 32
NONCES = st.binary(min_size=16, max_size=16)
SENDER, STRANGER = "0x" + "11" * 20, "0x" + "22" * 20


@given(NONCES, st.integers(1, 2**53))
def test_an_id_verifies_for_its_own_claim_only(nonce: bytes, chain: int) -> None:
    identifier = make_transaction_id(KEY, nonce, chain, SENDER, "acme")
    assert len(identifier) == 32
    assert identifier[:16] == nonce
    assert verify_transaction_id((KEY,), identifier, chain, SENDER, "acme")
    assert not verify_transaction_id((KEY,), identifier, chain + 1, SENDER, "acme")
    assert not verify_transaction_id((KEY,), identifier, chain, STRANGER, "acme")
    assert not verify_transaction_id((KEY,), identifier, chain, SENDER, "evil")
    assert not verify_transaction_id((KEY,), identifier, chain, SENDER, "")
    assert not verify_transaction_id((OTHER,), identifier, chain, SENDER, "acme")


@given(NONCES)
def test_old_keys_stay_valid_for_reading(nonce: bytes) -> None:
    assert verify_transaction_id((KEY, OLD), make_transaction_id(OLD, nonce, 1, SENDER, "acme"), 1, SENDER, "acme")


@given(st.binary(max_size=64))
def test_an_invented_id_verifies_for_nobody(identifier: bytes) -> None:
    assert not verify_transaction_id((KEY, OLD), identifier, 1, SENDER, "acme")


def test_a_nonce_has_sixteen_bytes() -> None:
    with pytest.raises(ValueError, match="16 bytes"):
        make_transaction_id(KEY, b"short", 1, SENDER, "acme")
