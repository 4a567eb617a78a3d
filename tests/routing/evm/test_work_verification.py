"""What a deposit has the Receiver do beside paying out is what was asked, and the reader notices whatever is not."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from rhumbline.adapters.across.calldata import DepositCall, encode
from rhumbline.domain.arrival import CallOnArrival
from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.domain.destination_call import DestinationCall
from rhumbline.domain.transaction import ArrivalStep, CallKind, EvmTransaction, WorkAfter
from rhumbline.gateways.chain_types.bytes32 import evm_word
from rhumbline.gateways.evm.abi import encode_args
from rhumbline.routing.evm.bridge_call import BridgeOrder, bridge_call
from rhumbline.routing.evm.destination_message import MESSAGE, under_id, work_message
from rhumbline.routing.evm.verification import CallMismatch, decode_bridge
from rhumbline.routing.evm.work_verification import verify_work
from tests.routing.evm.test_bridge_call import ORDER, POOL, SPENDER
from tests.routing.evm.test_destination_message import RECEIVER, ROUTER, THERE, words_of
from tests.routing.venues import DAI, OTHER, USDC, WALLET, WETH

GAS, COST, ARRIVES = 10**15, 30, 950
CALL = CallOnArrival(ROUTER, b"\xb6\xb5\x5f\x25" + bytes(32))
ASKED = replace(
    ORDER,
    destination=THERE,
    has_destination_call=True,
    output_token=DAI,
    min_output=ARRIVES - COST,
    expected_output=920,
)
BOUGHT = EvmTransaction(2, str(THERE.executor), 0, b"\x02plan", kind=CallKind.POOLS)
CALLED = EvmTransaction(2, ROUTER, 0, CALL.data, ROUTER)
WORK = WorkAfter(
    (ArrivalStep(BOUGHT, DAI, COST), ArrivalStep(CALLED, DAI, ARRIVES - COST)),
    *(ARRIVES, 500_000, NATIVE_EVM, GAS, ARRIVES - COST),
)


def carrying(work: WorkAfter = WORK, message: bytes | None = None) -> EvmTransaction:
    said = work_message(OTHER, work) if message is None else message
    deposit = DepositCall(
        *(evm_word(WALLET), evm_word(RECEIVER), evm_word(USDC), evm_word(DAI), 960, ARRIVES, 2, bytes(32), 1, 2, 0),
        message=said,
    )
    call = DestinationCall(str(THERE.receiver), DAI, ARRIVES, said)
    plain = EvmTransaction(1, POOL, 0, encode(deposit), SPENDER, destination_call=call, work_after=work)
    return under_id(plain, ASKED.id) if message is None else plain


def checked(
    upstream: EvmTransaction, order: BridgeOrder = ASKED, gas: int = GAS, call: CallOnArrival | None = CALL
) -> None:
    verify_work(order, upstream, decode_bridge(bridge_call(order, upstream).data), gas, call)


def test_what_was_asked_passes() -> None:
    checked(carrying())
    call_alone = replace(WORK, steps=(ArrivalStep(CALLED, DAI, ARRIVES),), bought=DAI, minimum=0, kept=ARRIVES)
    checked(carrying(call_alone), replace(ASKED, min_output=ARRIVES), gas=0)
    gas_alone = replace(WORK, steps=WORK.steps[:1])
    checked(carrying(gas_alone), call=None)


def test_what_was_not_asked_for_is_noticed() -> None:
    for gas, call in (
        (0, CALL), (GAS + 1, CALL), (GAS, None), (GAS, replace(CALL, target=OTHER)), (GAS, replace(CALL, data=b"")),
    ):  # fmt: skip
        with pytest.raises(CallMismatch):
            checked(carrying(), gas=gas, call=call)


WORKS: list[Callable[[WorkAfter], WorkAfter]] = [
    lambda work: replace(work, arrives=ARRIVES - 1),
    lambda work: replace(work, minimum=GAS - 1),
    lambda work: replace(work, bought=DAI),
    lambda work: replace(work, steps=work.steps[1:]),
    lambda work: replace(work, steps=work.steps[::-1]),
    lambda work: replace(work, steps=(*work.steps, work.steps[1])),
    # What the call has is what native has left, to the unit.
    lambda work: replace(work, steps=(work.steps[0], replace(work.steps[1], amount=ARRIVES - COST - 1))),
    lambda work: replace(work, steps=(replace(work.steps[0], amount=COST + 1), work.steps[1])),
    # Native is bought by the pools, or by unwrapping, and with what arrives.
    lambda work: replace(work, steps=(replace(work.steps[0], token=WETH), work.steps[1])),
    lambda work: replace(work, steps=(replace(work.steps[0], transaction=CALLED), work.steps[1])),
    lambda work: replace(
        work,
        steps=(ArrivalStep(EvmTransaction(2, OTHER, 0, b"", kind=CallKind.PAY), DAI, COST), work.steps[1]),
    ),
    lambda work: replace(
        work,
        steps=(work.steps[0], replace(work.steps[1], transaction=EvmTransaction(2, ROUTER, 0, CALL.data, OTHER))),
    ),
    lambda work: replace(
        work, steps=(work.steps[0], replace(work.steps[1], transaction=replace(CALLED, chain_id=1)))
    ),
]  # fmt: skip


@pytest.mark.parametrize("change", WORKS)
def test_other_work_is_refused(change: Callable[[WorkAfter], WorkAfter]) -> None:
    with pytest.raises(CallMismatch):
        checked(carrying(change(WORK)))


WORDS: list[Callable[[list[Any]], list[Any]]] = [
    lambda words: [b"\x09" * 32, *words[1:]],
    lambda words: [words[0], WALLET, *words[2:]],
    lambda words: [*words[:2], USDC, *words[3:]],
    lambda words: [*words[:3], words[3] - 1, *words[4:]],
    lambda words: [*words[:4], words[4] + 1, words[5]],
    lambda words: [*words[:5], words[5][:1]],
    lambda words: [*words[:5], [*words[5], words[5][0]]],
]


@pytest.mark.parametrize("change", WORDS)
def test_another_message_than_the_work_is_refused(change: Callable[[list[Any]], list[Any]]) -> None:
    honest = carrying().destination_call
    assert honest is not None
    with pytest.raises(CallMismatch, match="message"):
        checked(carrying(message=encode_args([MESSAGE], [tuple(change(words_of(honest.message)))])))


def test_an_order_that_promises_otherwise_is_refused() -> None:
    for order in (
        replace(ASKED, min_output=ARRIVES), replace(ASKED, output_token=WETH), replace(ASKED, refund_to=OTHER),
        replace(ASKED, has_destination_call=False),
    ):  # fmt: skip
        with pytest.raises(CallMismatch):
            checked(carrying(), order)


SWAPPED, LEAST = ARRIVES - COST, 5
INTO = replace(ASKED, output_token=WETH, min_output=LEAST)
PAID = EvmTransaction(2, OTHER, 0, b"", kind=CallKind.PAY)
TRADED = EvmTransaction(2, str(THERE.executor), 0, b"\x02other plan", kind=CallKind.POOLS)
CALLED_WITH = ArrivalStep(CALLED, WETH, LEAST)
GAS_AND_SWAP = (ArrivalStep(BOUGHT, DAI, COST), ArrivalStep(PAID, NATIVE_EVM, GAS), ArrivalStep(TRADED, DAI, SWAPPED))
AFTER = WorkAfter((*GAS_AND_SWAP, CALLED_WITH), ARRIVES, 500_000, WETH, 0, LEAST)


def test_what_was_asked_passes_after_a_swap() -> None:
    checked(carrying(AFTER), INTO)
    swap_and_call = replace(AFTER, steps=(ArrivalStep(TRADED, DAI, ARRIVES), CALLED_WITH))
    checked(carrying(swap_and_call), INTO, gas=0)
    gas_alone = replace(AFTER, steps=GAS_AND_SWAP, minimum=LEAST)
    checked(carrying(gas_alone), INTO, call=None)
    # Native that is swapped into is sent along, not unwrapped.
    sent = ArrivalStep(EvmTransaction(2, ROUTER, LEAST, CALL.data), NATIVE_EVM, LEAST)
    native = replace(swap_and_call, steps=(swap_and_call.steps[0], sent), bought=NATIVE_EVM)
    checked(carrying(native), replace(INTO, output_token=NATIVE_EVM), gas=0)


def at(place: int, **changes: Any) -> Callable[[WorkAfter], WorkAfter]:
    def changed(work: WorkAfter) -> WorkAfter:
        steps = list(work.steps)
        steps[place] = replace(steps[place], **changes)
        return replace(work, steps=tuple(steps))

    return changed


OTHERWISE: list[Callable[[WorkAfter], WorkAfter]] = [
    # Less native is paid than was asked for, another token, or none; what is paid at all is checked against the order.
    at(1, amount=GAS - 1),
    at(1, token=WETH),
    lambda work: replace(work, steps=(work.steps[0], *work.steps[2:])),
    lambda work: replace(work, steps=(work.steps[0], *work.steps[2:3], work.steps[1], *work.steps[3:])),
    # Not all of the rest is swapped, or not by pools.
    at(2, amount=SWAPPED - 1),
    at(2, token=WETH),
    at(2, transaction=CALLED),
    lambda work: replace(work, steps=(*work.steps[:2], *work.steps[3:])),
    at(0, amount=COST + 1),
    # The call has another amount than the order guarantees.
    at(3, amount=LEAST - 1),
    at(3, token=DAI),
    lambda work: replace(work, steps=work.steps[:3]),
    lambda work: replace(work, minimum=LEAST),
    lambda work: replace(work, bought=NATIVE_EVM, minimum=GAS),
]


@pytest.mark.parametrize("change", OTHERWISE)
def test_other_work_after_a_swap_is_refused(change: Callable[[WorkAfter], WorkAfter]) -> None:
    with pytest.raises(CallMismatch):
        checked(carrying(change(AFTER)), INTO)


def test_a_swap_without_a_call_holds_the_minimum_of_the_order() -> None:
    for minimum in (0, LEAST - 1, LEAST + 1):
        with pytest.raises(CallMismatch, match="minimum"):
            checked(carrying(replace(AFTER, steps=GAS_AND_SWAP, minimum=minimum)), INTO, call=None)
    stranger = carrying(AFTER).destination_call
    assert stranger is not None
    words = words_of(stranger.message)
    words[5] = [words[5][0], (3, WALLET, *words[5][1][2:]), *words[5][2:]]
    with pytest.raises(CallMismatch, match="message"):
        checked(carrying(AFTER, message=encode_args([MESSAGE], [tuple(words)])), INTO)
