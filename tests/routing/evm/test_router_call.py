"""What is encoded is what was asked, and the reader notices whatever is not."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.domain.errors import InvalidRequest, UpstreamFailed
from rhumbline.domain.fee import Charge, FeeKind
from rhumbline.domain.transaction import CallKind, EvmTransaction
from rhumbline.gateways.evm.abi import selector
from rhumbline.gateways.evm.address import checksummed
from rhumbline.routing.evm.router_call import SWAP, RouterOrder, router_call, with_receiver
from rhumbline.routing.evm.verification import CallMismatch, decode_swap, verify_router_call
from tests.routing.venues import DAI, DIAMOND, OTHER, USDC, WALLET, WETH, toy_chain

VENUE, SPENDER = "0x8742e6efaC4F7012894eD7D1C73F482A28bABA51", "0x000000000022D473030F116dDEE9F6B43aC78BA3"
ORDER = RouterOrder(
    id=b"\x01" * 32, chain=toy_chain(), integrator="acme", adapter="POOL", receiver=OTHER, input_token=USDC,
    amount=1000, net=960, output_token=DAI, min_output=5, deadline=2**40, native_fee=0,
    charges=(Charge(FeeKind.SERVICE, WALLET, 10), Charge(FeeKind.INTEGRATOR, OTHER, 30)),
)  # fmt: skip
UPSTREAM = EvmTransaction(1, VENUE, 0, b"\xaa\xbb", SPENDER, sweep_tokens=(WETH, USDC, WETH, DAI, NATIVE_EVM))

addresses = st.integers(1, 2**160 - 1).map(lambda number: checksummed(number.to_bytes(20)))
words = st.integers(0, 2**256 - 1)


def test_an_order_with_everything() -> None:
    call = router_call(ORDER, UPSTREAM)
    assert (call.to, call.value, call.spender) == (DIAMOND, 0, DIAMOND)
    assert call.data[:4] == selector(SWAP)
    decoded = decode_swap(call.data)
    assert decoded["order"] == {
        "id": ORDER.id,
        "integrator": b"acme" + bytes(28),
        "adapter": b"POOL" + bytes(28),
        "receiver": OTHER.lower(),
        "inputToken": USDC.lower(),
        "inputAmount": 1000,
        "outputToken": DAI.lower(),
        "minOutput": 5,
        "deadline": 2**40,
        "nativeFee": 0,
        "sweep": (WETH.lower(),),
    }
    assert decoded["fees"] == [
        {"recipient": WALLET.lower(), "kind": b"service" + bytes(25), "amount": 10},
        {"recipient": OTHER.lower(), "kind": b"integrator" + bytes(22), "amount": 30},
    ]
    (operation,) = list(decoded["operations"]) if isinstance(decoded["operations"], list) else []
    assert operation == {
        "kind": 0, "target": VENUE.lower(), "spender": SPENDER.lower(), "token": USDC.lower(), "amount": 960,
        "value": 0, "data": b"\xaa\xbb",
    }  # fmt: skip


@given(
    addresses, addresses, addresses, words, st.integers(1, 2**255), st.lists(st.tuples(addresses, words), max_size=3),
    st.binary(max_size=100), st.booleans(), st.integers(0, 2**128), st.sampled_from(CallKind),
)  # fmt: skip
def test_every_order_reads_back_as_itself(
    receiver: str, token: str, target: str, minimum: int, net: int, fees: list[tuple[str, int]], data: bytes,
    native: bool, native_fee: int, kind: CallKind,
) -> None:  # fmt: skip
    charges = tuple(Charge(FeeKind.INTEGRATOR, recipient, amount // 8) for recipient, amount in fees)
    order = replace(
        ORDER, receiver=receiver, input_token=NATIVE_EVM if native else token, min_output=minimum, net=net,
        amount=net + sum(charge.amount for charge in charges), charges=charges, native_fee=native_fee,
    )  # fmt: skip
    upstream = EvmTransaction(1, target, (net if native else 0) + native_fee, data, None if native else SPENDER, kind)
    if order.amount >= 2**256:
        return
    call = router_call(order, upstream)
    verify_router_call(order, upstream, call)
    assert call.value == (order.amount if native else 0) + native_fee
    assert (call.spender is None) is native
    assert with_receiver(call.data, OTHER) == router_call(replace(order, receiver=OTHER), upstream).data


CHANGES: list[Callable[[RouterOrder], RouterOrder]] = [
    lambda order: replace(order, id=b"\x02" * 32),
    lambda order: replace(order, integrator=None),
    lambda order: replace(order, adapter="OTHER"),
    lambda order: replace(order, receiver=WALLET),
    lambda order: replace(order, input_token=WETH),
    lambda order: replace(order, amount=1001),
    lambda order: replace(order, net=959),
    lambda order: replace(order, output_token=USDC),
    lambda order: replace(order, min_output=4),
    lambda order: replace(order, deadline=1),
    lambda order: replace(order, native_fee=1),
    lambda order: replace(order, charges=()),
    lambda order: replace(order, charges=(*ORDER.charges[:1], Charge(FeeKind.INTEGRATOR, WALLET, 30))),
    lambda order: replace(order, chain=replace(order.chain, diamond=WETH)),
]


@pytest.mark.parametrize("change", CHANGES)
def test_the_reader_notices_every_difference(change: Callable[[RouterOrder], RouterOrder]) -> None:
    call = router_call(ORDER, UPSTREAM)
    verify_router_call(ORDER, UPSTREAM, call)
    with pytest.raises(CallMismatch):
        verify_router_call(change(ORDER), UPSTREAM, call)


@pytest.mark.parametrize(
    "upstream",
    [
        replace(UPSTREAM, to=WETH),
        replace(UPSTREAM, data=b"\xaa"),
        replace(UPSTREAM, spender=WETH),
        replace(UPSTREAM, spender=None),
        replace(UPSTREAM, kind=CallKind.PAY),
    ],
)
def test_the_reader_notices_another_upstream_call(upstream: EvmTransaction) -> None:
    with pytest.raises(CallMismatch):
        verify_router_call(ORDER, upstream, router_call(ORDER, UPSTREAM))


@pytest.mark.parametrize(
    "call",
    [
        replace(router_call(ORDER, UPSTREAM), to=WETH),
        replace(router_call(ORDER, UPSTREAM), value=1),
        replace(router_call(ORDER, UPSTREAM), spender=SPENDER),
        replace(router_call(ORDER, UPSTREAM), data=b"\x00\x00\x00\x00"),
        replace(router_call(ORDER, UPSTREAM), data=router_call(ORDER, UPSTREAM).data[:300]),
    ],
)
def test_the_reader_notices_a_tampered_call(call: EvmTransaction) -> None:
    with pytest.raises(CallMismatch):
        verify_router_call(ORDER, UPSTREAM, call)


@pytest.mark.parametrize(
    "upstream", [replace(UPSTREAM, value=1), replace(UPSTREAM, chain_id=2)], ids=["value", "chain"]
)
def test_an_upstream_call_that_does_not_fit_is_refused(upstream: EvmTransaction) -> None:
    with pytest.raises(UpstreamFailed):
        router_call(ORDER, upstream)


@pytest.mark.parametrize("name", ["x" * 33, "ümlaut"])
def test_a_name_that_does_not_fit_the_contract(name: str) -> None:
    with pytest.raises(InvalidRequest) as caught:
        router_call(replace(ORDER, integrator=name), UPSTREAM)
    assert caught.value.faults[0].startswith("integrator:")
