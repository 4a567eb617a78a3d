"""A swap on the origin and a bridge, in one transaction of the Diamond: who is asked, and what is made of the answers.

The bridge is asked for the least that the swap guarantees in an anchor, and its call takes exactly that: so what it was
checked for holds whatever the pools do meanwhile. What the swap brings beyond goes to the wallet, in the anchor.
Only an exchange whose calls are of our own making (``AdapterInfo.own_calls``) goes before a bridge.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from typing import Any

from rhumbline.domain.adapter import Adapter, AdapterInfo
from rhumbline.domain.errors import AdapterError, BelowMinimum, NoRoute, SlippageTooTight, UpstreamFailed
from rhumbline.domain.quote import Quote, QuoteRequest, Refusal
from rhumbline.domain.token import Token
from rhumbline.domain.transaction import EvmTransaction, SwapBefore
from rhumbline.gateways.call_budgets import Purpose
from rhumbline.gateways.upstream_calls import UpstreamCall
from rhumbline.routing.call_log import CallNotes
from rhumbline.routing.composed_quote import Composition
from rhumbline.routing.quote_context import Form, QuoteContext
from rhumbline.routing.quoting import guarded
from rhumbline.routing.selection import Ask, select
from rhumbline.routing.shapes import Listed, anchors
from rhumbline.routing.slippage import PairKind, least_output, pair_kind, permitted_loss

_MOST_ASKED = Fraction(9_999, 10_000)


def composed_asks(
    context: QuoteContext, adapters: Sequence[Adapter[Any]], listed: Listed, notes: CallNotes
) -> tuple[Ask, ...]:
    """Return the questions for every bridge behind a swap into an anchor, none where the input is one already.

    ``listed`` finds the anchors, ``notes`` keep what the exchanges answer. The filters of exchanges govern the swap,
    those of bridges the bridge. Nobody is asked where the asset does not change: it would be swapped to and fro.
    """
    form = next((form for form in context.forms if not form.direct), None)
    sold, bought = context.pair.origin, context.pair.destination
    pairs = anchors(context.request.origin, context.request.destination, listed)
    if form is None or not context.crossing or context.pair.kind is PairKind.SAME_ASSET:
        return ()
    if any(near.address == sold.address for near, _ in pairs):
        return ()
    straight = [near for near, far in pairs if far.address == bought.address]
    asks: list[Ask] = []
    for anchor in straight or [near for near, _ in pairs]:
        bridges = select(adapters, [replace(form.request, origin_token=anchor)], context.request.adapters)
        swap = _swap_into(anchor, form, context, adapters, notes)
        if swap is not None:
            asks += [Ask(_Composed(ask.adapter, swap, context, anchor), form.request) for ask in bridges.asks]
    return tuple(asks)


def _swap_into(
    anchor: Token, form: Form, context: QuoteContext, adapters: Sequence[Adapter[Any]], notes: CallNotes
) -> "_Swap | None":
    asked = form.request
    request = replace(
        asked,
        destination=asked.origin,
        destination_token=anchor,
        receiver=asked.sender,
        payout_address=asked.taker,
    )
    asks = select(adapters, [request], context.request.adapters).asks
    own = next((ask.adapter for ask in asks if ask.adapter.info.own_calls), None)
    return None if own is None else _Swap(own, request, notes)


@dataclass(slots=True)
class _Swap:
    """What an exchange gives for the input in an anchor: asked once, for all bridges that may go on from there."""

    adapter: Adapter[Any]
    request: QuoteRequest
    notes: CallNotes
    _asked: "asyncio.Task[Quote[Any] | Refusal] | None" = field(default=None)
    _waiting: int = 0

    async def quote(self) -> Quote[Any]:
        """Return the exchange's quote; raise NoRoute or UpstreamFailed without one."""
        if self._asked is None:
            work = partial(self.adapter.quote, self.request)
            call = UpstreamCall(Purpose.QUOTE)
            self._asked = asyncio.create_task(guarded(self.adapter.info.key, call, self.notes, work))
        self._waiting += 1
        try:
            # A bridge that is given up must not take the answer from the others; with the last one it is of no use.
            answer = await asyncio.shield(self._asked)
        finally:
            self._waiting -= 1
            if not self._waiting:
                self._asked.cancel()
        if isinstance(answer, Quote) and not answer.native_fee:
            return answer
        reason = answer.reason if isinstance(answer, Refusal) else "takes a fee beside the amount"
        passing = isinstance(answer, Refusal) and answer.kind == UpstreamFailed.kind
        raise (UpstreamFailed if passing else NoRoute)(f"{self.adapter.info.key}: {reason}")


@dataclass(frozen=True, slots=True)
class _Composed:
    """One bridge behind a swap, as an adapter under the bridge's key."""

    bridge: Adapter[Any]
    swap: _Swap
    context: QuoteContext
    anchor: Token

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
            reason = f"after a swap into {self.anchor.symbol}: {error.reason}"
            if isinstance(error, BelowMinimum):
                # Its minimum is of another token than the input.
                raise BelowMinimum(reason, None) from error
            if isinstance(error, UpstreamFailed):
                raise UpstreamFailed(reason, error.retry_after_s) from error
            raise type(error)(reason) from error

    async def build(self, quote: Quote[Composition], /) -> EvmTransaction:
        """Make both transactions, the bridge's with what comes before it; raise an AdapterError."""
        parts = quote.payload
        least = replace(parts.bridge, min_output_amount=quote.min_output_amount)
        first, then = await asyncio.gather(self.swap.adapter.build(parts.swap), self.bridge.build(least))
        if not isinstance(first, EvmTransaction) or not isinstance(then, EvmTransaction):
            raise UpstreamFailed("the transaction is for another type of chain")
        taken = parts.bridge.request.amount
        ends = [each.expires_at for each in (first, then) if each.expires_at is not None]
        before = SwapBefore(first, self.anchor.address, taken)
        return replace(then, swap=before, expires_at=min(ends, default=None))

    async def _quote(self, request: QuoteRequest) -> Quote[Composition]:
        swap = await self.swap.quote()
        before, after = _shares(self.context, swap)
        brought = least_output(swap.output_amount, before)
        held = replace(swap, min_output_amount=brought)
        asked = replace(request, origin_token=self.anchor, amount=brought, slippage=min(after, _MOST_ASKED))
        bridge = await self.bridge.quote(asked)
        least = least_output(bridge.output_amount, after)
        fixed = bridge.min_output_amount
        if fixed is not None and fixed < least:
            raise SlippageTooTight(f"guarantees {fixed} only, where at least {least} is wanted; permit more slippage")
        gas = None
        if swap.gas_units is not None and bridge.gas_units is not None:
            gas = swap.gas_units + bridge.gas_units
        return Quote(
            bridge.adapter,
            request,
            bridge.output_amount,
            Composition(self, held, bridge),
            min_output_amount=least if fixed is None else fixed,
            native_fee=bridge.native_fee,
            fees=(*swap.fees, *bridge.fees),
            seconds=bridge.seconds,
            gas_units=gas,
            price_impact_bps=swap.price_impact_bps,
            assured_output=bridge.assured_output,
        )


def _shares(context: QuoteContext, swap: Quote[Any]) -> tuple[Fraction, Fraction]:
    """Divide what may be lost end to end between the swap and the bridge.

    The swap has half of it, at most what holds for its own pair where nothing is said: what it guarantees is what is
    sent, and a wide bound would leave that much of the money behind. The bridge has the rest.
    """
    request, asked = context.request, swap.request
    whole = permitted_loss(request, context.pair.kind, swap.price_impact_bps)
    plain = replace(request, slippage=None, auto_slippage=False)
    usual = permitted_loss(plain, pair_kind(asked.origin, asked.origin_token, asked.destination_token), None)
    before = min(whole / 2, usual)
    return before, whole - before
