"""Relay's own call on an EVM chain, checked, and held to what must be deposited where Relay swaps first."""

from dataclasses import dataclass, replace

from rhumbline.adapters.relay.calldata import Start
from rhumbline.adapters.relay.checking import check_call, check_swap, check_transfer, main_call, protocol_of
from rhumbline.adapters.relay.deployments import Deployment
from rhumbline.adapters.relay.router_call import hold, seen_as, with_refund_address
from rhumbline.adapters.relay.wire import Call, QuoteAnswer, Step
from rhumbline.domain.amount import mul_div_up
from rhumbline.domain.errors import UpstreamFailed
from rhumbline.domain.expectations import same
from rhumbline.domain.quote import QuoteRequest
from rhumbline.domain.transaction import EvmTransaction


@dataclass(frozen=True, slots=True)
class CheckedCall:
    """The one call of an answer, what it starts, and the marks that may follow it, of which the first is the request's.

    ``place`` is where it is made.
    """

    call: Call
    start: Start
    marks: tuple[bytes, ...]
    place: Deployment


def checked_call(answer: QuoteAnswer, request: QuoteRequest, place: Deployment) -> CheckedCall:
    """Return the one call that there is; raise UpstreamFailed where it takes another input than the request's."""
    step, call = main_call(answer.steps, request, place)
    marks: tuple[bytes, ...] = (bytes.fromhex(request_id(step, answer)[2:]),)
    if request.origin.id != request.destination.id:
        marks = (*marks, bytes.fromhex(protocol_of(answer).order_id[2:]))
    return CheckedCall(call, check_call(call, request, place, marks), marks, place)


async def evm_transaction(
    answer: QuoteAnswer, request: QuoteRequest, places: tuple[Deployment, Deployment], minimum: int, now: int
) -> EvmTransaction:
    """Return the quote's transaction, all of it compared with the request; raise UpstreamFailed where it differs.

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
    """Return the transaction with its deposit told, and held to ``least`` where Relay swaps first."""
    call, start, place = checked.call, checked.start, checked.place
    deposit = start.deposit
    if deposit is None:
        raise UpstreamFailed("answered a transfer without a deposit")
    if start.refund_to is None:
        return replace(made, deposit=seen_as(deposit, place, least, swapped=False))
    data = hold(call.to, call.data, place, checked.marks, start, deposit, least)
    enforced = max(least, deposit.amount or 0)
    return replace(made, data=data, deposit=seen_as(deposit, place, enforced, swapped=True))


def request_id(step: Step, answer: QuoteAnswer) -> str:
    """Return what Relay calls the request; raise UpstreamFailed where it does not say."""
    found = step.request_id or answer.request_id
    if found is None:
        raise UpstreamFailed("answered without the request's ID")
    return found
