"""Addresses by chain type: what is one, how it is written, and which mean the native asset or nobody."""

import pytest

from rhumbline.domain.chain import NATIVE_EVM, NATIVE_EVM_ALIAS, NATIVE_SVM, ChainType, native_marker
from rhumbline.domain.unowned_addresses import STAND_IN, is_placeholder
from rhumbline.gateways.chain_types.addresses import canonical_address, canonical_token, checksum_holds, is_address

EVM, SVM = ChainType.EVM, ChainType.SVM
USDC = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"
MINT = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"


@pytest.mark.parametrize("text", [USDC, USDC.lower(), "0X" + USDC[2:].upper()])
def test_an_evm_address_has_one_canonical_form(text: str) -> None:
    assert (is_address(EVM, text), checksum_holds(EVM, text)) == (True, True)
    assert canonical_address(EVM, text) == canonical_token(EVM, text) == USDC


def test_a_slip_is_seen_and_no_matter_of_form() -> None:
    slip = USDC.replace("A0b", "a0B")
    assert (is_address(EVM, slip), checksum_holds(EVM, slip), canonical_address(EVM, slip)) == (True, False, USDC)


def test_a_solana_address_is_as_it_is() -> None:
    assert (is_address(SVM, MINT), checksum_holds(SVM, MINT)) == (True, True)
    assert canonical_address(SVM, MINT) == canonical_token(SVM, MINT) == MINT


@pytest.mark.parametrize(
    ("chain_type", "text"),
    [(EVM, MINT), (SVM, USDC), (EVM, "USDC"), (SVM, "USDC"), (EVM, ""), (SVM, ""), (EVM, USDC + " ")],
)
def test_what_is_of_another_form_is_no_address(chain_type: ChainType, text: str) -> None:
    assert not is_address(chain_type, text)
    assert canonical_address(chain_type, text) is None
    assert canonical_token(chain_type, text) is None


@pytest.mark.parametrize("marker", [NATIVE_EVM_ALIAS, NATIVE_EVM_ALIAS.lower(), "0X" + NATIVE_EVM_ALIAS[2:].upper()])
def test_every_marker_of_a_native_asset_becomes_ours(marker: str) -> None:
    assert canonical_token(EVM, marker) == native_marker(EVM) == NATIVE_EVM
    assert canonical_address(EVM, marker) == NATIVE_EVM_ALIAS
    assert canonical_token(SVM, NATIVE_SVM) == native_marker(SVM) == NATIVE_SVM


@pytest.mark.parametrize(
    ("chain_type", "address", "nobody"),
    [
        (EVM, NATIVE_EVM, True), (EVM, NATIVE_EVM_ALIAS, True), (EVM, "0x" + "0" * 36 + "dEaD", True),
        (EVM, USDC, False), (EVM, STAND_IN, False), (SVM, NATIVE_SVM, True), (SVM, MINT, False),
        (SVM, "1nc1nerator11111111111111111111111111111111", True),
    ],
)  # fmt: skip
def test_who_can_sign(chain_type: ChainType, address: str, nobody: bool) -> None:
    assert is_placeholder(chain_type, address) is nobody
