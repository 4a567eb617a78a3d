"""What starts a transfer is encoded as it was asked, and the reader notices whatever is not."""

from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhumbline.domain.chain import NATIVE_EVM, NATIVE_SVM, ChainType
from rhumbline.domain.errors import UpstreamFailed
from rhumbline.domain.fee import Charge, FeeKind
from rhumbline.domain.transaction import CallKind, EvmTransaction, SwapBefore
from rhumbline.gateways.chain_types.bytes32 import address_word, reference_word, word_address
from rhumbline.gateways.evm.abi import selector
from rhumbline.gateways.evm.address import checksummed
from rhumbline.gateways.svm.address import decode_address
from rhumbline.routing.evm.bridge_call import BRIDGE, BridgeOrder, bridge_call
from rhumbline.routing.evm.verification import CallMismatch, decode_bridge, decode_swap, verify_bridge_call
from tests.routing.venues import DAI, DIAMOND, OTHER, USDC, WALLET, WETH, toy_chain

POOL, SPENDER = "0x8742e6efaC4F7012894eD7D1C73F482A28bABA51", "0x000000000022D473030F116dDEE9F6B43aC78BA3"
SOLANA = replace(toy_chain(1_000_000_001), type=ChainType.SVM)
SVM_WALLET = "7v91N7iZ9mNicL8WfG6cgSCKyRXydQjLh6UYBWwm6y1Q"
ORDER = BridgeOrder(
    id=b"\x01" * 32, chain=toy_chain(), destination=toy_chain(2), integrator="acme", adapter="BRIDGE", receiver=OTHER,
    input_token=USDC, amount=1000, net=960, sent=960, output_token=DAI, expected_output=7, min_output=5,
    refund_to=WALLET, reference="0x" + "ab" * 32, deadline=2**40, native_fee=0,
    charges=(Charge(FeeKind.SERVICE, OTHER, 10), Charge(FeeKind.INTEGRATOR, OTHER, 30)),
)  # fmt: skip
UPSTREAM = EvmTransaction(1, POOL, 0, b"\xaa\xbb", SPENDER, sweep_tokens=(WETH, USDC))

addresses = st.integers(1, 2**160 - 1).map(lambda number: checksummed(number.to_bytes(20)))


def word(address: str) -> bytes:
    return bytes(12) + bytes.fromhex(address[2:])


def test_an_order_with_everything() -> None:
    call = bridge_call(ORDER, UPSTREAM)
    assert (call.to, call.value, call.spender) == (DIAMOND, 0, DIAMOND)
    assert call.data[:4] == selector(BRIDGE)
    decoded = decode_bridge(call.data)
    assert decoded["order"] == {
        "id": ORDER.id,
        "integrator": b"acme" + bytes(28),
        "adapter": b"BRIDGE" + bytes(26),
        "receiver": word(OTHER),
        "destinationChainId": 2,
        "inputToken": USDC.lower(),
        "inputAmount": 1000,
        "sentToken": USDC.lower(),
        "sentAmount": 960,
        "outputToken": word(DAI),
        "expectedOutput": 7,
        "minOutput": 5,
        "refundTo": WALLET.lower(),
        "hasDestCall": False,
        "bridgeRef": b"\xab" * 32,
        "deadline": 2**40,
        "nativeFee": 0,
        "sweep": (WETH.lower(),),
    }
    assert decoded["operations"] == [
        {
            "kind": 0, "target": POOL.lower(), "spender": SPENDER.lower(), "token": USDC.lower(), "amount": 960,
            "value": 0, "data": b"\xaa\xbb",
        }
    ]  # fmt: skip
    with pytest.raises(CallMismatch):
        decode_swap(call.data)


@given(
    addresses, addresses, addresses, st.integers(1, 2**255), st.integers(0, 100), st.binary(max_size=60), st.booleans(),
    st.integers(0, 2**128), st.sampled_from([CallKind.CALL, CallKind.PAY]),
)  # fmt: skip
def test_every_order_reads_back_as_itself(
    receiver: str, token: str, target: str, net: int, kept: int, data: bytes, native: bool, native_fee: int,
    kind: CallKind,
) -> None:  # fmt: skip
    sent = max(net - kept, 1)
    order = replace(
        ORDER, receiver=receiver, input_token=NATIVE_EVM if native else token, net=net, sent=sent, amount=net + 40,
        native_fee=native_fee,
    )  # fmt: skip
    upstream = EvmTransaction(1, target, (sent if native else 0) + native_fee, data, None if native else SPENDER, kind)
    call = bridge_call(order, upstream)
    verify_bridge_call(order, upstream, call)
    assert call.value == (order.amount if native else 0) + native_fee
    assert (call.spender is None) is native


CHANGES: list[Callable[[BridgeOrder], BridgeOrder]] = [
    lambda order: replace(order, id=b"\x02" * 32),
    lambda order: replace(order, integrator=None),
    lambda order: replace(order, adapter="OTHER"),
    lambda order: replace(order, receiver=WALLET),
    lambda order: replace(order, destination=toy_chain(3)),
    lambda order: replace(order, input_token=WETH),
    lambda order: replace(order, amount=1001),
    lambda order: replace(order, net=959),
    lambda order: replace(order, sent=959),
    lambda order: replace(order, output_token=USDC),
    lambda order: replace(order, expected_output=8),
    lambda order: replace(order, min_output=4),
    lambda order: replace(order, refund_to=OTHER),
    lambda order: replace(order, reference=None),
    lambda order: replace(order, deadline=1),
    lambda order: replace(order, native_fee=1),
    lambda order: replace(order, charges=()),
    lambda order: replace(order, chain=replace(order.chain, diamond=WETH)),
]


@pytest.mark.parametrize("change", CHANGES)
def test_the_reader_notices_every_difference(change: Callable[[BridgeOrder], BridgeOrder]) -> None:
    call = bridge_call(ORDER, UPSTREAM)
    verify_bridge_call(ORDER, UPSTREAM, call)
    with pytest.raises(CallMismatch):
        verify_bridge_call(change(ORDER), UPSTREAM, call)


SWAP = EvmTransaction(1, OTHER, 0, b"\xcc", OTHER, sweep_tokens=(DAI, WETH))
SWAPPING = replace(ORDER, sent=700, swapped_into=WETH)
AFTER_A_SWAP = replace(UPSTREAM, sweep_tokens=(USDC,), swap=SwapBefore(SWAP, WETH, 700))


def test_a_swap_goes_before_the_bridge() -> None:
    call = bridge_call(SWAPPING, AFTER_A_SWAP)
    verify_bridge_call(SWAPPING, AFTER_A_SWAP, call)
    decoded = decode_bridge(call.data)
    order, operations = decoded["order"], decoded["operations"]
    assert isinstance(order, dict)
    assert (order["inputToken"], order["inputAmount"]) == (USDC.lower(), 1000)
    # What is left of input and bridged token goes back anyway.
    assert (order["sentToken"], order["sentAmount"], order["sweep"]) == (WETH.lower(), 700, (DAI.lower(),))
    common = {"kind": 0, "value": 0}
    assert operations == [
        {"target": OTHER.lower(), "spender": OTHER.lower(), "token": USDC.lower(), "amount": 960, "data": b"\xcc"}
        | common,
        {"target": POOL.lower(), "spender": SPENDER.lower(), "token": WETH.lower(), "amount": 700, "data": b"\xaa\xbb"}
        | common,
    ]


@pytest.mark.parametrize(
    ("order", "upstream"),
    [
        (replace(SWAPPING, swapped_into=DAI), AFTER_A_SWAP),
        (replace(SWAPPING, sent=701), AFTER_A_SWAP),
        (replace(SWAPPING, net=950, amount=990), AFTER_A_SWAP),
        (SWAPPING, replace(AFTER_A_SWAP, swap=None)),
        (SWAPPING, replace(AFTER_A_SWAP, swap=SwapBefore(replace(SWAP, data=b"\xcd"), WETH, 700))),
        (SWAPPING, replace(AFTER_A_SWAP, swap=SwapBefore(replace(SWAP, to=DAI), WETH, 700))),
        (SWAPPING, replace(AFTER_A_SWAP, swap=SwapBefore(replace(SWAP, spender=DAI), WETH, 700))),
    ],
)
def test_the_reader_notices_another_swap(order: BridgeOrder, upstream: EvmTransaction) -> None:
    call = bridge_call(SWAPPING, AFTER_A_SWAP)
    with pytest.raises(CallMismatch):
        verify_bridge_call(order, upstream, call)


@pytest.mark.parametrize(
    ("order", "swap"),
    [
        (SWAPPING, None),
        (ORDER, SwapBefore(SWAP, WETH, 700)),
        (replace(SWAPPING, sent=699), SwapBefore(SWAP, WETH, 700)),
        (replace(SWAPPING, sent=0), SwapBefore(SWAP, WETH, 0)),
        (SWAPPING, SwapBefore(SWAP, DAI, 700)),
        (SWAPPING, SwapBefore(replace(SWAP, value=1), WETH, 700)),
        (SWAPPING, SwapBefore(replace(SWAP, chain_id=2), WETH, 700)),
        (SWAPPING, SwapBefore(replace(SWAP, kind=CallKind.PAY), WETH, 700)),
        (SWAPPING, SwapBefore(replace(SWAP, swap=SwapBefore(SWAP, WETH, 1)), WETH, 700)),
    ],
)
def test_a_swap_that_does_not_fit_is_refused(order: BridgeOrder, swap: SwapBefore | None) -> None:
    with pytest.raises(UpstreamFailed):
        bridge_call(order, replace(AFTER_A_SWAP, swap=swap))


@pytest.mark.parametrize(
    ("order", "upstream"),
    [
        (ORDER, replace(UPSTREAM, chain_id=2)),
        (ORDER, replace(UPSTREAM, value=1)),
        (ORDER, replace(UPSTREAM, kind=CallKind.WRAP)),
        (replace(ORDER, sent=961), UPSTREAM),
        (replace(ORDER, sent=0), UPSTREAM),
        (replace(ORDER, input_token=NATIVE_EVM), UPSTREAM),
        (replace(ORDER, chain=toy_chain(diamond=False)), UPSTREAM),
    ],
)
def test_what_does_not_fit_is_refused(order: BridgeOrder, upstream: EvmTransaction) -> None:
    with pytest.raises(UpstreamFailed):
        bridge_call(order, upstream)


def test_addresses_of_solana_are_words_as_they_are() -> None:
    assert address_word(SOLANA, SVM_WALLET) == decode_address(SVM_WALLET)
    assert address_word(SOLANA, NATIVE_SVM) == bytes(32)
    assert word_address(SOLANA, decode_address(SVM_WALLET)) == SVM_WALLET
    assert word_address(toy_chain(), word(WALLET)) == WALLET
    assert word_address(toy_chain(), b"\x01" * 32) is None
    assert address_word(toy_chain(), NATIVE_EVM) == bytes(32)


def test_references_of_any_form_have_a_word() -> None:
    assert reference_word(None) == bytes(32)
    assert reference_word("0x" + "AB" * 32) == b"\xab" * 32
    for text in (WALLET, "a-deposit-address", "0x" + "zz" * 32):
        assert reference_word(text) == sha256(text.encode()).digest()
