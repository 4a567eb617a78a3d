"""Calls that we write can be read back, and no others."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhumbline.adapters.mayan import forwarder
from rhumbline.adapters.mayan.bytes32 import NATIVE, ZERO
from rhumbline.adapters.mayan.kinds import fast_mctp, mctp, swift, wormhole
from rhumbline.adapters.mayan.protocol_calls import read_protocol_call
from rhumbline.gateways.evm.abi import MalformedAnswer
from rhumbline.gateways.evm.address import checksummed
from rhumbline.gateways.evm.calldata import Function
from tests.adapters.mayan.stub_upstream import RECEIVER

ADDRESSES = st.binary(min_size=20, max_size=20).filter(any).map(checksummed)
WORDS = st.integers(0, 2**256 - 1)
DATA = st.binary(max_size=200)
SWAPS = st.builds(forwarder.Swap, ADDRESSES, DATA, ADDRESSES, WORDS)
ERC20 = st.builds(forwarder.Call, ADDRESSES, WORDS, ADDRESSES, DATA, WORDS, st.none() | SWAPS)
NATIVES = st.builds(forwarder.Call, st.just(NATIVE), WORDS, ADDRESSES, DATA)
SWAPPED_NATIVES = st.builds(
    lambda amount, share, to, data, swap: forwarder.Call(NATIVE, amount, to, data, amount * share // 100, swap),
    WORDS, st.integers(0, 100), ADDRESSES, DATA, SWAPS,
)  # fmt: skip


@given(ERC20 | NATIVES | SWAPPED_NATIVES)
def test_the_forwarders_calls_come_back(call: forwarder.Call) -> None:
    assert forwarder.decode(forwarder.encode(call), call.value) == call


@given(ERC20, st.binary(min_size=1, max_size=40))
def test_nothing_hides_behind_a_call(call: forwarder.Call, more: bytes) -> None:
    with pytest.raises(MalformedAnswer):
        forwarder.decode(forwarder.encode(call) + more, call.value)


@given(st.binary(max_size=300))
def test_strange_calls_are_refused(data: bytes) -> None:
    for read in (read_protocol_call, lambda part: forwarder.decode(part, 0)):
        with pytest.raises(MalformedAnswer):
            read(data)


@pytest.mark.parametrize(("function", "selector"), [
    (forwarder.FORWARD_ETH, "b0f584ff"), (forwarder.FORWARD_ERC20, "e4269fc4"),
    (forwarder.SWAP_ETH, "fa74fd43"), (forwarder.SWAP_ERC20, "30dedc57"),
    (swift.CREATE_WITH_ETH, "b866e173"), (swift.CREATE_WITH_TOKEN, "8e8d142b"), (swift.CREATE_WITH_TOKEN_2, "a3a30834"),
    (mctp.CREATE, "1c59b7fc"), (mctp.BRIDGE_LOCKED, "9be95bb4"), (mctp.BRIDGE, "2072197f"),
    (fast_mctp.CREATE, "2337e236"), (fast_mctp.BRIDGE, "f58b6de8"),
    (wormhole.SWAP, "6111ad25"), (wormhole.WRAP_AND_SWAP, "1eb1cff0"),
])  # fmt: skip
def test_selectors_are_the_published_ones(function: Function, selector: str) -> None:
    assert function.selector.hex() == selector


def test_a_permit_is_refused() -> None:
    call = forwarder.Call(RECEIVER, 5, RECEIVER, b"")
    values = forwarder.FORWARD_ERC20.decode(forwarder.encode(call))
    permitted = forwarder.FORWARD_ERC20.encode(*values[:2], (5, 0, 0, bytes(32), bytes(32)), *values[3:])
    with pytest.raises(MalformedAnswer, match="permit"):
        forwarder.decode(permitted, 0)


EXTRAS = [
    swift.CREATE_WITH_TOKEN.encode(RECEIVER, 5, (ZERO, ZERO, 1, 0, 0, 0, 9, ZERO, 4, b"\1" * 32, 0, 1, ZERO)),
    swift.CREATE_WITH_TOKEN_2.encode(
        RECEIVER, 5, (2, bytes(32), bytes(32), 4, bytes(32), bytes(32), 1, 0, 0, 0, 9, 0, 1, bytes(32)), b""
    ),
    swift.CREATE_WITH_TOKEN_2.encode(
        RECEIVER, 5, (1, bytes(32), bytes(32), 4, bytes(32), bytes(32), 1, 0, 0, 0, 9, 0, 1, bytes(32)), b"\1"
    ),
    mctp.CREATE.encode((RECEIVER, 5, 0, bytes(32), 4, bytes(32), 1, 9, 0, bytes(32), 7)),
    mctp.BRIDGE_LOCKED.encode(RECEIVER, 5, 1, 1, 4, bytes(32)),
    mctp.BRIDGE.encode(RECEIVER, 5, 1, 0, bytes(32), 4, 2, b""),
    fast_mctp.BRIDGE.encode(RECEIVER, 5, 1, 1, 0, bytes(32), 4, bytes(32), 0, 1, 1000, b"\1"),
    fast_mctp.CREATE.encode(RECEIVER, 5, 1, 4, 1000, (3, bytes(32), bytes(32), 1, 0, 1, 1, 9, bytes(32), 1)),
    fast_mctp.CREATE.encode(RECEIVER, 5, 1, 4, 1000, (1, bytes(32), bytes(32), 1, 0, 1, 1, 9, bytes(32), 0)),
]  # fmt: skip


@pytest.mark.parametrize("data", EXTRAS)
def test_what_nobody_asked_for_shows(data: bytes) -> None:
    assert read_protocol_call(data).extras


DROPPING = [
    swift.CREATE_WITH_ETH.encode((ZERO, ZERO, 1, 7, 0, 0, 9, ZERO, 4, ZERO, 0, 1, ZERO)),
    swift.CREATE_WITH_TOKEN.encode(RECEIVER, 5, (ZERO, ZERO, 1, 7, 0, 0, 9, ZERO, 4, ZERO, 0, 1, ZERO)),
    swift.CREATE_WITH_TOKEN_2.encode(RECEIVER, 5, (1, ZERO, ZERO, 4, ZERO, ZERO, 1, 7, 0, 0, 9, 0, 1, ZERO), b""),
]


@pytest.mark.parametrize("data", DROPPING)
def test_native_on_arrival_is_read_of_all_forms_of_swift(data: bytes) -> None:
    assert (read_protocol_call(data).gas_drop, read_protocol_call(data).extras) == (7, False)
