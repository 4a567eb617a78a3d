"""Tries offers: builds and runs them, and tells what such runs say of those that were not tried."""

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import structlog

from rhumbline.catalog.tokens import TokenCatalog
from rhumbline.domain.adapter import Adapter
from rhumbline.domain.errors import SlippageTooTight
from rhumbline.domain.quote import Quote, Refusal
from rhumbline.domain.simulation import ExecutionStatus, Simulation, SimulationResult
from rhumbline.domain.transaction import UpstreamTransaction
from rhumbline.gateways.upstreams.guard.budget import Purpose
from rhumbline.routing.call_log import CallNotes
from rhumbline.routing.composed_quote import maker_of
from rhumbline.routing.composer import Composer
from rhumbline.routing.deviations import Deviations
from rhumbline.routing.failures import Failures
from rhumbline.routing.fan_out import guarded
from rhumbline.routing.offer import BuiltQuote, Offer
from rhumbline.routing.quote_context import QuoteContext
from rhumbline.routing.ranking import RankingContext, Score
from rhumbline.routing.run_faults import SwapTerms, bound_fault, bound_swap, fault_of, run
from rhumbline.routing.second_opinion import SecondOpinion
from rhumbline.routing.value_limits import ValueLimits, cost_fault, rent_of, side_cost
from rhumbline.simulation.simulator import Simulator

_MOST_UNSAID_GAS = 150_000
_MOST_UNSAID_RENT = 2_100_000
"""Lamports of one token account under either program; who has more made is not taken for all."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A built quote and its run; ``counted`` is how much of its output counts, in raw units."""

    built: BuiltQuote
    simulation: Simulation | None
    counted: int

    @property
    def paid(self) -> int | None:
        """What it costs in the native asset beside its native fee; None where its transaction does not say."""
        return side_cost(self.built, self.simulation)

    def standing(self, ranking: RankingContext, *, crossing: bool) -> tuple[bool, Score]:
        """Return what it comes first by: whether it was seen to do what counts, then how good that is.

        So nothing is preferred to what was measured for not having been. Across chains the run alone is seen.
        """
        result = None if self.simulation is None else self.simulation.result
        used = None if result is None else result.gas_used
        if crossing:
            seen = result is not None and result.status is ExecutionStatus.SUCCESS
        else:
            seen = self.simulation is not None and self.simulation.measured_output is not None
        return seen, ranking.score(self.built.offer.quote, self.counted, used, paid=self.paid)


def unsaid_gas(tried: Iterable[Candidate]) -> int:
    """Return the gas that no quote says and every transaction uses, for our contracts: the least that was seen.

    Without it whatever was not tried would seem better than the same that was, and all would be tried. The bound keeps
    those that say too little from making others seem dear.
    """
    seen = [
        used - said
        for each in tried
        if each.simulation is not None
        and (used := each.simulation.result.gas_used) is not None
        and (said := each.built.offer.quote.gas_units) is not None
    ]
    return max(0, min(*seen, _MOST_UNSAID_GAS)) if seen else 0


def unsaid_rent(tried: Iterable[Candidate]) -> int:
    """Return the rent that no quote says and every one that was tried needs, say for the receiver's account.

    Without it whatever was not tried would seem better than the same that was, as with gas.
    """
    seen = [rent_of(each.built, each.simulation) for each in tried if each.paid is not None]
    return min(*seen, _MOST_UNSAID_RENT) if seen else 0


@dataclass(slots=True)
class SimulationTime:
    """What is left of the time for all simulations of one quote, in seconds."""

    left_s: float

    @property
    def is_spent(self) -> bool:
        return self.left_s <= 0


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Why offers were left out of one search, and what the runs of those that were run had shown."""

    refusals: list[Refusal] = field(default_factory=list)
    runs: list[SimulationResult] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Trial:
    """Tries offers of one context. ``timeout_s`` bounds an adapter's part of a build; ``left_out`` gathers the faults.

    ``deviations`` remembers who promised too much, ``failures`` whose offers came to nothing. ``second`` is another
    provider's word about a search's favourite.
    """

    context: QuoteContext
    adapters: Mapping[str, Adapter[Any]]
    composer: Composer
    simulators: Mapping[int, Simulator[Any]]
    tokens: TokenCatalog
    notes: CallNotes
    timeout_s: float
    limits: ValueLimits
    deviations: Deviations
    failures: Failures
    second: SecondOpinion
    left_out: LeftOut = field(default_factory=LeftOut)

    async def of(self, offer: Offer, time: SimulationTime, *, favourite: bool = False) -> Candidate | None:
        """Return what an offer came to; None when it is left out."""
        candidate = await self._candidate(offer, time, favourite=favourite)
        quote, refusals, by = offer.quote, self.left_out.refusals, self.notes.requester
        self.failures.note_try(quote.request, quote.adapter, refusals, by, failed=candidate is None)
        return candidate

    async def run(self, built: BuiltQuote, time: SimulationTime) -> Simulation | None:
        began = asyncio.get_running_loop().time()
        simulation = await run(built, self.simulators, time.left_s)
        time.left_s -= asyncio.get_running_loop().time() - began
        return simulation

    def is_sound(self, built: BuiltQuote, simulation: Simulation | None) -> bool:
        """Tell whether a run shows no fault, and keep the one that it shows."""
        fault = None if simulation is None else fault_of(built, simulation)
        if fault is not None:
            self._drop(built, simulation, fault)
        return fault is None

    def is_affordable(self, built: BuiltQuote, simulation: Simulation | None) -> bool:
        """Tell whether a transaction costs no more beside the amount than it may, and keep the fault otherwise."""
        fault = cost_fault(built, simulation, self.context.prices, self.limits.side_cost)
        if fault is not None:
            self.left_out.refusals.append(fault)
        return fault is None

    def vendor_of(self, quote: Quote[Any]) -> str:
        return self.adapters[quote.adapter].info.vendor or quote.adapter

    async def _candidate(self, offer: Offer, time: SimulationTime, *, favourite: bool) -> Candidate | None:
        """Build an offer, run it, and bind what its upstream swaps."""
        adapter = maker_of(offer.quote, self.adapters)
        built = await self._built(offer, adapter)
        if isinstance(built, Refusal):
            self.left_out.refusals.append(built)
            return None
        if favourite:
            self.second.ask(built, time.left_s)
        simulation = await self.run(built, time)
        if simulation is not None and simulation.outdated:
            # The look that its run ended with is newer, and finishing begins with it.
            built = await self.composer.finish(self.context, built.offer, built.upstream)
            if isinstance(built, Refusal):
                self.left_out.refusals.append(built)
                return None
            simulation = await self.run(built, time)
        fault = None if simulation is None else fault_of(built, simulation)
        deposit = built.upstream.deposit
        if fault is None and deposit is not None and deposit.swapped:
            token = self.tokens.find(offer.quote.request.origin, deposit.token)
            terms = SwapTerms(token, self.vendor_of(offer.quote), self.limits)
            bound = await bound_swap(self.context, built, adapter, self.composer, simulation, terms)
            if isinstance(bound, Refusal):
                self.left_out.refusals.append(bound)
                return None
            if bound is not built:
                built, simulation = bound, await self.run(bound, time)
                fault = bound_fault(built, simulation)
        if fault is not None:
            self._drop(built, simulation, fault)
            return None
        built = self.composer.limited(built, simulation)
        if not self.is_affordable(built, simulation):
            return None
        return Candidate(built, simulation, self._counted(built, simulation))

    async def _built(self, offer: Offer, adapter: Adapter[Any]) -> BuiltQuote | Refusal:
        """Return an offer with its minimum, the upstream's transaction, and ours around that."""
        quote, fixed = offer.quote, offer.quote.min_output_amount
        if fixed is not None and fixed < offer.least:
            reason = f"guarantees {fixed} only, where at least {offer.least} is wanted; permit more slippage"
            return Refusal(quote.adapter, SlippageTooTight.kind, reason)
        held = replace(quote, min_output_amount=offer.minimum)
        # Without its transaction the quote was asked for in vain: a build is made on credit.
        call, work = self.notes.call(Purpose.BUILD, quote.request), partial(adapter.build, held)
        upstream: UpstreamTransaction | Refusal = await guarded(quote.adapter, call, self.notes, work, self.timeout_s)
        if isinstance(upstream, Refusal):
            return upstream
        return await self.composer.finish(self.context, replace(offer, quote=held), upstream)

    def _drop(self, built: BuiltQuote, simulation: Simulation | None, fault: Refusal) -> None:
        """Keep a fault, and the run that shows it."""
        if simulation is not None:
            key = built.offer.quote.adapter
            structlog.get_logger().warning("route_dropped", adapter=key, kind=fault.kind, reason=fault.reason)
            self.left_out.runs.append(replace(simulation.result, reason=f"{key}: {fault.reason}"))
        self.left_out.refusals.append(fault)

    def _counted(self, built: BuiltQuote, simulation: Simulation | None) -> int:
        """Return the smaller of promise and measure; what nobody measured counts with its minimum."""
        measured = None if simulation is None else simulation.measured_output
        if measured is None:
            return built.min_output
        quote, asked = built.offer.quote, built.offer.quote.request
        # A receiver may pass on what it gets, so what counts for others is what a stand-in gains in its place.
        shown = None if simulation is None else simulation.stand_in_output
        if shown is not None and asked.origin_token.listed and asked.destination_token.listed:
            self.deviations.note(quote.adapter, asked, quote.output_amount, shown)
        return min(quote.output_amount, measured)
