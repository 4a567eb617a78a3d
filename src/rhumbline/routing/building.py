"""From a quote to a transaction that has been checked and run: minimum, upstream's call, our call, simulation."""

import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from functools import partial
from typing import Any

import structlog

from rhumbline.domain.adapter import Adapter
from rhumbline.domain.chain import NATIVE_EVM, NATIVE_SVM
from rhumbline.domain.clock import Clock
from rhumbline.domain.errors import AdapterError, SlippageTooTight, UpstreamFailed
from rhumbline.domain.quote import Quote, QuoteRequest, Refusal
from rhumbline.domain.simulation import STAND_IN, ExecutionStatus, Simulation, SimulationTask
from rhumbline.domain.transaction import CallKind, EvmTransaction, Transaction, make_transaction_id
from rhumbline.gateways.evm.abi import encode_call
from rhumbline.gateways.words import address_word, word_address
from rhumbline.routing.asking import Question
from rhumbline.routing.breaker import Guards
from rhumbline.routing.bridge_call import BridgeOrder, bridge_call
from rhumbline.routing.fees import PriceReader, fresh_price
from rhumbline.routing.quoting import guarded
from rhumbline.routing.ranking import usd
from rhumbline.routing.refusing import REFUSED, REVERTED
from rhumbline.routing.router_call import RouterOrder, router_call
from rhumbline.routing.slippage import least_output, lost_share, permitted_loss
from rhumbline.routing.verifying import CallMismatch, verify_bridge_call, verify_router_call
from rhumbline.simulation.bundle import is_placeholder
from rhumbline.simulation.simulator import Simulator

LEAST_TIME_S = 15
"""A transaction that ends sooner is of no use: a block of the slowest chain alone takes nearly as long."""
_REFERENCE = re.compile(r"[0-9A-Za-z._:+/=-]{1,200}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Built:
    """A quote with its transaction. ``task`` is how to run it, None where nothing can; ``id`` is for tracking.

    ``upstream`` is the adapter's own transaction, ``deadline`` the Unix second until which ours may run.
    """

    quote: Quote[Any]
    id: bytes
    upstream: Transaction
    deadline: int
    min_output: int
    transaction: Transaction
    approval_address: str | None
    task: SimulationTask | None


@dataclass(frozen=True, slots=True)
class Builder:
    """Builds one quote. ``timeout_s`` bounds the adapter's part, ``largest_loss`` the loss against known prices."""

    guards: Guards
    id_keys: tuple[bytes, ...]
    prices: PriceReader
    timeout_s: float
    largest_loss: Fraction
    clock: Clock

    async def build(self, question: Question, quote: Quote[Any], adapter: Adapter[Any]) -> Built | Refusal:
        """Return the quote's transaction, or why there is none."""
        loss = permitted_loss(question.request, question.kind, quote.price_impact_bps)
        refusal = self._too_lossy(question, quote) or _too_loose(quote, least_output(quote.output_amount, loss))
        if refusal is not None:
            return refusal
        bound = replace(quote, min_output_amount=_minimum(quote, least_output(quote.output_amount, loss)))
        guard = self.guards.of(quote.adapter)
        # Without its transaction the quote was asked for in vain: the build is made on credit.
        work, timeout_s = partial(adapter.build, bound), self.timeout_s
        upstream: Transaction | Refusal = await guarded(quote.adapter, "build", guard, work, timeout_s, owed=True)
        if isinstance(upstream, Refusal):
            return upstream
        try:
            self._check(quote.request, upstream)
            return self._finished(question, bound, upstream)
        except AdapterError as error:
            return Refusal(quote.adapter, error.kind, error.reason)
        except CallMismatch as error:
            structlog.get_logger().error("call_mismatch", adapter=quote.adapter, reason=str(error))
            return Refusal(quote.adapter, REFUSED, "the finished transaction does not do what was asked")

    def _too_lossy(self, question: Question, quote: Quote[Any]) -> Refusal | None:
        """Refuse a loss of value beyond the limit, unless the caller's own bound covers it."""
        asked = quote.request
        paid, got = (fresh_price(token, self.prices) for token in (asked.origin_token, asked.destination_token))
        if paid is None or got is None:
            return None
        request, native = question.request, fresh_price(asked.origin.native, self.prices)
        # Of a native fee without a price at least the rest is known.
        beside = usd(quote.native_fee, asked.origin.native, native or Decimal(0))
        lost = lost_share(
            usd(asked.amount, asked.origin_token, paid) + beside,
            usd(quote.output_amount, asked.destination_token, got),
        )
        own = None if request.auto_slippage else request.slippage
        if lost <= self.largest_loss or (own is not None and own >= lost):
            return None
        percent = -(-lost.numerator * 100 // lost.denominator)
        return Refusal(
            quote.adapter, SlippageTooTight.kind, f"about {percent} % of the value would be lost at the known prices"
        )

    def _check(self, asked: QuoteRequest, upstream: Transaction) -> None:
        """Refuse a transaction that nobody could send in time, and a name of the transfer that cannot be one."""
        if not isinstance(upstream, EvmTransaction):
            return
        if upstream.expires_at is not None and upstream.expires_at < self.clock().timestamp() + LEAST_TIME_S:
            raise UpstreamFailed("answered with a transaction that ends before it could be sent")
        if upstream.reference is not None and not _REFERENCE.fullmatch(upstream.reference):
            raise UpstreamFailed("answered with a name for the transfer that is none")
        if asked.origin.id != asked.destination.id and upstream.kind not in (CallKind.CALL, CallKind.PAY):
            raise UpstreamFailed("the transaction hands nothing to a bridge")

    def _identify(self, question: Question) -> bytes:
        request = question.request
        nonce = secrets.token_bytes(16)
        return make_transaction_id(self.id_keys[0], nonce, request.origin.id, request.sender, question.integrator or "")

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
            id=self._identify(question),
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
        call = router_call(order, upstream)
        verify_router_call(order, upstream, call)
        stand_in = router_call(replace(order, receiver=STAND_IN), upstream).data
        task = _task(question, quote, call, stand_in)
        return Built(quote, order.id, upstream, order.deadline, minimum, call, call.spender, task)

    def _bridge(self, question: Question, quote: Quote[Any], upstream: EvmTransaction) -> Built:
        request, asked, minimum = question.request, quote.request, quote.min_output_amount or 0
        order = BridgeOrder(
            id=self._identify(question),
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
        call = bridge_call(order, upstream)
        verify_bridge_call(order, upstream, call)
        stand_in = bridge_call(_for_stand_in(order), upstream).data
        task = _task(question, quote, call, stand_in)
        if _for_nobody(question):
            task = replace(task, data=stand_in)
        return Built(quote, order.id, upstream, order.deadline, minimum, call, call.spender, task)

    def _direct(self, question: Question, quote: Quote[Any], upstream: Transaction) -> Built:
        minimum, identifier, asked = quote.min_output_amount or 0, self._identify(question), quote.request
        if not isinstance(upstream, EvmTransaction):
            return Built(quote, identifier, upstream, asked.deadline, minimum, upstream, None, None)
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
        task, deadline = _task(question, quote, call, None), _deadline(asked, upstream)
        return Built(quote, identifier, upstream, deadline, minimum, call, approval, task)


def _too_loose(quote: Quote[Any], least: int) -> Refusal | None:
    """Refuse an upstream that fixed its minimum when it quoted, and guarantees less than is permitted."""
    if quote.min_output_amount is None or quote.min_output_amount >= least:
        return None
    reason = f"guarantees {quote.min_output_amount} only, where at least {least} is wanted; permit more slippage"
    return Refusal(quote.adapter, SlippageTooTight.kind, reason)


def _minimum(quote: Quote[Any], least: int) -> int:
    """Return the minimum that binds: the upstream's own, where it has fixed one, else the least permitted."""
    return least if quote.min_output_amount is None else quote.min_output_amount


def _deadline(asked: QuoteRequest, upstream: EvmTransaction) -> int:
    """Return the second until which the transaction may run: the request's, or the upstream's earlier one."""
    return asked.deadline if upstream.expires_at is None else min(asked.deadline, upstream.expires_at)


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


def _task(question: Question, quote: Quote[Any], call: EvmTransaction, stand_in: bytes | None) -> SimulationTask:
    request, asked = question.request, quote.request
    crossing = request.origin.id != request.destination.id
    return SimulationTask(
        chain_id=call.chain_id,
        sender=request.sender,
        # What arrives on another chain is not seen here, and its receiver may be an address of another type.
        receiver=request.sender if crossing else request.receiver,
        to=call.to,
        value=call.value,
        data=call.data,
        input_token=asked.origin_token.address,
        input_amount=request.amount,
        spender=None if asked.origin_token.address == NATIVE_EVM else call.spender,
        output_token=None if crossing else asked.destination_token.address,
        advertised_output=quote.output_amount,
        stand_in_data=stand_in,
    )


async def run(built: Built, simulators: Mapping[int, Simulator], budget_s: float) -> Simulation | None:
    """Simulate a built quote; None where its chain has no simulator."""
    simulator = None if built.task is None else simulators.get(built.task.chain_id)
    # What goes to Solana's placeholder is there to be shown.
    if built.task is None or simulator is None or built.quote.request.receiver == NATIVE_SVM:
        return None
    return await simulator.simulate(built.task, budget_s)


def fault_of(built: Built, simulation: Simulation) -> Refusal | None:
    """Say why a simulated route is not offered; the wallet's own faults, or a run that told nothing, are none."""
    key, result = built.quote.adapter, simulation.result
    if simulation.objection is not None:
        return Refusal(key, REFUSED, simulation.objection)
    if result.status is ExecutionStatus.REVERTED and not simulation.wallet_fault:
        if simulation.below_minimum:
            return Refusal(key, SlippageTooTight.kind, f"the output falls below the minimum: {result.reason}")
        return Refusal(key, REVERTED, f"the transaction reverts: {result.reason}")
    if result.simulated_output is not None and result.simulated_output < built.min_output:
        return Refusal(key, SlippageTooTight.kind, f"only {result.simulated_output} would arrive")
    return None
