"""What an upstream swaps before its bridge is measured, and then bound by the bridge's own contract."""

from dataclasses import dataclass
from typing import Any

from rhumbline.domain.adapter import Adapter, is_binder
from rhumbline.domain.errors import UpstreamFailed
from rhumbline.domain.quote import Refusal
from rhumbline.domain.simulation import Simulation
from rhumbline.domain.token import Token
from rhumbline.routing.built_quote import BuiltQuote
from rhumbline.routing.composer import Composer
from rhumbline.routing.quote_context import QuoteContext
from rhumbline.routing.quote_prices import is_awaited
from rhumbline.routing.refusals import REFUSED
from rhumbline.routing.run_faults import unmeasured
from rhumbline.routing.slippage import least_output, permitted_loss
from rhumbline.routing.value_limits import UNPRICED, ValueLimits, swap_fault


@dataclass(frozen=True, slots=True)
class SwapTerms:
    """By what such a swap is judged: the token that the bridge takes, None where it is not listed, and who quotes."""

    token: Token | None
    vendor: str
    limits: ValueLimits


async def bound_swap(
    context: QuoteContext,
    built: BuiltQuote,
    adapter: Adapter[Any],
    composer: Composer,
    simulation: Simulation | None,
    terms: SwapTerms,
) -> BuiltQuote | Refusal:
    """Return the transaction that reverts unless the bridge takes what was measured, less the permitted loss."""
    quote, deposit = built.offer.quote, built.upstream.deposit
    seen = None if simulation is None else simulation.bridged
    if seen is None or deposit is None:
        return unmeasured(built, simulation)
    fault = swap_fault(quote, terms.token, seen, terms.vendor, context.prices, terms.limits)
    if fault == UNPRICED and any(
        is_awaited(each, context.prices) for each in (quote.request.origin_token, terms.token)
    ):
        reason = f"{fault}: the price sources have not answered"
        return Refusal(quote.adapter, UpstreamFailed.kind, reason, ours=True)
    if fault is not None:
        return Refusal(quote.adapter, REFUSED, fault)
    loss = permitted_loss(context.request, context.pair.kind, quote.price_impact_bps)
    least = least_output(seen.amount + seen.kept, loss)
    if deposit.least >= least:
        return built
    if not is_binder(adapter):
        return Refusal(quote.adapter, REFUSED, "swaps before its bridge, and nothing binds what the bridge gets")
    return await composer.bind(context, built, adapter, least)
