"""From a quote to a finished transaction: minimum, upstream's call, our call around it, and its check."""

import re
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import structlog

from rhumbline.domain.adapter import Adapter
from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.domain.clock import Clock
from rhumbline.domain.errors import AdapterError, SlippageTooTight, UpstreamFailed
from rhumbline.domain.quote import Quote, QuoteRequest, Refusal
from rhumbline.domain.simulation import STAND_IN
from rhumbline.domain.transaction import CallKind, EvmTransaction, Transaction
from rhumbline.gateways.bytes32 import address_word, word_address
from rhumbline.gateways.call_budgets import Purpose
from rhumbline.gateways.evm.abi import encode_call
from rhumbline.gateways.upstream_calls import UpstreamCall
from rhumbline.routing.asking import Question
from rhumbline.routing.built import Built, task_of
from rhumbline.routing.call_log import CallNotes
from rhumbline.routing.evm.bridge_call import BridgeOrder, bridge_call
from rhumbline.routing.evm.router_call import RouterOrder, router_call, with_receiver
from rhumbline.routing.evm.verifying import CallMismatch, verify_bridge_call, verify_router_call
from rhumbline.routing.identifying import UNIDENTIFIED, direct_id, identified
from rhumbline.routing.quoting import guarded
from rhumbline.routing.refusing import REFUSED
from rhumbline.routing.slippage import least_output, permitted_loss
from rhumbline.simulation.evm.bundle import is_placeholder

LEAST_TIME_S = 15
"""A transaction that ends sooner is of no use: a block of the slowest chain alone takes nearly as long."""
_REFERENCE = re.compile(r"[0-9A-Za-z._:+/=-]{1,200}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Builder:
    """Builds one quote. ``timeout_s`` bounds the adapter's part."""

    notes: CallNotes
    id_keys: tuple[bytes, ...]
    timeout_s: float
    clock: Clock

    async def build(self, question: Question, quote: Quote[Any], adapter: Adapter[Any]) -> Built | Refusal:
        """Return the quote's transaction, or why there is none."""
        least = least_of(question, quote)
        refusal = _too_loose(quote, least)
        if refusal is not None:
            return refusal
        bound = replace(quote, min_output_amount=_minimum(quote, least))
        # Without its transaction the quote was asked for in vain: a build is made on credit.
        call, work = UpstreamCall(Purpose.BUILD), partial(adapter.build, bound)
        upstream: Transaction | Refusal = await guarded(quote.adapter, call, self.notes, work, self.timeout_s)
        if isinstance(upstream, Refusal):
            return upstream
        built = self.finish(question, bound, upstream)
        fixed = quote.min_output_amount is not None
        return built if isinstance(built, Refusal) else replace(built, fixed=fixed)

    def finish(self, question: Question, quote: Quote[Any], upstream: Transaction) -> Built | Refusal:
        """Return our transaction around the upstream's, with the quote's minimum; or why there is none. Pure."""
        try:
            self._check(quote.request, upstream)
            return self._finished(question, quote, upstream)
        except AdapterError as error:
            return Refusal(quote.adapter, error.kind, error.reason)
        except CallMismatch as error:
            structlog.get_logger().error("call_mismatch", adapter=quote.adapter, reason=str(error))
            return Refusal(quote.adapter, REFUSED, "the finished transaction does not do what was asked")

    def _check(self, asked: QuoteRequest, upstream: Transaction) -> None:
        """Refuse a transaction that nobody could send in time, and a name of the transfer that cannot be one."""
        if not isinstance(upstream, EvmTransaction):
            return
        if upstream.expires_at is not None and upstream.expires_at < self.clock().timestamp() + LEAST_TIME_S:
            raise UpstreamFailed("answered with a transaction that ends before it could be sent")
        if upstream.reference is not None and not _REFERENCE.fullmatch(upstream.reference):
            raise UpstreamFailed("answered with a name for the transfer that is none")
        if asked.origin.id == asked.destination.id:
            return
        if upstream.kind not in (CallKind.CALL, CallKind.PAY):
            raise UpstreamFailed("the transaction hands nothing to a bridge")
        if upstream.deposit is None:
            raise UpstreamFailed("the transaction does not say how its bridge is seen to take it")

    def _finished(self, question: Question, quote: Quote[Any], upstream: Transaction) -> Built:
        if question.is_direct(quote.request):
            return self._direct(question, quote, upstream)
        if not isinstance(upstream, EvmTransaction):
            raise UpstreamFailed("the transaction is for another type of chain")
        if quote.request.origin.id == quote.request.destination.id:
            return self._swap(question, quote, upstream)
        return self._bridge(question, quote, upstream)

    def _swap(self, question: Question, quote: Quote[Any], upstream: EvmTransaction) -> Built:
        request, asked, minimum = question.request, quote.request, quote.min_output_amount or 0
        order = RouterOrder(
            id=UNIDENTIFIED,
            chain=request.origin,
            integrator=question.integrator,
            adapter=quote.adapter,
            receiver=request.receiver,
            input_token=asked.origin_token.address,
            amount=request.amount,
            net=asked.amount,
            output_token=asked.destination_token.address,
            min_output=minimum,
            deadline=_deadline(asked, upstream),
            native_fee=quote.native_fee,
            charges=question.intake.charges,
        )
        order = identified(order, request.sender, self.id_keys[0])
        call = router_call(order, upstream)
        verify_router_call(order, upstream, call)
        stand_in = with_receiver(call.data, STAND_IN)
        task = task_of(question, quote, call, stand_in=stand_in)
        return Built(quote, order.id, upstream, order.deadline, minimum, call, call.spender, task)

    def _bridge(self, question: Question, quote: Quote[Any], upstream: EvmTransaction) -> Built:
        request, asked, minimum = question.request, quote.request, quote.min_output_amount or 0
        order = BridgeOrder(
            id=UNIDENTIFIED,
            chain=request.origin,
            destination=request.destination,
            integrator=question.integrator,
            adapter=quote.adapter,
            receiver=request.receiver,
            input_token=asked.origin_token.address,
            amount=request.amount,
            net=asked.amount,
            sent=asked.amount if upstream.takes is None else upstream.takes,
            output_token=asked.destination_token.address,
            expected_output=quote.output_amount,
            min_output=minimum,
            refund_to=request.sender,
            reference=upstream.reference,
            deadline=_deadline(asked, upstream),
            native_fee=quote.native_fee,
            charges=question.intake.charges,
        )
        order = identified(order, request.sender, self.id_keys[0])
        call = bridge_call(order, upstream)
        verify_bridge_call(order, upstream, call)
        stand_in = bridge_call(_for_stand_in(order), upstream).data
        task = task_of(question, quote, call, stand_in=stand_in, deposit=upstream.deposit)
        if _for_nobody(question):
            task = replace(task, data=stand_in)
        return Built(quote, order.id, upstream, order.deadline, minimum, call, call.spender, task)

    def _direct(self, question: Question, quote: Quote[Any], upstream: Transaction) -> Built:
        minimum, asked = quote.min_output_amount or 0, quote.request
        deadline = _deadline(asked, upstream)
        identifier = direct_id(question, quote, upstream, deadline, self.id_keys[0])
        if not isinstance(upstream, EvmTransaction):
            return Built(quote, identifier, upstream, deadline, minimum, upstream, None, None)
        if upstream.chain_id != asked.origin.id:
            raise UpstreamFailed("the transaction is for another chain")
        native = asked.origin_token.address == NATIVE_EVM
        taken = asked.amount if upstream.takes is None else upstream.takes
        if not 0 < taken <= asked.amount:
            raise UpstreamFailed("the transaction takes another amount than was agreed")
        call = _paid_directly(asked, upstream, taken) if upstream.kind is CallKind.PAY else upstream
        expected = (taken if native else 0) + quote.native_fee
        if call.value != expected:
            raise UpstreamFailed(f"the transaction sends {call.value} wei where {expected} were agreed")
        approval = None if native or upstream.kind is CallKind.PAY else call.spender
        task = task_of(question, quote, call, deposit=upstream.deposit)
        return Built(quote, identifier, upstream, deadline, minimum, call, approval, task)


def least_of(question: Question, quote: Quote[Any]) -> int:
    """Return the least that may be promised of a quote's output, by the slippage that is permitted (rounded down)."""
    loss = permitted_loss(question.request, question.kind, quote.price_impact_bps)
    return least_output(quote.output_amount, loss)


def _too_loose(quote: Quote[Any], least: int) -> Refusal | None:
    """Refuse an upstream that fixed its minimum when it quoted, and guarantees less than is permitted."""
    if quote.min_output_amount is None or quote.min_output_amount >= least:
        return None
    reason = f"guarantees {quote.min_output_amount} only, where at least {least} is wanted; permit more slippage"
    return Refusal(quote.adapter, SlippageTooTight.kind, reason)


def _minimum(quote: Quote[Any], least: int) -> int:
    """Return the minimum that binds: the upstream's own, where it has fixed one, else the least permitted."""
    return least if quote.min_output_amount is None else quote.min_output_amount


def _deadline(asked: QuoteRequest, upstream: Transaction) -> int:
    """Return the second until which the transaction may run: the request's, or the upstream's earlier one."""
    ends = upstream.expires_at if isinstance(upstream, EvmTransaction) else None
    return asked.deadline if ends is None else min(asked.deadline, ends)


def _paid_directly(asked: QuoteRequest, upstream: EvmTransaction, amount: int) -> EvmTransaction:
    """Return the transfer that a wallet makes itself where the Executor would pay: native as value, a token by call."""
    if asked.origin_token.address == NATIVE_EVM:
        return replace(upstream, kind=CallKind.CALL, data=b"", spender=None)
    data = encode_call("transfer(address,uint256)", ["address", "uint256"], [upstream.to, amount])
    return replace(upstream, kind=CallKind.CALL, to=asked.origin_token.address, value=0, data=data, spender=None)


def _for_stand_in(order: BridgeOrder) -> BridgeOrder:
    """Return the order with the stand-in where the Diamond refuses addresses that are nobody's."""
    receiver = word_address(order.destination, address_word(order.chain, STAND_IN))
    return replace(order, refund_to=STAND_IN, receiver=receiver or STAND_IN)


def _for_nobody(question: Question) -> bool:
    """Tell whether the sender or the receiver of a transfer is a placeholder, on whatever type of chain."""
    request = question.request
    ends = (address_word(request.origin, request.sender), address_word(request.destination, request.receiver))
    return any(is_placeholder(word.hex()) for word in ends)
