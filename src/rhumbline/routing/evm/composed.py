"""What is composed around a bridge under one signature: who is asked, and what is made of the answers.

A swap before it, in one transaction of the Diamond: the bridge is asked for the least that the swap guarantees in an
anchor, and its call takes exactly that, so what it was checked for holds whatever the pools do meanwhile. What the swap
brings beyond goes to the wallet, in the anchor. A swap after it: the bridge pays the Receiver, with a message.
Only an exchange whose calls are of our own making (``AdapterInfo.own_calls``) goes before a bridge or behind one.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from rhumbline.domain.adapter import Adapter, AdapterInfo
from rhumbline.domain.errors import AdapterError, BelowMinimum, SlippageTooTight, UpstreamFailed
from rhumbline.domain.quote import Quote, QuoteRequest
from rhumbline.domain.token import Token
from rhumbline.domain.transaction import EvmTransaction, SwapBefore, UpstreamTransaction
from rhumbline.routing.call_log import CallNotes
from rhumbline.routing.composed_quote import Composition
from rhumbline.routing.evm.destination_swap import (
    Arrived,
    DestinationChecks,
    DestinationSwap,
    SwapBeforehand,
    destination_swap_of,
    own_exchange,
)
from rhumbline.routing.quote_context import Form, QuoteContext
from rhumbline.routing.selection import Ask, select
from rhumbline.routing.shapes import Listed, anchors
from rhumbline.routing.slippage import PairKind, least_output, pair_kind, permitted_loss, promisable

_MOST_ASKED = Fraction(9_999, 10_000)


def composed_asks(
    context: QuoteContext,
    adapters: Sequence[Adapter[Any]],
    listed: Listed,
    notes: CallNotes,
    checks: DestinationChecks,
) -> tuple[Ask, ...]:
    """Return the questions for what is composed: bridges behind a swap into an anchor, before a swap out of one, both.

    ``listed`` finds the anchors, ``notes`` keep what the exchanges answer, ``checks`` look at the destination. Filters
    of exchanges govern the swaps, those of bridges the bridge. Nobody is asked where the asset does not change: it
    would be swapped to and fro. An input that is an anchor is swapped into another one only where a swap comes after
    as well; what is bought, where it is an anchor, is swapped into on arrival only if the input is one.
    """
    form = next((form for form in context.forms if not form.direct), None)
    sold, bought = context.pair.origin, context.pair.destination
    if form is None or not context.crossing or context.pair.kind is PairKind.SAME_ASSET:
        return ()
    pairs = anchors(context.request.origin, context.request.destination, listed)
    straight = [pair for pair in pairs if pair[1].address == bought.address]
    is_anchor = any(near.address == sold.address for near, _ in pairs)
    asks: list[Ask] = []
    for near, far in pairs:
        asked = replace(form.request, origin_token=near)
        swap = None if near.address == sold.address else _swap_into(near, form, context, adapters, notes)
        if swap is None and near.address != sold.address:
            continue
        if not is_anchor and (not straight or (near, far) in straight):
            bridges = select(adapters, [asked], context.request.adapters).asks
            asks += [Ask(_Composed(ask.adapter, swap, context, near), form.request) for ask in bridges]
        arrives = far.address != bought.address and (is_anchor or not straight)
        arrival = destination_swap_of(far, context, adapters, listed, notes, checks) if arrives else None
        if arrival is not None:
            bridges = select(adapters, [arrival.towards(asked)], context.request.adapters).asks
            asks += [
                Ask(_Composed(ask.adapter, swap, context, near, arrival), form.request)
                for ask in bridges
                if ask.adapter.info.carries_messages
            ]
    return tuple(asks)


def _swap_into(
    anchor: Token, form: Form, context: QuoteContext, adapters: Sequence[Adapter[Any]], notes: CallNotes
) -> SwapBeforehand | None:
    asked = form.request
    request = replace(
        asked,
        destination=asked.origin,
        destination_token=anchor,
        receiver=asked.sender,
        payout_address=asked.taker,
    )
    own = own_exchange(adapters, request, context.request.adapters)
    return None if own is None else SwapBeforehand(own, request, notes)


@dataclass(frozen=True, slots=True)
class _Composed:
    """One bridge with what goes before it and what comes after it, as an adapter under the bridge's key."""

    bridge: Adapter[Any]
    swap: SwapBeforehand | None
    context: QuoteContext
    anchor: Token
    arrival: DestinationSwap | None = None

    @property
    def info(self) -> AdapterInfo:
        return self.bridge.info

    def supports(self, request: QuoteRequest, /) -> bool:
        return self.context.form_of(request).direct is False

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
            # Some bridges cut amounts to decimals of their own: the rest goes to the wallet, as what is beyond does.
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
            raise UpstreamFailed("the swap after it is longer than the bridge was asked with")
        # What the pools are like now decides, not what they were like when it was quoted.
        held = replace(parts.bridge, request=request)
        made, _ = await asyncio.gather(self.bridge.build(held), self.arrival.rehearsed(after))
        return replace(_of_evm(made), swap_after=after)

    @property
    def _way(self) -> str:
        into = [] if self.swap is None else [f"after a swap into {self.anchor.symbol}"]
        out = [] if self.arrival is None else [f"before a swap out of {self.arrival.token.symbol}"]
        return " and ".join((*into, *out))

    async def _quote(self, request: QuoteRequest) -> Quote[Composition]:
        swap = None if self.swap is None else await self.swap.quote()
        before, after = self._shares(swap)
        held, amount = None, request.amount
        if swap is not None:
            amount = least_output(swap.output_amount, before)
            held = replace(swap, min_output_amount=amount)
        asked = replace(request, origin_token=self.anchor, amount=amount, slippage=min(after, _MOST_ASKED))
        if self.arrival is None:
            return self._joined(request, before, held, await self.bridge.quote(asked), None)
        bridge, arrived = await self.arrival.crossed(self.bridge, asked, after)
        return self._joined(request, before, held, bridge, arrived)

    def _joined(
        self,
        request: QuoteRequest,
        before: Fraction,
        swap: Quote[Any] | None,
        bridge: Quote[Any],
        arrived: Arrived | None,
    ) -> Quote[Composition]:
        """Return one quote of the parts: of the last one's output may be lost what is left beside ``before``."""
        last = bridge if arrived is None else arrived[0]
        swaps = [each for each in (swap, None if arrived is None else last) if each is not None]
        impacts = [each.price_impact_bps for each in swaps]
        impact = None if None in impacts else sum(each or 0 for each in impacts)
        after = permitted_loss(self.context.request, self.context.pair.kind, impact) - before
        fixed, output = last.min_output_amount, last.output_amount
        output = output if fixed is None else promisable(output, fixed, after)
        least = least_output(output, after)
        if fixed is not None and fixed < least:
            raise SlippageTooTight(f"guarantees {fixed} only, where at least {least} is wanted; permit more slippage")
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
            price_impact_bps=impact,
            # What is swapped after it, the Receiver stands for with the minimum.
            assured_output=bridge.assured_output if arrived is None else None,
        )

    def _shares(self, swap: Quote[Any] | None) -> tuple[Fraction, Fraction]:
        """Divide what may be lost end to end between the swap before the bridge and all that follows.

        The swap has half of it, at most what holds for its own pair where nothing is said: what it guarantees is what
        is sent, and a wide bound would leave that much of the money behind. The rest is the bridge's, or that of the
        swap after it: then the bridge delivers exactly what it quotes.
        """
        request = self.context.request
        whole = permitted_loss(request, self.context.pair.kind, None if swap is None else swap.price_impact_bps)
        if swap is None:
            return Fraction(0), whole
        asked = swap.request
        plain = replace(request, slippage=None, auto_slippage=False)
        usual = permitted_loss(plain, pair_kind(asked.origin, asked.origin_token, asked.destination_token), None)
        before = min(whole / 2, usual)
        return before, whole - before


def _of_evm(made: UpstreamTransaction) -> EvmTransaction:
    if not isinstance(made, EvmTransaction):
        raise UpstreamFailed("the transaction is for another type of chain")
    return made
