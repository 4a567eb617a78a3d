"""Where tokens keep balances: places of mappings, and widths that leave flags alone."""

import pytest
from eth_utils.crypto import keccak
from hypothesis import given
from hypothesis import strategies as st

from rhumbline.simulation.evm.slots import Layout, Slot, Style, mark, recognised
from tests.routing.venues import OTHER, WALLET
from tests.simulation.evm.test_verdict import word


def test_places_of_mappings() -> None:
    """Solidity hashes key and place, Vyper place and key; a mapping in a mapping does it twice."""
    assert Layout(Style.SOLIDITY, 9).key(WALLET) == keccak(word(WALLET) + (9).to_bytes(32))
    assert Layout(Style.VYPER, 9).key(WALLET) == keccak((9).to_bytes(32) + word(WALLET))
    inner = keccak(word(WALLET) + (10).to_bytes(32))
    assert Layout(Style.SOLIDITY, 10).key(WALLET, OTHER) == keccak(word(OTHER) + inner)
    solady = bytes.fromhex(WALLET[2:]) + bytes(8) + bytes.fromhex("87a211a2")
    assert Layout(Style.SOLADY, 0x87A211A2).key(WALLET) == keccak(solady)


@pytest.mark.parametrize("width", [64, 96, 112, 128, 160, 255, 256])
def test_a_place_is_recognised_with_its_width(width: int) -> None:
    marks = {Layout(Style.SOLIDITY, position): mark(position.to_bytes(32)) for position in range(50)}
    layout = Layout(Style.SOLIDITY, 33)
    seen = int.from_bytes(marks[layout]) & ((1 << width) - 1)
    assert recognised(marks, seen.to_bytes(32)) == Slot(layout, width)


@pytest.mark.parametrize("answer", [b"", bytes(32), b"\xff" * 32, b"\x01" * 31])
def test_nobodys_mark(answer: bytes) -> None:
    marks = {Layout(Style.SOLIDITY, position): mark(position.to_bytes(32)) for position in range(50)}
    assert recognised(marks, answer) is None


@given(st.integers(0, 2**256 - 1), st.binary(min_size=32, max_size=32), st.integers(64, 256))
def test_flags_beside_a_balance_stay(number: int, present: bytes, width: int) -> None:
    written = Slot(Layout(Style.SOLIDITY, 0), width).word(number, present)
    if number >= 1 << width:
        assert written is None
        return
    assert written is not None
    value = int.from_bytes(written)
    assert value & ((1 << width) - 1) == number
    assert value >> width == int.from_bytes(present) >> width
