"""Native and a call on arrival, which the service's Receiver brings about with the bridged tokens.

The bridge pays the Receiver the output itself. A part of it is swapped into native for the receiver, at the exchange
whose calls we make ourselves; the rest goes to the receiver, or into the call, of which the receiver has what is left.
The Receiver holds all of it together: either everything is done, or the receiver has the bridged tokens.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from rhumbline.domain.adapter import Adapter
from rhumbline.domain.amount import mul_div_up
from rhumbline.domain.arrival import CallOnArrival, GasOnArrival
from rhumbline.domain.chain import NATIVE_EVM, Chain
from rhumbline.domain.errors import NoRoute, UpstreamFailed
from rhumbline.domain.fee import FeeItem, FeeType
from rhumbline.domain.quote import Quote, QuoteRequest
from rhumbline.domain.token import Token
from rhumbline.domain.transaction import ArrivalStep, CallKind, EvmTransaction, WorkAfter
from rhumbline.domain.unowned_addresses import STAND_IN
from rhumbline.gateways.evm.abi import encode_call
from rhumbline.routing.call_log import CallNotes
from rhumbline.routing.evm.destination_message import LONGEST_MESSAGE, work_message
from rhumbline.routing.evm.destination_swap import (
    LATEST_FILL_S,
    MOST_SWAP_GAS,
    OUR_GAS,
    Arrived,
    DestinationChecks,
    answered,
    own_exchange,
)
from rhumbline.routing.evm.stray_tokens import strays
from rhumbline.routing.quote_context import QuoteContext, pays_nobody
from rhumbline.routing.quote_prices import usd, usd_price
from rhumbline.routing.shapes import Listed
from rhumbline.simulation.evm.rehearsal import Rehearsed

GAS_LOSS = Fraction(1, 100)
"""How much less native than quoted a swap may bring when the deposit is filled; so much more of it is bought."""
MOST_SHARE = Fraction(1, 2)
"""The largest share of what arrives that native may cost."""
MOST_UNPRICED = Fraction(1, 20)
"""The same without prices by which its cost can be checked."""
MOST_MARKUP = Fraction(1, 10)
"""How much more than it is worth at the known prices native may cost."""
_NEAR = Fraction(102, 100)
_TRIES = 5


@dataclass(frozen=True, slots=True)
class ArrivalWork:
    """What a request wants on arrival, for all bridges that can pay ``token`` to the Receiver.

    ``exchange`` answers ``question``, ``token`` into native; None where no native is wanted.
    """

    context: QuoteContext
    token: Token
    exchange: Adapter[Any] | None
    question: QuoteRequest
    notes: CallNotes
    checks: DestinationChecks

    @property
    def chain(self) -> Chain:
        return self.question.origin

    @property
    def call(self) -> CallOnArrival | None:
        return self.context.request.destination_call

    def towards(self, quote_request: QuoteRequest) -> QuoteRequest:
        """Return the request to a bridge that pays the Receiver."""
        return replace(
            quote_request,
            destination_token=self.token,
            payout_address=self.chain.receiver or NATIVE_EVM,
            destination_gas=0,
            calls_on_arrival=False,
        )

    async def crossed(
        self, bridge: Adapter[Any], quote_request: QuoteRequest, loss: Fraction
    ) -> tuple[Quote[Any], Arrived]:
        """Return the bridge's quote for ``quote_request``, and a quote of what the receiver has of it.

        ``loss`` is not used: the bridge delivers exactly what it quotes. Raise an AdapterError.
        """
        await self.checks.expect_receiver(self.chain)
        at_most = quote_request.amount * 10**self.token.decimals // 10**quote_request.origin_token.decimals
        native = None if self.exchange is None else await self._native(self.exchange, at_most)
        spent = 0 if native is None else native.request.amount
        seen = await self.rehearsed(await self._work(native, at_most, MOST_SWAP_GAS))
        gas = self._gas(native, seen)
        asked = await self._work(native, at_most, gas)
        message = self.message(asked, asked_only=True)
        bridged = await bridge.quote(replace(self.towards(quote_request), message=message))
        arrives = bridged.output_amount
        if bridged.min_output_amount != arrives:
            raise NoRoute("does not deliver exactly what it quotes")
        if spent > arrives * MOST_SHARE:
            raise NoRoute(f"destinationGas costs more than half of what arrives, {arrives}; send more, or ask for less")
        fees = () if native is None else (FeeItem(FeeType.DESTINATION_GAS, spent, self.token),)
        kept = Quote(
            bridged.adapter if native is None else native.adapter,
            replace(self.question, amount=spent or arrives),
            arrives - spent,
            native,
            min_output_amount=arrives - spent,
            fees=fees,
            gas_on_arrival=None if native is None else self._brought(native),
        )
        return bridged, (kept, gas)

    async def rehearsed(self, work: WorkAfter) -> Rehearsed | None:
        """Rehearse the work's message with the Receiver; None if no node can. Raise NoRoute.

        A call is never offered without such a run: nobody else has checked it.
        """
        message = self.message(work, asked_only=True)
        seen = await self.checks.rehearsed(self.chain, self.token, work.arrives, message)
        there = self.chain.name
        if seen is None:
            if self.call is not None:
                raise NoRoute(f"the call on arrival cannot be simulated on {there} now, and is not offered without")
            return None
        if seen.output is None:
            raise NoRoute(f"the {self._what} on arrival fails on {there}: {seen.reason}")
        if self.call is not None and (lost := strays(seen.logs, self.chain.executor or NATIVE_EVM)):
            where = ", ".join(lost)
            raise NoRoute(f"the call on arrival pays its caller, who is not the receiver, in {where}: name who gets it")
        return seen

    async def swap(self, arrived: Arrived, minimum: int) -> WorkAfter:
        """Return the work, of which the receiver keeps ``minimum``; raise an AdapterError."""
        kept, gas = arrived
        if minimum != kept.output_amount:
            raise UpstreamFailed("the work on arrival was quoted for another amount")
        native: Quote[Any] | None = kept.payload
        spent = 0 if native is None else native.request.amount
        return await self._work(native, minimum + spent, gas)

    def attached(self, bridge: EvmTransaction, work: WorkAfter) -> EvmTransaction:
        return replace(bridge, work_after=work)

    def message(self, work: WorkAfter, *, asked_only: bool = False) -> bytes:
        """Return the message that requests the work; with ``asked_only`` a stand-in replaces a placeholder.

        Raise NoRoute if it is too long for a bridge.
        """
        request = self.context.request
        receiver = STAND_IN if asked_only and pays_nobody(request) else request.receiver
        message = work_message(receiver, work)
        if len(message) > LONGEST_MESSAGE:
            raise NoRoute("what is wanted on arrival is too long for a message")
        return message

    @property
    def _what(self) -> str:
        return "swap into native" if self.call is None else "call"

    @property
    def _output(self) -> str:
        return self.context.pair.destination.address

    def _brought(self, native: Quote[Any]) -> GasOnArrival:
        return GasOnArrival(native.output_amount, self.context.request.destination_gas)

    def _gas(self, native: Quote[Any] | None, seen: Rehearsed | None) -> int:
        """Return the gas of all of the work: the caller's word for the call, and what a run used for the rest."""
        if seen is None:
            units = 0 if native is None else native.gas_units
            if units is None:
                raise NoRoute("the swap into native has no gas estimate")
            return min((units + OUR_GAS) * 3 // 2, MOST_SWAP_GAS)
        own = None if self.call is None else self.call.gas
        swap = 0 if native is None else native.gas_units or 0
        return min(seen.gas * 3 // 2, MOST_SWAP_GAS) if own is None else min(own + swap + OUR_GAS, MOST_SWAP_GAS)

    async def _work(self, native: Quote[Any] | None, arrives: int, gas: int) -> WorkAfter:
        """Return the work with ``arrives`` raw units of the bridged token."""
        wish, steps, kept = self.context.request.destination_gas, list[ArrivalStep](), arrives
        if native is not None and self.exchange is not None:
            made = await self.exchange.build(replace(native, min_output_amount=wish))
            if not isinstance(made, EvmTransaction) or made.chain_id != self.chain.id:
                raise UpstreamFailed("the transaction is for another chain")
            steps.append(ArrivalStep(made, self.token.address, native.request.amount))
            kept -= native.request.amount
        if kept <= 0:
            raise NoRoute("destinationGas costs more than what arrives; send more, or ask for less")
        if self.call is not None:
            steps += self._call_steps(self.call, kept)
        bought = NATIVE_EVM if native is not None else self._output
        return WorkAfter(tuple(steps), arrives, gas, bought, wish if native is not None else 0, kept)

    def _call_steps(self, call: CallOnArrival, kept: int) -> list[ArrivalStep]:
        """Return the call with exactly ``kept`` of the output: approved, or sent along where it is native."""
        number, output = self.chain.id, self._output
        if output != NATIVE_EVM:
            made = EvmTransaction(number, call.target, 0, call.data, call.target)
            return [ArrivalStep(made, output, kept)]
        data = encode_call("withdraw(uint256)", ["uint256"], [kept])
        unwrapped = EvmTransaction(number, self.token.address, 0, data, kind=CallKind.UNWRAP)
        made = EvmTransaction(number, call.target, kept, call.data)
        return [ArrivalStep(unwrapped, self.token.address, kept), ArrivalStep(made, NATIVE_EVM, kept)]

    async def _native(self, exchange: Adapter[Any], at_most: int) -> Quote[Any]:
        """Return the exchange's quote for enough native; raise an AdapterError, NoRoute if it costs too much."""
        wish, most = self.context.request.destination_gas, at_most * MOST_SHARE.numerator // MOST_SHARE.denominator
        if self.token.address == self.chain.wrapped_native:
            return await answered(exchange, replace(self.question, amount=wish), self.notes)
        target = mul_div_up(wish, GAS_LOSS.denominator, GAS_LOSS.denominator - GAS_LOSS.numerator)
        amount = max(1, min(most, self._about(target) or most))
        for _ in range(_TRIES):
            quote = await answered(exchange, replace(self.question, amount=amount), self.notes)
            brought = quote.output_amount
            if target <= brought <= target * _NEAR:
                self._expect_worth(quote, at_most)
                return quote
            if brought < target and amount == most:
                break
            amount = max(1, min(most, mul_div_up(amount, target, max(brought, 1))))
        raise NoRoute(f"destinationGas costs more than half of the transfer, {most}; send more, or ask for less")

    def _about(self, native: int) -> int | None:
        """Return about how much of the token native costs, at the known prices; None without them."""
        paid, bought = usd_price(self.token, self.context.prices), usd_price(self.chain.native, self.context.prices)
        if paid is None or bought is None:
            return None
        return int(usd(native, self.chain.native, bought) * 10**self.token.decimals / Fraction(paid)) + 1

    def _expect_worth(self, quote: Quote[Any], at_most: int) -> None:
        """Raise NoRoute if pools charge more for native than prices allow."""
        spent, worth = quote.request.amount, self._about(quote.output_amount)
        if worth is None:
            if spent > at_most * MOST_UNPRICED:
                raise NoRoute("there is no price by which the cost of destinationGas could be checked; ask for less")
        elif spent > worth * (1 + MOST_MARKUP):
            raise NoRoute("the pools of the destination charge more for destinationGas than it is worth")


def arrival_work_of(
    context: QuoteContext,
    adapters: Sequence[Adapter[Any]],
    listed: Listed,
    notes: CallNotes,
    checks: DestinationChecks,
) -> ArrivalWork | None:
    """Return what a request wants on arrival, if bridges may pay the Receiver; None if they may not, or nothing is."""
    request, form, bought = context.request, context.forms[0].request, context.pair.destination
    there = request.destination
    if not request.wants_more_there or there.receiver is None or there.executor is None:
        return None
    wrapped = None if there.wrapped_native is None else listed(there, there.wrapped_native)
    token = wrapped if bought.address == NATIVE_EVM else bought
    # The Receiver refuses to pay a token that it handles.
    if token is None or request.receiver in (token.address, bought.address):
        return None
    question = QuoteRequest(
        origin=there,
        destination=there,
        origin_token=token,
        destination_token=there.native,
        amount=1,
        sender=request.receiver,
        receiver=request.receiver,
        taker=there.executor,
        payout_address=there.executor,
        slippage=form.slippage,
        deadline=form.deadline + LATEST_FILL_S,
    )
    exchange = own_exchange(adapters, question, context) if request.destination_gas else None
    if request.destination_gas and exchange is None:
        return None
    return ArrivalWork(context, token, exchange, question, notes, checks)
