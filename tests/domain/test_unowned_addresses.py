"""Which addresses nobody can sign as, and who takes their place in simulations."""

import pytest

from rhumbline.domain.chain import NATIVE_SVM, ChainType
from rhumbline.domain.unowned_addresses import (
    BURN_ADDRESSES,
    LAST_RESERVED,
    SVM_INCINERATOR,
    is_placeholder,
    is_unowned,
    stand_in,
)


@pytest.mark.parametrize("number", [0, 1, 0xDEAD, LAST_RESERVED, *sorted(BURN_ADDRESSES)])
def test_nobody_signs_as_these(number: int) -> None:
    assert is_unowned(f"0x{number:040x}")
    assert is_unowned(f"{number:064x}"), "as a word of calldata too"
    assert is_placeholder(ChainType.EVM, f"0x{number:040x}")


@pytest.mark.parametrize("address", [f"0x{LAST_RESERVED + 1:040x}", "0x" + "11" * 20, stand_in(ChainType.EVM)])
def test_these_may_have_a_key(address: str) -> None:
    assert not is_placeholder(ChainType.EVM, address)


def test_solana_has_placeholders_of_its_own() -> None:
    assert is_placeholder(ChainType.SVM, NATIVE_SVM)
    assert is_placeholder(ChainType.SVM, SVM_INCINERATOR)
    assert not is_placeholder(ChainType.SVM, stand_in(ChainType.SVM))
