"""Accounts of any chain as 32 bytes, and back."""

import pytest

from rhumbline.adapters.across.bytes32 import evm_address, shown, to_word

EVM = "0x09aea4b2242abC8bb4BB78D537A67a245A7bEC64"
SOLANA = "DLv3NggMiSaef97YCkew5xKUHDh13tVGZ7tydt3ZeAru"


@pytest.mark.parametrize("account", [EVM, SOLANA])
def test_an_account_is_read_as_it_was_written(account: str) -> None:
    word = to_word(account)
    assert (len(word), shown(word), to_word("0x" + word.hex())) == (32, account, word)


@pytest.mark.parametrize("text", ["", "0x", EVM[:-2], EVM + "00", "0x " + "00" * 31, SOLANA + "11", "0" * 44])
def test_what_is_no_account_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        to_word(text)


def test_an_account_of_solana_is_no_evm_address() -> None:
    with pytest.raises(ValueError, match="not an EVM address"):
        evm_address(to_word(SOLANA))
