"""From a quote to a finished transaction: its minimum, the upstream's transaction, and ours around it."""

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Any

from rhumbline.domain.adapter import Adapter
from rhumbline.domain.errors import SlippageTooTight
from rhumbline.domain.quote import Quote, Refusal
from rhumbline.domain.transaction import UpstreamTransaction
from rhumbline.gateways.upstreams.guard.budget import Purpose
from rhumbline.gateways.upstreams.guard.call import UpstreamCall
from rhumbline.routing.built_quote import BuiltQuote
from rhumbline.routing.call_log import CallNotes
from rhumbline.routing.composer import Composer
from rhumbline.routing.fan_out import guarded
from rhumbline.routing.quote_context import QuoteContext
from rhumbline.routing.slippage import least_output, permitted_loss, promisable


@dataclass(frozen=True, slots=True)
class Builder:
    """Builds one quote. ``timeout_s`` bounds the adapter's part."""

    notes: CallNotes
    composer: Composer
    timeout_s: float

    async def build(self, context: QuoteContext, quote: Quote[Any], adapter: Adapter[Any]) -> BuiltQuote | Refusal:
        least, fixed = least_of(context, quote), quote.min_output_amount
        if fixed is not None and fixed < least:
            reason = f"guarantees {fixed} only, where at least {least} is wanted; permit more slippage"
            return Refusal(quote.adapter, SlippageTooTight.kind, reason)
        held = replace(quote, min_output_amount=least if fixed is None else fixed)
        # Without its transaction the quote was asked for in vain: a build is made on credit.
        call, work = UpstreamCall(Purpose.BUILD), partial(adapter.build, held)
        upstream: UpstreamTransaction | Refusal = await guarded(quote.adapter, call, self.notes, work, self.timeout_s)
        if isinstance(upstream, Refusal):
            return upstream
        built = await self.composer.finish(context, held, upstream)
        return built if isinstance(built, Refusal) else replace(built, fixed=fixed is not None)


def least_of(context: QuoteContext, quote: Quote[Any]) -> int:
    """Return the least that may be promised of a quote's output: what slippage permits to lose is rounded down."""
    return least_output(quote.output_amount, _loss(context, quote))


def agreed(context: QuoteContext, quote: Quote[Any]) -> Quote[Any]:
    """Return a quote that promises no more than its upstream's own minimum, which it has rounded, permits."""
    if quote.min_output_amount is None:
        return quote
    output = promisable(quote.output_amount, quote.min_output_amount, _loss(context, quote))
    return quote if output == quote.output_amount else replace(quote, output_amount=output)


def _loss(context: QuoteContext, quote: Quote[Any]) -> Fraction:
    return permitted_loss(context.request, context.pair.kind, quote.price_impact_bps)
