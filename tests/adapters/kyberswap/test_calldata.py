"""The call of KyberSwap's router is read exactly."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhumbline.adapters.kyberswap.calldata import HARMLESS, SWAP, RouterSwap, read_swap
from rhumbline.domain.errors import UpstreamFailed

ADDRESSES = st.integers(0, 2**160 - 1).map(lambda number: f"0x{number:040x}")
AMOUNTS = st.integers(0, 2**256 - 1)
CALLS = st.tuples(
    ADDRESSES,
    ADDRESSES,
    st.binary(max_size=70),
    st.tuples(
        ADDRESSES, ADDRESSES, st.lists(ADDRESSES, max_size=2), st.lists(AMOUNTS, max_size=2),
        st.lists(ADDRESSES, max_size=2), st.lists(AMOUNTS, max_size=2), ADDRESSES, AMOUNTS, AMOUNTS, AMOUNTS,
        st.binary(max_size=40),
    ),
    st.binary(max_size=40),
)  # fmt: skip


@given(CALLS)
def test_a_call_reads_back_as_it_was_written(call: tuple[Any, ...]) -> None:
    _, approved, _, description, _ = call
    token_in, token_out, _, sent, fees, _, receiver, amount, minimum, flags, permit = description
    assert read_swap(SWAP.encode(call)) == RouterSwap(
        approved, token_in, token_out, tuple(sent), tuple(fees), receiver, amount, minimum, flags, permit
    )


@given(CALLS, st.binary(min_size=1, max_size=64), st.data())
def test_a_call_with_more_or_less_behind_it_is_not_read(
    call: tuple[Any, ...], more: bytes, data: st.DataObject
) -> None:
    whole = SWAP.encode(call)
    cut = data.draw(st.integers(0, len(whole) - 1))
    for other in (whole + more, whole[:cut]):
        with pytest.raises(UpstreamFailed, match="not a call"):
            read_swap(other)


def test_the_selector_is_the_documented_one() -> None:
    assert SWAP.selector.hex() == "e21fd0e9"
    assert HARMLESS == 0x280
