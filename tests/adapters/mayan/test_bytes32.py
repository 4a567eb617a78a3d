"""Addresses of both kinds of chains as the protocols' words of 32 bytes."""

import pytest
from solders.pubkey import Pubkey

from rhumbline.adapters.mayan import bytes32
from rhumbline.domain.chain import NATIVE_EVM, NATIVE_SVM, ChainType
from rhumbline.domain.errors import UpstreamFailed
from tests.adapters.mayan.stub_upstream import CHAINS, RECEIVER, SOL_RECEIVER, SOLANA


def test_addresses_of_both_kinds_are_words() -> None:
    assert bytes32.word(RECEIVER, ChainType.EVM) == bytes(12) + bytes.fromhex(RECEIVER[2:])
    assert bytes32.word(SOL_RECEIVER, ChainType.SVM) == bytes(Pubkey.from_string(SOL_RECEIVER))
    for text in ("0x" + "11" * 33, "0x" + "11" * 19, "0xzz", "0x" + "11" * 19 + " 1", "0x" + "11 " * 20):
        with pytest.raises(UpstreamFailed):
            bytes32.word(text, ChainType.EVM)
    with pytest.raises(UpstreamFailed):
        bytes32.word(RECEIVER, ChainType.SVM)


def test_native_assets_have_one_marker() -> None:
    assert (
        bytes32.marker_of(NATIVE_EVM, ChainType.EVM) == bytes32.marker_of(NATIVE_SVM, ChainType.SVM) == bytes32.NATIVE
    )
    assert bytes32.marker_of(RECEIVER, ChainType.EVM) == RECEIVER.lower()
    assert bytes32.marker_of(SOL_RECEIVER, ChainType.SVM) == SOL_RECEIVER


def test_who_can_be_paid() -> None:
    assert bytes32.is_payable(RECEIVER, CHAINS[1])
    assert not bytes32.is_payable("0x" + "00" * 20, CHAINS[1])
    assert bytes32.is_payable(SOL_RECEIVER, CHAINS[SOLANA])
    assert not bytes32.is_payable(NATIVE_SVM, CHAINS[SOLANA])
    assert not bytes32.is_payable(str(Pubkey.from_bytes(bytes32.main_account(SOL_RECEIVER))), CHAINS[SOLANA])


def test_the_main_account_is_one_of_mayans_own() -> None:
    owner, _ = Pubkey.find_program_address([b"MAIN"], Pubkey.from_string(bytes32.MAYAN_PROGRAM))
    accounts = {bytes32.main_account(mint) for mint in (SOL_RECEIVER, bytes32.AUCTION)}
    assert len(accounts) == 2
    assert bytes(owner) not in accounts
