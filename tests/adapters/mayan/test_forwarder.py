"""Calls that we write can be read back, and no others."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from solders.pubkey import Pubkey

from rhumbline.adapters.mayan.bytes32 import (
    AUCTION,
    MAYAN_PROGRAM,
    NATIVE,
    ZERO,
    is_payable,
    main_account,
    marker_of,
    word,
)
from rhumbline.adapters.mayan.forwarder import (
    FORWARD_ERC20,
    FORWARD_ETH,
    SWAP_ERC20,
    SWAP_ETH,
    Call,
    Swap,
    decode,
    encode,
)
from rhumbline.adapters.mayan.kinds import fast_mctp, mctp, swift, wormhole
from rhumbline.adapters.mayan.protocol_calls import read_protocol_call
from rhumbline.domain.chain import NATIVE_EVM, NATIVE_SVM, ChainType
from rhumbline.domain.errors import UpstreamFailed
from rhumbline.gateways.evm.abi import MalformedAnswer
from rhumbline.gateways.evm.address import checksummed
from rhumbline.gateways.evm.calldata import Function
from tests.adapters.mayan.stub_upstream import CHAINS, RECEIVER, SOL_RECEIVER, SOLANA

ADDRESSES = st.binary(min_size=20, max_size=20).filter(any).map(checksummed)
WORDS = st.integers(0, 2**256 - 1)
DATA = st.binary(max_size=200)
SWAPS = st.builds(Swap, ADDRESSES, DATA, ADDRESSES, WORDS)
ERC20 = st.builds(Call, ADDRESSES, WORDS, ADDRESSES, DATA, WORDS, st.none() | SWAPS)
NATIVES = st.builds(Call, st.just(NATIVE), WORDS, ADDRESSES, DATA)
SWAPPED_NATIVES = st.builds(
    lambda amount, share, to, data, swap: Call(NATIVE, amount, to, data, amount * share // 100, swap),
    WORDS, st.integers(0, 100), ADDRESSES, DATA, SWAPS,
)  # fmt: skip


@given(ERC20 | NATIVES | SWAPPED_NATIVES)
def test_the_forwarders_calls_come_back(call: Call) -> None:
    assert decode(encode(call), call.value) == call


@given(ERC20, st.binary(min_size=1, max_size=40))
def test_nothing_hides_behind_a_call(call: Call, more: bytes) -> None:
    with pytest.raises(MalformedAnswer):
        decode(encode(call) + more, call.value)


@given(st.binary(max_size=300))
def test_strange_calls_are_refused(data: bytes) -> None:
    for read in (read_protocol_call, lambda part: decode(part, 0)):
        with pytest.raises(MalformedAnswer):
            read(data)


@pytest.mark.parametrize(("function", "selector"), [
    (FORWARD_ETH, "b0f584ff"), (FORWARD_ERC20, "e4269fc4"), (SWAP_ETH, "fa74fd43"), (SWAP_ERC20, "30dedc57"),
    (swift.CREATE_WITH_ETH, "b866e173"), (swift.CREATE_WITH_TOKEN, "8e8d142b"), (swift.CREATE_WITH_TOKEN_2, "a3a30834"),
    (mctp.CREATE, "1c59b7fc"), (mctp.BRIDGE_LOCKED, "9be95bb4"), (mctp.BRIDGE, "2072197f"),
    (fast_mctp.CREATE, "2337e236"), (fast_mctp.BRIDGE, "f58b6de8"),
    (wormhole.SWAP, "6111ad25"), (wormhole.WRAP_AND_SWAP, "1eb1cff0"),
])  # fmt: skip
def test_selectors_are_the_published_ones(function: Function, selector: str) -> None:
    assert function.selector.hex() == selector


def test_a_permit_is_refused() -> None:
    call = Call(RECEIVER, 5, RECEIVER, b"")
    values = FORWARD_ERC20.decode(encode(call))
    permitted = FORWARD_ERC20.encode(*values[:2], (5, 0, 0, bytes(32), bytes(32)), *values[3:])
    with pytest.raises(MalformedAnswer, match="permit"):
        decode(permitted, 0)


EXTRAS = [
    swift.CREATE_WITH_TOKEN.encode(RECEIVER, 5, (ZERO, ZERO, 1, 1, 0, 0, 9, ZERO, 4, ZERO, 0, 1, ZERO)),
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


def test_addresses_of_both_kinds_are_words() -> None:
    assert word(RECEIVER, ChainType.EVM) == bytes(12) + bytes.fromhex(RECEIVER[2:])
    assert word(SOL_RECEIVER, ChainType.SVM) == bytes(Pubkey.from_string(SOL_RECEIVER))
    for text in ("0x" + "11" * 33, "0x" + "11" * 19, "0xzz", "0x" + "11" * 19 + " 1", "0x" + "11 " * 20):
        with pytest.raises(UpstreamFailed):
            word(text, ChainType.EVM)
    with pytest.raises(UpstreamFailed):
        word(RECEIVER, ChainType.SVM)


def test_native_assets_have_one_marker() -> None:
    assert marker_of(NATIVE_EVM, ChainType.EVM) == marker_of(NATIVE_SVM, ChainType.SVM) == NATIVE
    assert marker_of(RECEIVER, ChainType.EVM) == RECEIVER.lower()
    assert marker_of(SOL_RECEIVER, ChainType.SVM) == SOL_RECEIVER


def test_who_can_be_paid() -> None:
    assert is_payable(RECEIVER, CHAINS[1])
    assert not is_payable("0x" + "00" * 20, CHAINS[1])
    assert is_payable(SOL_RECEIVER, CHAINS[SOLANA])
    assert not is_payable(NATIVE_SVM, CHAINS[SOLANA])
    assert not is_payable(str(Pubkey.from_bytes(main_account(SOL_RECEIVER))), CHAINS[SOLANA])


def test_the_main_account_is_one_of_mayans_own() -> None:
    owner, _ = Pubkey.find_program_address([b"MAIN"], Pubkey.from_string(MAYAN_PROGRAM))
    accounts = {main_account(mint) for mint in (SOL_RECEIVER, AUCTION)}
    assert len(accounts) == 2
    assert bytes(owner) not in accounts
