"""The packed call of Nordstern's guard is read exactly."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhumbline.adapters.nordstern.calldata import SHORTEST, SWAP, GuardSwap, read_swap
from rhumbline.domain.errors import UpstreamFailed

ADDRESSES = st.binary(min_size=20, max_size=20)
AMOUNTS = st.integers(0, 2**128 - 1)


@given(ADDRESSES, AMOUNTS, AMOUNTS, ADDRESSES, ADDRESSES, ADDRESSES, ADDRESSES, st.binary(min_size=1, max_size=40))
def test_a_call_reads_back_as_it_was_packed(
    executor: bytes, amount: int, minimum: int, first: bytes, receiver: bytes, token_in: bytes, token_out: bytes,
    rest: bytes,
) -> None:  # fmt: skip
    head = SWAP + b"\x03\x1f" + executor + amount.to_bytes(16) + minimum.to_bytes(16) + b"\x07"
    call = head + first + receiver + token_in + token_out + rest
    addresses = ["0x" + each.hex() for each in (executor, first, receiver, token_in, token_out)]
    assert read_swap(call) == GuardSwap(addresses[0], amount, minimum, *addresses[1:])
    with pytest.raises(UpstreamFailed, match="not a call"):
        read_swap(call[:SHORTEST])


def test_the_selector_is_the_recorded_one() -> None:
    assert SWAP.hex() == "3f0bde25"
