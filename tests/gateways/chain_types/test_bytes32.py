"""What the contracts keep in 32 bytes comes back as it was."""

from hashlib import sha256

from hypothesis import given
from hypothesis import strategies as st

from rhumbline.domain.chain import NATIVE_EVM, NATIVE_SVM, Chain, ChainType
from rhumbline.domain.token import Token
from rhumbline.gateways.chain_types.bytes32 import address_word, reference_word, word_address
from rhumbline.gateways.evm.address import checksummed
from rhumbline.gateways.svm import address as svm

EVM = Chain(1, "one", "One", ChainType.EVM, Token(1, NATIVE_EVM, "ETH", 18, "Ether"), mainnet=True)
SVM = Chain(2, "two", "Two", ChainType.SVM, Token(2, NATIVE_SVM, "SOL", 9, "Sol"), mainnet=True)


@given(st.binary(min_size=20, max_size=20))
def test_evm_addresses(raw: bytes) -> None:
    address = checksummed(raw)
    word = address_word(EVM, address)
    assert word == bytes(12) + raw
    assert address_word(EVM, address.lower()) == word
    assert word_address(EVM, word) == address


@given(st.binary(min_size=32, max_size=32))
def test_words_that_are_no_evm_address(word: bytes) -> None:
    assert (word_address(EVM, word) is None) == any(word[:12])


@given(st.binary(min_size=32, max_size=32))
def test_svm_addresses(raw: bytes) -> None:
    address = word_address(SVM, raw)
    assert address is not None
    assert svm.decode_address(address) == raw
    if address != NATIVE_SVM:
        assert address_word(SVM, address) == raw


def test_native_assets_are_zero() -> None:
    assert address_word(EVM, NATIVE_EVM) == address_word(SVM, NATIVE_SVM) == bytes(32)


@given(st.text())
def test_references_of_any_form_are_32_bytes(text: str) -> None:
    assert len(reference_word(text)) == 32
    assert reference_word(text) == reference_word(text)


@given(st.binary(min_size=32, max_size=32), st.booleans())
def test_references_of_32_bytes_are_kept(raw: bytes, upper: bool) -> None:
    assert reference_word(("0X" + raw.hex().upper()) if upper else "0x" + raw.hex()) == raw


def test_other_references_are_told_apart_by_their_hash() -> None:
    assert reference_word(None) == bytes(32)
    for text in ("", "0x", "0x" + 63 * "a", "0x" + 64 * "g", "0x" + 65 * "a", 64 * "a", "order-17"):
        assert reference_word(text) == sha256(text.encode()).digest()


@given(st.text(" 0123456789abcdef\n", min_size=64, max_size=64))
def test_blanks_are_no_hex(text: str) -> None:
    expected = sha256(f"0x{text}".encode()).digest() if set(text) & {" ", "\n"} else bytes.fromhex(text)
    assert reference_word("0x" + text) == expected
