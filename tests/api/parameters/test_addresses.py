"""Wallets, in every case and on every chain."""

from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhumbline.api.parameters.addresses import Wallet, read_currency, read_wallet
from rhumbline.api.parameters.parameter import Unreadable
from rhumbline.gateways.evm.address import checksummed
from tests.api.api_service import ETH, SOLANA, SOLANA_WALLET, WALLET
from tests.api.parameters.test_parameter import fault_of


@given(st.binary(min_size=20, max_size=20))
def test_every_case_of_a_wallet(raw: bytes) -> None:
    canonical = checksummed(raw)
    for text in (canonical, canonical.lower(), "0x" + canonical[2:].upper()):
        assert read_wallet(ETH, text) == canonical
        assert read_currency(ETH, text) in (canonical, "0x" + "0" * 40)
    swapped = "0x" + canonical[2:].swapcase()
    if swapped.lower() != swapped and swapped[2:].upper() != swapped[2:]:
        with pytest.raises(Unreadable, match="checksum"):
            read_wallet(ETH, swapped)
        assert read_currency(ETH, swapped) == canonical


@given(st.text(max_size=60))
def test_no_text_breaks_the_address_rules(text: str) -> None:
    for chain, read in ((ETH, read_wallet), (ETH, read_currency), (SOLANA, read_wallet), (SOLANA, read_currency)):
        assert fault_of(partial(read, chain, text)).isprintable()


def test_base58_is_exact() -> None:
    assert read_wallet(SOLANA, SOLANA_WALLET) == SOLANA_WALLET
    with pytest.raises(Unreadable, match="which is an EVM address"):
        read_wallet(SOLANA, WALLET)
    with pytest.raises(Unreadable, match="which is a Solana address"):
        read_currency(ETH, SOLANA_WALLET)


@given(st.binary(min_size=20, max_size=20))
def test_a_wallet_of_any_chain_is_read_as_on_its_own(raw: bytes) -> None:
    canonical = checksummed(raw)
    assert Wallet().read(canonical.lower()) == Wallet().read(canonical) == canonical
    assert Wallet().read(SOLANA_WALLET) == SOLANA_WALLET


@given(st.text(max_size=60))
def test_no_text_breaks_the_rule_of_any_wallet(text: str) -> None:
    assert fault_of(partial(Wallet().read, text)).isprintable()
