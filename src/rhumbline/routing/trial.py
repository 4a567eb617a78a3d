"""Tries offers: builds and simulates them, and applies what that shows to untried ones."""

import asyncio
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from time import monotonic
from typing import Any

import structlog

from rhumbline.catalog.tokens import TokenCatalog
from rhumbline.domain.adapter import Adapter
from rhumbline.domain.errors import SlippageTooTight
from rhumbline.domain.quote import Quote, Refusal
from rhumbline.domain.simulation import ExecutionStatus, Simulation, SimulationResult
from rhumbline.domain.spans import span
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

_MOST_UNSTATED_GAS = 150_000
_PARTS = 10_000
_MOST_UNSAID_RENT = 2_100_000
"""Lamports of one token account under either program; a transaction that creates more is not assumed to create all."""
GAS_MEMORY_S = 600.0
"""How long measured gas is remembered."""
MOST_MEASURED = 10_000
"""How many measured gases are remembered; the oldest makes room."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A built quote and its simulation; ``counted`` is how much of its output counts, in raw units.

    ``is_limited`` says that its transaction's gas limit was changed after the simulation.
    """

    built: BuiltQuote
    simulation: Simulation | None
    counted: int
    is_limited: bool

    @property
    def known_cost(self) -> int | None:
        """Its cost in the native asset beside its native fee; None if its transaction does not determine it."""
        return side_cost(self.built, self.simulation)

    @property
    def gas_if_broken(self) -> int | None:
        """The gas it used, if less than its promise was measured, by more than one ten-thousandth; else None."""
        kept = self.counted * _PARTS >= self.built.offer.quote.output_amount * (_PARTS - 1)
        return None if kept or self.simulation is None else self.simulation.result.gas_used

    def rank_key(self, ranking: RankingContext, *, crossing: bool) -> tuple[bool, Score]:
        """Return the ranking key: whether a simulation showed the output that counts, then the score.

        So an unmeasured candidate is not preferred to a measured one. Across chains only success is visible.
        """
        result = None if self.simulation is None else self.simulation.result
        used = None if result is None else result.gas_used
        if crossing:
            seen = result is not None and result.status is ExecutionStatus.SUCCESS
        else:
            seen = self.simulation is not None and self.simulation.measured_output is not None
        return seen, ranking.score(self.built.offer.quote, self.counted, used, known_cost=self.known_cost)


def unstated_gas(tried: Iterable[Candidate]) -> int:
    """Return the gas that no quote includes and every transaction uses, for our contracts: the smallest seen.

    Without it every untried offer would seem better than a tried one, and all would be tried. The bound keeps quotes
    that understate their gas from making others seem expensive.
    """
    seen = [
        used - stated
        for each in tried
        if each.simulation is not None
        and (used := each.simulation.result.gas_used) is not None
        and (stated := each.built.offer.quote.gas_units) is not None
    ]
    return max(0, min(*seen, _MOST_UNSTATED_GAS)) if seen else 0


def unstated_rent(tried: Iterable[Candidate]) -> int:
    """Return the rent that no quote includes and every tried one needs, for the receiver's account for example.

    Without it whatever was not tried would seem better than the same that was, as with gas.
    """
    seen = [rent_of(each.built, each.simulation) for each in tried if each.known_cost is not None]
    return min(*seen, _MOST_UNSAID_RENT) if seen else 0


class MeasuredGas:
    """The least gas that each adapter's transactions used lately, by pair of tokens and form (docs/decisions/0112).

    The least, because a caller's own wallet or receiver may make a transaction use more, which must not count against
    the adapter for others.
    """

    def __init__(self, now: Callable[[], float] = monotonic) -> None:
        self._now = now
        self._least: dict[tuple[object, ...], tuple[int, float]] = {}

    def note(self, quote: Quote[Any], used: int) -> None:
        """Record the gas of a transaction that succeeded when it was simulated, for listed tokens."""
        request, key = quote.request, _way(quote)
        known = self.least(quote)
        if not (request.origin_token.listed and request.destination_token.listed) or (known or used) < used:
            return
        self._least.pop(key, None)
        self._least[key] = (used, self._now())
        if len(self._least) > MOST_MEASURED:
            del self._least[next(iter(self._least))]

    def least(self, quote: Quote[Any]) -> int | None:
        """Return the least gas that such a quote's transactions used in the last ten minutes; None if not known."""
        used, at = self._least.get(_way(quote), (0, 0.0))
        return used if used and self._now() - at < GAS_MEMORY_S else None


def _way(quote: Quote[Any]) -> tuple[object, ...]:
    request = quote.request
    ends = request.origin.id, request.origin_token.address, request.destination.id, request.destination_token.address
    return quote.adapter, *ends, request.taker == request.sender


@dataclass(slots=True)
class SimulationTime:
    """The time left for all simulations of one quote, in seconds."""

    left_s: float


@dataclass(frozen=True, slots=True)
class LeftOut:
    """The reasons why offers were dropped in one search, and the simulations of those that were simulated.

    ``tries`` are all offers that were tried, with what came of them: None for one that was dropped.
    """

    refusals: list[Refusal] = field(default_factory=list)
    runs: list[SimulationResult] = field(default_factory=list)
    tries: list[tuple[Offer, Candidate | None]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Trial:
    """Tries offers of one context. ``timeout_s`` bounds an adapter's part of a build; ``left_out`` collects faults.

    ``deviations`` remembers who promised too much, ``failures`` whose offers came to nothing, ``gas`` what was used.
    ``second`` is another provider's word about a search's favourite, None where none is asked.
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
    gas: MeasuredGas
    second: SecondOpinion | None
    left_out: LeftOut = field(default_factory=LeftOut)

    async def of(self, offer: Offer, time: SimulationTime, *, favourite: bool = False) -> Candidate | None:
        """Return the result of trying an offer; None if it is dropped."""
        candidate = await self._candidate(offer, time, favourite=favourite)
        self.left_out.tries.append((offer, candidate))
        quote, refusals, by = offer.quote, self.left_out.refusals, self.notes.requester
        self.failures.note_try(quote.request, quote.adapter, refusals, by, failed=candidate is None)
        return candidate

    async def run(self, built: BuiltQuote, time: SimulationTime) -> Simulation | None:
        began = asyncio.get_running_loop().time()
        with span(f"simulate {built.offer.quote.adapter}") as present:
            simulation = await run(built, self.simulators, time.left_s)
            if present is not None and simulation is not None:
                present.note("outcome", simulation.result.status.value)
        time.left_s -= asyncio.get_running_loop().time() - began
        return simulation

    def is_sound(self, built: BuiltQuote, simulation: Simulation | None) -> bool:
        """Return whether a simulation shows no fault, and note the fault that it shows."""
        fault = None if simulation is None else fault_of(built, simulation)
        if fault is not None:
            self._drop(built, simulation, fault)
        return fault is None

    def is_affordable(self, built: BuiltQuote, simulation: Simulation | None) -> bool:
        """Return whether a transaction's side costs are within limits, and note the fault otherwise."""
        fault = cost_fault(built, simulation, self.context.prices, self.limits.side_cost)
        if fault is not None:
            self.left_out.refusals.append(fault)
        return fault is None

    def vendor_of(self, quote: Quote[Any]) -> str:
        return self.adapters[quote.adapter].info.vendor or quote.adapter

    async def _candidate(self, offer: Offer, time: SimulationTime, *, favourite: bool) -> Candidate | None:
        """Build an offer, run it, and bind what its upstream swaps."""
        built = await self._built(offer)
        if isinstance(built, Refusal):
            self.left_out.refusals.append(built)
            return None
        if favourite and self.second is not None:
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
            adapter = maker_of(offer.quote, self.adapters)
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
        limited = self.composer.limited(built, simulation)
        if not self.is_affordable(limited, simulation):
            return None
        result = None if simulation is None else simulation.result
        if result is not None and result.status is ExecutionStatus.SUCCESS and result.gas_used:
            self.gas.note(offer.quote, result.gas_used)
        return Candidate(limited, simulation, self._counted(limited, simulation), limited is not built)

    async def _built(self, offer: Offer) -> BuiltQuote | Refusal:
        """Return an offer with its minimum, the upstream's transaction, and ours around that."""
        quote, fixed = offer.quote, offer.quote.min_output_amount
        if fixed is not None and fixed < offer.least:
            reason = f"guarantees {fixed} only, where at least {offer.least} is wanted; permit more slippage"
            return Refusal(quote.adapter, SlippageTooTight.kind, reason)
        wanted = self.context.request.wanted_output
        if wanted is not None and offer.minimum < wanted:
            reason = f"now guarantees {offer.minimum} for this input, less than the {wanted} that are wanted"
            return Refusal(quote.adapter, SlippageTooTight.kind, reason)
        with_minimum = replace(quote, min_output_amount=offer.minimum)
        adapter = maker_of(quote, self.adapters)
        # A quote without its transaction is useless, so a build may overdraw the budget.
        call, work = self.notes.call(Purpose.BUILD, quote.request), partial(adapter.build, with_minimum)
        upstream: UpstreamTransaction | Refusal = await guarded(quote.adapter, call, self.notes, work, self.timeout_s)
        if isinstance(upstream, Refusal):
            return upstream
        return await self.composer.finish(self.context, replace(offer, quote=with_minimum), upstream)

    def _drop(self, built: BuiltQuote, simulation: Simulation | None, fault: Refusal) -> None:
        """Keep a fault, and the run that shows it."""
        if simulation is not None:
            key = built.offer.quote.adapter
            structlog.get_logger().warning("route_dropped", adapter=key, kind=fault.kind, reason=fault.reason)
            self.left_out.runs.append(replace(simulation.result, reason=f"{key}: {fault.reason}"))
        self.left_out.refusals.append(fault)

    def _counted(self, built: BuiltQuote, simulation: Simulation | None) -> int:
        """Return the smaller of promised and measured output; what was not measured counts with what is assured."""
        measured = None if simulation is None else simulation.measured_output
        if measured is None:
            return built.offer.assured if self.context.crossing else built.min_output
        quote, quote_request = built.offer.quote, built.offer.quote.request
        # A receiver may pass on its gain, so what counts for others is the gain of a stand-in in its place.
        stand_in = None if simulation is None else simulation.stand_in_output
        if stand_in is not None and quote_request.origin_token.listed and quote_request.destination_token.listed:
            self.deviations.note(quote.adapter, quote_request, quote.output_amount, stand_in)
        return min(quote.output_amount, measured)
