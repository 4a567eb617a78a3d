"""The call of OpenOcean's exchange is read exactly."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhumbline.adapters.openocean.calldata import SWAP, ExchangeSwap, read_swap
from rhumbline.domain.errors import UpstreamFailed

ADDRESSES = st.integers(0, 2**160 - 1).map(lambda number: f"0x{number:040x}")
AMOUNTS = st.integers(0, 2**256 - 1)
CALLS = st.tuples(
    ADDRESSES,
    st.tuples(
        ADDRESSES, ADDRESSES, ADDRESSES, ADDRESSES, AMOUNTS, AMOUNTS, AMOUNTS, AMOUNTS, ADDRESSES,
        st.binary(max_size=40),
    ),
    st.lists(st.tuples(AMOUNTS, AMOUNTS, AMOUNTS, st.binary(max_size=70)), max_size=3),
)  # fmt: skip


@given(CALLS)
def test_a_call_reads_back_as_it_was_written(call: tuple[Any, ...]) -> None:
    token_in, token_out, _, receiver, amount, minimum, _, flags, _, permit = call[1]
    expected = ExchangeSwap(token_in, token_out, receiver, amount, minimum, flags, permit)
    assert read_swap(SWAP.encode(*call)) == expected


@given(CALLS, st.binary(min_size=1, max_size=64), st.data())
def test_a_call_that_is_longer_or_cut_off_is_not_read(call: tuple[Any, ...], more: bytes, data: st.DataObject) -> None:
    whole = SWAP.encode(*call)
    cut = data.draw(st.integers(0, len(whole) - 1))
    for other in (whole + more, whole[:cut]):
        with pytest.raises(UpstreamFailed, match="not a call"):
            read_swap(other)


def test_the_selector_is_the_published_one() -> None:
    assert SWAP.selector.hex() == "90411a32"
