"""Swaps before and after a bridge under one signature: which adapters are asked, and the quotes made of the answers.

A swap before the bridge is in the same transaction of the Diamond: the bridge is asked for the amount of an anchor that
the swap guarantees, and its call takes exactly that, so the checked call stays valid however the pools move. Any excess
goes to the wallet, in the anchor. For a swap after it, the bridge pays the Receiver, with a message. Only an exchange
whose calls we build ourselves (``AdapterInfo.own_calls``) is used for these swaps.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Protocol

from rhumbline.domain.adapter import Adapter, AdapterInfo
from rhumbline.domain.errors import AdapterError, BelowMinimum, SlippageTooTight, UpstreamFailed
from rhumbline.domain.quote import Quote, QuoteRequest
from rhumbline.domain.token import Token
from rhumbline.domain.transaction import EvmTransaction, SwapBefore, UpstreamTransaction
from rhumbline.routing.call_log import CallNotes
from rhumbline.routing.composed_quote import Composition
from rhumbline.routing.evm.arrival import ArrivalWork, arrival_work_after, arrival_work_of
from rhumbline.routing.evm.destination_swap import (
    Arrived,
    DestinationChecks,
    SwapBeforehand,
    destination_swap_of,
    own_exchange,
)
from rhumbline.routing.quote_context import Form, QuoteContext
from rhumbline.routing.selection import Ask, select
from rhumbline.routing.shapes import Listed, anchors
from rhumbline.routing.slippage import PairKind, least_output, pair_kind, permitted_loss, promisable

_LARGEST_SLIPPAGE = Fraction(9_999, 10_000)


def composed_asks(
    context: QuoteContext,
    adapters: Sequence[Adapter[Any]],
    listed: Listed,
    notes: CallNotes,
    checks: DestinationChecks,
) -> tuple[Ask, ...]:
    """Return the questions for composed quotes: bridges after a swap into an anchor, before a swap out of one, or both.

    They are for routes across chains. ``listed`` finds the anchors, ``notes`` record the calls, ``checks`` look at the
    destination. Exchange filters govern the swaps, bridge filters the bridge. There are none if the asset does not
    change, which would be swapped to and fro. An input that is an anchor is swapped into another one only if a swap on
    arrival follows; an output that is an anchor is swapped into on arrival only if the input is one.
    """
    form = next((form for form in context.forms if form.terms is not None), None)
    sold, bought = context.pair.origin, context.pair.destination
    if form is None:
        return ()
    work = arrival_work_of(context, adapters, listed, notes, checks)
    asks = [] if work is None else _asks_with(work, form, context, adapters, listed, notes)
    if context.pair.kind is PairKind.SAME_ASSET:
        return tuple(asks)
    pairs = anchors(context.request.origin, context.request.destination, listed)
    straight = [pair for pair in pairs if pair[1].address == bought.address]
    is_anchor = any(near.address == sold.address for near, _ in pairs)
    for near, far in pairs:
        quote_request = replace(form.request, origin_token=near)
        swap = None if near.address == sold.address else _swap_into(near, form, context, adapters, notes)
        if swap is None and near.address != sold.address:
            continue
        if not is_anchor and (not straight or (near, far) in straight):
            bridges = select(adapters, [quote_request], context.request.adapters, context.pauses).asks
            asks += [Ask(_Composed(ask.adapter, swap, context, near), form.request) for ask in bridges]
        arrives = far.address != bought.address and (is_anchor or not straight)
        there = destination_swap_of(far, context, adapters, listed, notes, checks) if arrives else None
        arrival = arrival_work_after(there, adapters) if there and context.request.wants_more_there else there
        if arrival is not None:
            towards = [arrival.towards(quote_request)]
            bridges = select(adapters, towards, context.request.adapters, context.pauses).asks
            asks += [
                Ask(_Composed(ask.adapter, swap, context, near, arrival), form.request)
                for ask in bridges
                if ask.adapter.info.carries_messages
            ]
    return tuple(asks)


def _asks_with(
    work: ArrivalWork,
    form: Form,
    context: QuoteContext,
    adapters: Sequence[Adapter[Any]],
    listed: Listed,
    notes: CallNotes,
) -> list[Ask]:
    """Return the questions to bridges that pay the Receiver the output itself, after a swap where that is needed."""
    request, sold, bought = context.request, context.pair.origin, context.pair.destination
    pairs = anchors(request.origin, request.destination, listed)
    found: list[Ask] = []
    nears = [sold, *(near for near, far in pairs if far.address == bought.address and near.address != sold.address)]
    for near in nears:
        swap = None if near is sold else _swap_into(near, form, context, adapters, notes)
        if swap is None and near is not sold:
            continue
        towards = [work.towards(replace(form.request, origin_token=near))]
        bridges = select(adapters, towards, request.adapters, context.pauses).asks
        found += [
            Ask(_Composed(ask.adapter, swap, context, near, work), form.request)
            for ask in bridges
            if ask.adapter.info.carries_messages
        ]
    return found


def _swap_into(
    anchor: Token, form: Form, context: QuoteContext, adapters: Sequence[Adapter[Any]], notes: CallNotes
) -> SwapBeforehand | None:
    quote_request = form.request
    request = replace(
        quote_request,
        destination=quote_request.origin,
        destination_token=anchor,
        receiver=quote_request.sender,
        payout_address=quote_request.taker,
        destination_gas=0,
        calls_on_arrival=False,
        refund_to=None,
    )
    own = own_exchange(adapters, request, context)
    return None if own is None else SwapBeforehand(own, request, notes)


class _OnArrival(Protocol):
    """What the Receiver does with what a bridge delivers: a ``DestinationSwap``, or an ``ArrivalWork``."""

    @property
    def token(self) -> Token: ...

    @property
    def swaps(self) -> bool: ...

    @property
    def way(self) -> str: ...

    async def crossed(
        self, bridge: Adapter[Any], quote_request: QuoteRequest, loss: Fraction
    ) -> tuple[Quote[Any], Arrived]: ...

    async def swap(self, arrived: Arrived, minimum: int) -> Any: ...

    def message(self, after: Any, /) -> bytes: ...

    async def rehearsed(self, after: Any, /) -> object: ...

    def attached(self, bridge: EvmTransaction, after: Any, /) -> EvmTransaction: ...


@dataclass(frozen=True, slots=True)
class _Composed:
    """One bridge with the swaps before and after it, as an adapter with the bridge's key."""

    bridge: Adapter[Any]
    swap: SwapBeforehand | None
    context: QuoteContext
    anchor: Token
    arrival: _OnArrival | None = None

    @property
    def info(self) -> AdapterInfo:
        return self.bridge.info

    def supports(self, request: QuoteRequest, /) -> bool:
        return self.context.form_of(request).terms is not None

    async def quote(self, request: QuoteRequest, /) -> Quote[Composition]:
        """Ask the exchange, then the bridge for the least that it guarantees; raise an AdapterError."""
        try:
            return await self._quote(request)
        except AdapterError as error:
            reason = f"{self._way}: {error.reason}"
            if isinstance(error, BelowMinimum):
                # Its minimum is of another token than the input, or of what the swap after it needs.
                raise BelowMinimum(reason, None) from error
            if isinstance(error, UpstreamFailed):
                raise UpstreamFailed(reason, error.retry_after_s) from error
            raise type(error)(reason) from error

    async def build(self, quote: Quote[Composition], /) -> EvmTransaction:
        """Make the transactions, the bridge's with what goes before and comes after it; raise an AdapterError."""
        parts = quote.payload
        before, bridge = await asyncio.gather(self._first(parts), self._then(quote))
        if before is None:
            return bridge
        if bridge.input_taken is not None and 0 < bridge.input_taken < before.least:
            # Some bridges cut amounts to fewer decimals: the remainder goes to the wallet, like any excess.
            before = replace(before, least=bridge.input_taken)
        first = before.transaction
        ends = [each.expires_at for each in (first, bridge) if each.expires_at is not None]
        return replace(bridge, swap=before, expires_at=min(ends, default=None))

    async def _first(self, parts: Composition) -> SwapBefore | None:
        if self.swap is None or parts.swap is None:
            return None
        first = _of_evm(await self.swap.adapter.build(parts.swap))
        return SwapBefore(first, self.anchor.address, parts.bridge.request.amount)

    async def _then(self, quote: Quote[Composition]) -> EvmTransaction:
        parts, least = quote.payload, quote.min_output_amount
        if self.arrival is None or parts.arrived is None or least is None:
            return _of_evm(await self.bridge.build(replace(parts.bridge, min_output_amount=least)))
        after = await self.arrival.swap(parts.arrived, least)
        request = replace(parts.bridge.request, message=self.arrival.message(after))
        if len(request.message) > len(parts.bridge.request.message):
            raise UpstreamFailed("the swap on arrival is longer than the bridge was asked for")
        # What the pools are like now decides, not what they were like when it was quoted.
        with_message = replace(parts.bridge, request=request)
        built, _ = await asyncio.gather(self.bridge.build(with_message), self.arrival.rehearsed(after))
        return self.arrival.attached(_of_evm(built), after)

    @property
    def _way(self) -> str:
        into = [] if self.swap is None else [f"after a swap into {self.anchor.symbol}"]
        out = [] if self.arrival is None else [self.arrival.way]
        return " and ".join((*into, *out))

    async def _quote(self, request: QuoteRequest) -> Quote[Composition]:
        swap = None if self.swap is None else await self.swap.quote()
        before, after = self._shares(swap)
        swap_quote, amount = None, request.amount
        if swap is not None:
            amount = least_output(swap.output_amount, before)
            swap_quote = replace(swap, min_output_amount=amount)
        bridge_request = replace(
            request, origin_token=self.anchor, amount=amount, slippage=min(after, _LARGEST_SLIPPAGE)
        )
        if self.arrival is None:
            return self._joined(request, before, swap_quote, await self.bridge.quote(bridge_request), None)
        bridge, arrived = await self.arrival.crossed(self.bridge, bridge_request, after)
        return self._joined(request, before, swap_quote, bridge, arrived)

    def _joined(
        self,
        request: QuoteRequest,
        before: Fraction,
        swap: Quote[Any] | None,
        bridge: Quote[Any],
        arrived: Arrived | None,
    ) -> Quote[Composition]:
        """Return one quote of the parts; its output may be lower by what is left beside ``before``."""
        last = bridge if arrived is None else arrived[0]
        into_output = last if self.arrival is not None and self.arrival.swaps else None
        swaps = [each for each in (swap, into_output) if each is not None]
        impacts = [each.price_impact_bps for each in swaps]
        impact = None if None in impacts else sum(each or 0 for each in impacts)
        after = permitted_loss(self.context.request, self.context.pair.kind, impact) - before
        fixed, output = last.min_output_amount, last.output_amount
        output = output if fixed is None else promisable(output, fixed, after)
        least = least_output(output, after)
        if fixed is not None and fixed < least:
            raise SlippageTooTight(f"guarantees only {fixed} instead of at least {least}; allow more slippage")
        on_origin = [each.gas_units for each in (swap, bridge) if each is not None]
        fees = (*(() if swap is None else swap.fees), *bridge.fees, *(() if arrived is None else last.fees))
        return Quote(
            bridge.adapter,
            request,
            output,
            Composition(self, bridge, swap, arrived),
            min_output_amount=least if fixed is None else fixed,
            native_fee=bridge.native_fee,
            fees=fees,
            seconds=bridge.seconds,
            gas_units=None if None in on_origin else sum(units or 0 for units in on_origin),
            # What native on arrival costs is bought, not lost: the share is computed from prices then.
            price_impact_bps=impact if swaps else None,
            # For a swap after it, the Receiver enforces the minimum.
            assured_output=bridge.assured_output if arrived is None else None,
            gas_on_arrival=bridge.gas_on_arrival if arrived is None else last.gas_on_arrival,
        )

    def _shares(self, swap: Quote[Any] | None) -> tuple[Fraction, Fraction]:
        """Divide the permitted loss between the swap before the bridge and everything after it.

        The swap gets half, without a requested slippage at most the usual loss of its pair: the bridge is sent what the
        swap guarantees, and a wide bound would leave that much unsent. The rest is the bridge's, or that of the swap on
        arrival; then the bridge must deliver exactly what it quotes.
        """
        request = self.context.request
        whole = permitted_loss(request, self.context.pair.kind, None if swap is None else swap.price_impact_bps)
        if swap is None:
            return Fraction(0), whole
        swap_request = swap.request
        plain = replace(request, slippage=None, auto_slippage=False)
        usual = permitted_loss(
            plain, pair_kind(swap_request.origin, swap_request.origin_token, swap_request.destination_token), None
        )
        before = min(whole / 2, usual)
        return before, whole - before


def _of_evm(made: UpstreamTransaction) -> EvmTransaction:
    if not isinstance(made, EvmTransaction):
        raise UpstreamFailed("the transaction is for another type of chain")
    return made
