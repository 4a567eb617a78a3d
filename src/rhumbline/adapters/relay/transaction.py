"""Relay's own call on an EVM chain, checked, and with an enforced deposit if Relay swaps first."""

from dataclasses import dataclass, replace

from rhumbline.adapters.relay.calldata import Start
from rhumbline.adapters.relay.checking import check_call, check_swap, check_transfer, main_call
from rhumbline.adapters.relay.deployments import Deployment
from rhumbline.adapters.relay.order import protocol_of
from rhumbline.adapters.relay.router_call import deposit_evidence, hold, with_refund_address
from rhumbline.adapters.relay.svm.deposit import read_solana
from rhumbline.adapters.relay.wire import Call, QuoteAnswer, Step
from rhumbline.domain.amount import mul_div_up
from rhumbline.domain.chain import ChainType
from rhumbline.domain.errors import UpstreamFailed
from rhumbline.domain.expectations import expect_gas, same
from rhumbline.domain.quote import QuoteRequest
from rhumbline.domain.transaction import EvmTransaction


@dataclass(frozen=True, slots=True)
class CheckedCall:
    """The one call of an answer, decoded, and the tags that may follow it, the first of which is the request's.

    ``place`` is its chain's deployment.
    """

    call: Call
    start: Start
    marks: tuple[bytes, ...]
    place: Deployment


def checked_call(answer: QuoteAnswer, request: QuoteRequest, place: Deployment) -> CheckedCall:
    """Return the single call; raise UpstreamFailed if it takes another input than the request's."""
    step, call = main_call(answer.steps, request, place)
    marks: tuple[bytes, ...] = (bytes.fromhex(request_id(step, answer)[2:]),)
    if request.origin.id != request.destination.id:
        marks = (*marks, bytes.fromhex(protocol_of(answer).order_id[2:]))
    return CheckedCall(call, check_call(call, request, place, marks), marks, place)


async def evm_transaction(
    answer: QuoteAnswer, request: QuoteRequest, places: tuple[Deployment, Deployment], minimum: int, now: int
) -> EvmTransaction:
    """Return the quote's transaction, compared with the request; raise UpstreamFailed if it differs.

    What the router has left is the wallet's. A transfer that is swapped first reverts unless the order's own input less
    the request's slippage, rounded up, is deposited.
    """
    checked = checked_call(answer, request, places[0])
    call, start = checked.call, checked.start
    spender = None if request.sells_native else call.to
    reference = "0x" + checked.marks[0].hex()
    made = EvmTransaction(request.origin.id, call.to, call.value, call.data, spender=spender, reference=reference)
    if request.origin.id == request.destination.id:
        check_swap(start, request, places[0])
        if start.refund_to is not None and same(start.refund_to, places[0].solver):
            data = with_refund_address(call.to, call.data, places[0], checked.marks, request.sender)
            return replace(made, data=data)
        return made
    order = protocol_of(answer).order_data
    await check_transfer(start, protocol_of(answer), request, places, minimum, now)
    least = request.amount
    if start.refund_to is not None:
        kept = 1 - request.slippage
        least = max(1, mul_div_up(order.inputs[0].payment.amount, kept.numerator, kept.denominator))
    return held(replace(made, expires_at=order.output.deadline), checked, least)


def held(made: EvmTransaction, checked: CheckedCall, least: int) -> EvmTransaction:
    """Return the transaction with its deposit's evidence, and with ``least`` enforced if Relay swaps first."""
    call, start, place = checked.call, checked.start, checked.place
    deposit = start.deposit
    if deposit is None:
        raise UpstreamFailed("answered a transfer without a deposit")
    if start.refund_to is None:
        return replace(made, deposit=deposit_evidence(deposit, place, least, swapped=False))
    data = hold(call.to, call.data, place, checked.marks, start, deposit, least)
    enforced = max(least, deposit.amount or 0)
    return replace(made, data=data, deposit=deposit_evidence(deposit, place, enforced, swapped=True))


def request_id(step: Step, answer: QuoteAnswer) -> str:
    """Return Relay's ID of the request; raise UpstreamFailed if it is missing."""
    found = step.request_id or answer.request_id
    if found is None:
        raise UpstreamFailed("answered without the request's ID")
    return found


def shape_of(answer: QuoteAnswer, request: QuoteRequest, place: Deployment) -> tuple[int | None, bool]:
    """Return the gas of the transaction, if stated, and whether it deposits the input unchanged."""
    if request.origin.type is ChainType.SVM:
        read_solana(answer.steps, request, place)
        return None, True
    _, call = main_call(answer.steps, request, place)
    return expect_gas(call.gas), same(call.to, place.depository)
