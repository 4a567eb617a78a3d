"""What may be a name, a wallet, a share."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhumbline.accounts.integrators import RESERVED, canonical_wallet, is_name, name_faults, rule_faults, to_decimal
from rhumbline.domain.chain import ChainType
from rhumbline.domain.fee import FeeRule

CHECKSUMMED = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"


@pytest.mark.parametrize("name", ["a", "Acme", "acme-swap.io", "A_1", "x" * 31, "0"])
def test_good_names(name: str) -> None:
    assert name_faults(name) == ()
    assert len(name.encode("ascii")) < 32


@pytest.mark.parametrize(
    "name",
    ["", "x" * 32, "a b", "a\n", "ä", "a\x00", "a/b", "a'b", "💥", "\ud800", "...", "-", "_", "None", "RhumbLine"],
)
def test_bad_names(name: str) -> None:
    assert len(name_faults(name)) == 1
    assert name_faults(name)[0].startswith("integrator: ")


@pytest.mark.parametrize("name", sorted(RESERVED))
def test_reserved_names_are_refused_in_any_case(name: str) -> None:
    for spelled in (name, name.upper(), name.capitalize()):
        assert "reserved" in name_faults(spelled)[0]


@given(st.text())
def test_whatever_passes_fits_bytes32(name: str) -> None:
    assert not is_name(name) or len(name.encode("ascii")) <= 31


@pytest.mark.parametrize("written", [CHECKSUMMED, CHECKSUMMED.lower(), "0x" + CHECKSUMMED[2:].upper()])
def test_evm_wallets_become_canonical(written: str) -> None:
    assert canonical_wallet(ChainType.EVM, written) == (CHECKSUMMED, ())


def test_svm_wallets_and_no_wallet_stay_as_they_are() -> None:
    wallet = "So11111111111111111111111111111111111111112"
    assert canonical_wallet(ChainType.SVM, wallet) == (wallet, ())
    assert canonical_wallet(ChainType.EVM, None) == (None, ())


@pytest.mark.parametrize(
    ("chain_type", "written", "words"),
    [
        (ChainType.EVM, "", "evm_wallet: must be an EVM address"),
        (ChainType.EVM, CHECKSUMMED[:-1], "evm_wallet: must be an EVM address"),
        (ChainType.EVM, CHECKSUMMED + "\n", "evm_wallet: must be an EVM address"),
        (ChainType.EVM, "So11111111111111111111111111111111111111112", "evm_wallet: must be an EVM address"),
        (ChainType.EVM, CHECKSUMMED[:-1] + "D", "evm_wallet: has a wrong checksum"),
        (ChainType.EVM, "0x" + "0" * 40, "evm_wallet: is an address that nobody can sign for"),
        (ChainType.EVM, "0x" + "0" * 39 + "1", "evm_wallet: is an address that nobody can sign for"),
        (ChainType.EVM, "0x" + "0" * 36 + "ffff", "evm_wallet: is an address that nobody can sign for"),
        (ChainType.EVM, "0xdead" + "0" * 36, "evm_wallet: is an address that nobody can sign for"),
        (ChainType.SVM, "", "svm_wallet: must be a Solana address"),
        (ChainType.SVM, CHECKSUMMED, "svm_wallet: must be a Solana address"),
        (ChainType.SVM, "1" * 32, "svm_wallet: is the System Program"),
        (ChainType.SVM, "O" * 44, "svm_wallet: must be a Solana address"),
    ],
)
def test_bad_wallets(chain_type: ChainType, written: str, words: str) -> None:
    wallet, faults = canonical_wallet(chain_type, written)
    assert wallet is None
    assert len(faults) == 1
    assert faults[0].startswith(words)


@given(st.integers(0, 10**17))
def test_a_share_that_passes_is_stored_exactly(parts: int) -> None:
    rule = FeeRule(Fraction(parts, 10**18), Fraction(parts, 10**19) if parts % 10 == 0 else Fraction(0))
    assert rule_faults(rule) == ()
    assert Fraction(to_decimal(rule.service_share)) == rule.service_share
    assert Fraction(to_decimal(rule.largest_integrator_share)) == rule.largest_integrator_share


@pytest.mark.parametrize(
    ("service", "largest", "words"),
    [
        (Fraction(1), Fraction(0), "service_share: must be between 0 and 0.1"),
        (Fraction(10**17 + 1, 10**18), Fraction(0), "service_share: must be between 0 and 0.1"),
        (Fraction(-1, 10), Fraction(0), "service_share: must be between 0 and 0.1"),
        (Fraction(1, 30), Fraction(0), "service_share: must be a decimal"),
        (Fraction(0), Fraction(11, 100), "largest_integrator_share: must be between"),
        (Fraction(0), Fraction(1, 70), "largest_integrator_share: must be a decimal"),
    ],
)
def test_bad_shares(service: Fraction, largest: Fraction, words: str) -> None:
    assert [fault for fault in rule_faults(FeeRule(service, largest)) if fault.startswith(words)]
