"""Native and a call on arrival, which the service's Receiver brings about with the bridged tokens.

A part of what the bridge pays the Receiver is swapped into native for the receiver, at the exchange whose calls we make
ourselves. The rest is the output, or is swapped into it; it goes to the receiver, or into the call, of which the
receiver has what is left. The Receiver holds all of it together: either everything is done, or the receiver has the
bridged tokens.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from rhumbline.domain.adapter import Adapter
from rhumbline.domain.arrival import CallOnArrival, GasOnArrival
from rhumbline.domain.chain import NATIVE_EVM, Chain
from rhumbline.domain.errors import NoRoute, UpstreamFailed
from rhumbline.domain.fee import FeeItem, FeeType
from rhumbline.domain.quote import Quote, QuoteRequest
from rhumbline.domain.token import Token
from rhumbline.domain.transaction import ArrivalStep, EvmTransaction, WorkAfter
from rhumbline.domain.unowned_addresses import STAND_IN
from rhumbline.routing.call_log import CallNotes
from rhumbline.routing.composed_quote import PartsOnArrival
from rhumbline.routing.evm.arrival_steps import call_steps, gas_steps
from rhumbline.routing.evm.destination_message import LONGEST_MESSAGE, with_room, work_message
from rhumbline.routing.evm.destination_swap import (
    LATEST_FILL_S,
    MOST_SWAP_GAS,
    OUR_GAS,
    Arrived,
    DestinationChecks,
    DestinationSwap,
    own_exchange,
)
from rhumbline.routing.evm.native_purchase import MOST_SHARE, NativePurchase
from rhumbline.routing.evm.stray_tokens import strays
from rhumbline.routing.quote_context import QuoteContext, pays_nobody
from rhumbline.routing.shapes import Listed
from rhumbline.routing.slippage import least_output
from rhumbline.simulation.evm.rehearsal import Rehearsed


@dataclass(frozen=True, slots=True)
class ArrivalWork:
    """What a request wants on arrival, for all bridges that can pay ``token`` to the Receiver.

    ``question`` is of that token into native, ``purchase`` None where no native is wanted. ``into`` swaps what native
    leaves into the output; None: the token is the output, or its wrapped form.
    """

    context: QuoteContext
    token: Token
    question: QuoteRequest
    purchase: NativePurchase | None
    checks: DestinationChecks
    into: DestinationSwap | None = None

    @property
    def chain(self) -> Chain:
        return self.question.origin

    @property
    def call(self) -> CallOnArrival | None:
        return self.context.request.destination_call

    @property
    def swaps(self) -> bool:
        """Whether the output is swapped into, so that its minimum is the receiver's bound and not the bridge's."""
        return self.into is not None

    @property
    def way(self) -> str:
        """What is done there, as a part of a reason."""
        swap = "" if self.into is None else f"{self.into.way} and "
        return f"{swap}with more than {self.context.pair.destination.symbol} on arrival"

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

        ``loss`` is the share of the output that a swap may lose; without one the bridge delivers exactly what it
        quotes. Raise an AdapterError.
        """
        await self.checks.expect_receiver(self.chain)
        at_most = quote_request.amount * 10**self.token.decimals // 10**quote_request.origin_token.decimals
        native = None if self.purchase is None else await self.purchase.quoted(at_most)
        about = await self._kept(native, at_most, bridge.info.key)
        least = least_output(about.output_amount, loss) if self.swaps else about.output_amount
        seen = await self.rehearsed(await self._work(about, least, MOST_SWAP_GAS))
        gas = self._gas(about, seen)
        message = self.message(await self._work(about, least, gas), asked_only=True)
        bridged = await bridge.quote(replace(self.towards(quote_request), message=with_room(message)))
        if bridged.min_output_amount != bridged.output_amount:
            raise NoRoute("does not deliver exactly what it quotes")
        kept = await self._kept(native, bridged.output_amount, bridged.adapter)
        if self.into is not None:
            self.into.expect_no_more_gas(about, kept)
        if self.swaps and seen is not None and seen.output is not None:
            # A token that taxes transfers, say: no more is promised than was seen to arrive. A call takes ``least``.
            arrived = seen.output + (0 if self.call is None else least)
            if arrived < about.output_amount:
                kept = replace(kept, output_amount=kept.output_amount * arrived // about.output_amount)
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
        """Return the work, of which the receiver, or the call, has at least ``minimum``; raise an AdapterError."""
        kept, gas = arrived
        if not self.swaps and minimum != kept.output_amount:
            raise UpstreamFailed("the work on arrival was quoted for another amount")
        return await self._work(kept, minimum, gas)

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
            said = f"a message of {len(message)} bytes, and bridges take at most {LONGEST_MESSAGE}"
            raise NoRoute(f"what is wanted on arrival makes {said}; shorten destinationCall.calldata")
        return message

    @property
    def _what(self) -> str:
        return "swap" if self.call is None else "call"

    async def _kept(self, native: Quote[Any] | None, arrives: int, bridge: str) -> Quote[PartsOnArrival]:
        """Return the quote of what is kept of the ``arrives`` raw units of ``bridge`` after ``native`` was bought.

        Raise an AdapterError, NoRoute where native costs too much of it.
        """
        spent = 0 if native is None else native.request.amount
        if spent > arrives * MOST_SHARE:
            raise NoRoute(f"destinationGas costs more than half of what arrives, {arrives}; send more, or ask for less")
        rest, fees, brought = arrives - spent, tuple[FeeItem, ...](), None
        swapped = None if self.into is None else await self.into.swapped(rest)
        output = rest if swapped is None else swapped.output_amount
        if native is not None:
            fees = (FeeItem(FeeType.DESTINATION_GAS, spent, self.token),)
            wish = self.context.request.destination_gas
            brought = GasOnArrival(native.output_amount, wish, spent * output // rest)
        parts = PartsOnArrival(arrives, native, swapped)
        if swapped is not None:
            return replace(swapped, payload=parts, fees=(*swapped.fees, *fees), gas_on_arrival=brought)
        return Quote(
            bridge if native is None else native.adapter,
            replace(self.question, amount=spent or arrives),
            output,
            parts,
            min_output_amount=output,
            fees=fees,
            gas_on_arrival=brought,
        )

    def _gas(self, about: Quote[PartsOnArrival], seen: Rehearsed | None) -> int:
        """Return the gas of all of the work: the caller's word for the call, and what a run used for the rest."""
        units = about.payload.gas_units
        own = None if self.call is None else self.call.gas
        if seen is not None and own is None:
            return min(seen.gas * 3 // 2, MOST_SWAP_GAS)
        if units is None:
            raise NoRoute("the swap on arrival has no gas estimate")
        if own is None:
            return min((units + OUR_GAS) * 3 // 2, MOST_SWAP_GAS)
        if own + units + OUR_GAS > MOST_SWAP_GAS:
            left = MOST_SWAP_GAS - units - OUR_GAS
            raise NoRoute(f"destinationCall.gas: at most {left} is left for the call beside the swaps on arrival")
        return own + units + OUR_GAS

    async def _work(self, kept: Quote[PartsOnArrival], minimum: int, gas: int) -> WorkAfter:
        """Return the work of which the receiver, or the call, has at least ``minimum`` of the output."""
        parts, wish, output = kept.payload, self.context.request.destination_gas, self.context.pair.destination.address
        steps = list[ArrivalStep]()
        if parts.native is not None and self.purchase is not None:
            steps += await gas_steps(self.purchase, parts.native, None if self.into is None else self._receiver)
        if parts.swapped is not None and self.into is not None:
            swap = await self.into.swap((parts.swapped, gas), minimum)
            steps.append(ArrivalStep(swap.transaction, self.token.address, swap.spent))
        if self.call is not None:
            steps += call_steps(self.call, self.chain.id, output, self.token.address, minimum, wrapped=not self.swaps)
        if self.into is not None:
            return WorkAfter(tuple(steps), parts.arrives, gas, output, 0 if self.call else minimum, minimum)
        bought, least = (output, 0) if parts.native is None else (NATIVE_EVM, wish)
        return WorkAfter(tuple(steps), parts.arrives, gas, bought, least, minimum)

    @property
    def _receiver(self) -> str:
        return self.context.request.receiver


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
    return _with_purchase(ArrivalWork(context, token, question, None, checks), adapters, notes)


def arrival_work_after(swap: DestinationSwap, adapters: Sequence[Adapter[Any]]) -> ArrivalWork | None:
    """Return what the swap's request wants on arrival, after that swap; None if nobody sells the native."""
    question = replace(swap.question, destination_token=swap.chain.native)
    work = ArrivalWork(swap.context, swap.token, question, None, swap.checks, swap)
    return _with_purchase(work, adapters, swap.notes)


def _with_purchase(work: ArrivalWork, adapters: Sequence[Adapter[Any]], notes: CallNotes) -> ArrivalWork | None:
    context, question = work.context, work.question
    if not context.request.destination_gas:
        return work
    exchange = own_exchange(adapters, question, context)
    return None if exchange is None else replace(work, purchase=NativePurchase(exchange, question, context, notes))
