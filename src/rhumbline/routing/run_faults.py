"""Simulates a built quote before it is answered, binds the result, and says why a quote is dropped."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rhumbline.domain.adapter import Adapter, is_binder
from rhumbline.domain.errors import SlippageTooTight, UpstreamFailed
from rhumbline.domain.quote import Refusal
from rhumbline.domain.simulation import (
    ExecutionStatus,
    OutputValidation,
    Simulation,
    SimulationResult,
    SimulationSource,
)
from rhumbline.domain.token import Token
from rhumbline.routing.composer import Composer
from rhumbline.routing.offer import BuiltQuote
from rhumbline.routing.quote_context import QuoteContext
from rhumbline.routing.quote_prices import is_awaited
from rhumbline.routing.refusals import REFUSED, REVERTED
from rhumbline.routing.slippage import least_output, permitted_loss
from rhumbline.routing.value_limits import UNPRICED, ValueLimits, swap_fault
from rhumbline.simulation.simulator import Simulator

_UNTOLD = frozenset({ExecutionStatus.ERROR, ExecutionStatus.TIMEOUT, ExecutionStatus.UNSUPPORTED})
"""Outcomes of simulations that a node did not make: they are temporary, or for the operator to fix."""


async def run(built: BuiltQuote, simulators: Mapping[int, Simulator[Any]], budget_s: float) -> Simulation | None:
    """Simulate a built quote; None if its chain has no simulator. Quotes for display are skipped."""
    if built.task is None:
        return _skipped(built)
    simulator = simulators.get(built.task.chain_id)
    if simulator is None:
        return None
    return await simulator.simulate(built.task, budget_s)


def _skipped(built: BuiltQuote) -> Simulation:
    result = SimulationResult(
        source=SimulationSource.NONE,
        status=ExecutionStatus.SKIPPED,
        validation=OutputValidation.NOT_SIMULATED,
        latency_ms=0,
        reason="A placeholder wallet executes nothing.",
    )
    return Simulation(result, built.offer.quote.output_amount, (result,))


def fault_of(built: BuiltQuote, simulation: Simulation) -> Refusal | None:
    """Return why a simulated route is dropped; the wallet's own faults and failed simulations are no reason."""
    key, result = built.offer.quote.adapter, simulation.result
    if simulation.objection is not None:
        if is_untold(simulation):
            reason = unrun(built, simulation, "so what it does was not seen")
            return Refusal(key, UpstreamFailed.kind, reason, ours=True)
        return Refusal(key, REFUSED, simulation.objection)
    if result.status is ExecutionStatus.REVERTED and not simulation.wallet_fault:
        if simulation.below_minimum:
            return Refusal(key, SlippageTooTight.kind, f"the output falls below the minimum: {result.reason}")
        return Refusal(key, REVERTED, f"the transaction reverts: {result.reason}")
    if result.simulated_output is not None and result.simulated_output < built.min_output:
        return Refusal(key, SlippageTooTight.kind, f"only {result.simulated_output} would arrive")
    return None


def is_untold(simulation: Simulation) -> bool:
    """Return whether the chain's node did not simulate: neither the wallet nor the route is the cause."""
    return simulation.result.status in _UNTOLD and not simulation.wallet_fault


def unrun(built: BuiltQuote, simulation: Simulation, so: str) -> str:
    """Return the warning that a node did not simulate a transaction, why, and what follows."""
    chain, why = built.offer.quote.request.origin.name, simulation.result.reason or "no reason given"
    return f"{chain}'s node did not run the transaction ({why}), {so}"


def unmeasured(built: BuiltQuote, simulation: Simulation | None, again: str = "") -> Refusal:
    """Return that the swap before a bridge was not measured; ``again`` says in which simulation."""
    so = f"what its swap brings to its bridge could not be measured{again}"
    if simulation is not None and is_untold(simulation):
        return Refusal(built.offer.quote.adapter, UpstreamFailed.kind, unrun(built, simulation, f"so {so}"), ours=True)
    return Refusal(built.offer.quote.adapter, REFUSED, so)


def bound_fault(built: BuiltQuote, simulation: Simulation | None) -> Refusal | None:
    """Return why a bound transaction is dropped: a simulation must have shown the bound result."""
    fault = None if simulation is None else fault_of(built, simulation)
    if fault is not None or (simulation is not None and simulation.bridged is not None):
        return fault
    return unmeasured(built, simulation, " again")


@dataclass(frozen=True, slots=True)
class SwapTerms:
    """The context of a swap before a bridge: the bridge's token, None if unlisted, and the quoting adapter."""

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
    """Return the transaction that reverts unless the bridge takes the measured amount, less the permitted loss."""
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
        return Refusal(quote.adapter, REFUSED, "swaps before its bridge, and nothing enforces the bridge's amount")
    return await composer.bind(context, built, adapter, least)
