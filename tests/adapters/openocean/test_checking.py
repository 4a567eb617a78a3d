"""Names of the native asset, flags of the exchange; and its call is read exactly."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhumbline.adapters.openocean import SPEC
from rhumbline.adapters.openocean.adapter import OpenOceanAdapter
from rhumbline.adapters.openocean.checking import SWAP, ExchangeSwap, read_swap
from rhumbline.domain.errors import UpstreamFailed
from tests.adapters.exchanges.exchange import ONE, STRANGER
from tests.adapters.exchanges.stub_upstream import ETHER, REQUEST, StubUpstream
from tests.adapters.openocean.case import MARKER, SWAP_PATH, changed_call

MATIC = "0x0000000000000000000000000000000000001010"


@pytest.mark.parametrize(
    ("too", "echoed", "called", "taken"),
    [
        (MATIC, MATIC, MARKER, True),
        (MATIC, MARKER, MARKER, True),
        (MATIC, MATIC, MATIC, False),
        (MATIC, STRANGER, MARKER, False),
        ("", MATIC, MARKER, False),
        ("", "", MARKER, False),
    ],
)
async def test_the_native_asset_may_go_by_a_second_name_in_the_answer(
    stub_upstream: StubUpstream, too: str, echoed: str, called: str, taken: bool
) -> None:
    body = stub_upstream.said()
    call = changed_call(stub_upstream.call(), {0: called, 7: 0})
    body["data"] |= {"data": "0x" + call.hex(), "value": str(ONE), "inToken": {"address": echoed}}
    stub_upstream.upstream.says(SWAP_PATH, body)
    places = {1: replace(SPEC.deployments[1], native_too=too)}
    adapter = OpenOceanAdapter(replace(stub_upstream.adapter.context, deployments=places))
    asking = adapter.quote(replace(REQUEST, origin_token=ETHER))
    if taken:
        assert (await adapter.build(await asking)).value == ONE
        return
    with pytest.raises(UpstreamFailed):
        await asking


def test_polygons_asset_is_the_one_that_has_two_names() -> None:
    assert [number for number, place in SPEC.deployments.items() if place.native_too] == [137]
    assert SPEC.deployments[137].native_too == MATIC


@pytest.mark.parametrize("flags", [0, 1, 3, 4, 6])
async def test_only_a_plain_claim_of_the_input_is_accepted(stub_upstream: StubUpstream, flags: int) -> None:
    stub_upstream.says_call(changed_call(stub_upstream.call(), {7: flags}))
    with pytest.raises(UpstreamFailed, match="flags"):
        await stub_upstream.adapter.quote(REQUEST)


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
