"""Which of the quotes is answered: candidates are built and run, and count with what was measured.

On one chain the receiver's gain is measured, so a candidate counts with the smaller of promise and measure, and minimum
and slippage follow from that. Across chains the output is not seen: a candidate counts with what somebody pinned stands
for, and what its upstream swaps before its bridge is measured and bound.

A form that leaves out a fee is looked at only when none that takes it is sound: it must never win by that.
"""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import structlog

from rhumbline.catalog.tokens import TokenCatalog
from rhumbline.domain.adapter import Adapter
from rhumbline.domain.quote import Quote, Refusal
from rhumbline.domain.simulation import Simulation, SimulationResult
from rhumbline.routing.bound_swap import SwapTerms, bound_swap
from rhumbline.routing.builder import Builder, least_of
from rhumbline.routing.built_quote import BuiltQuote
from rhumbline.routing.candidate import Candidate, unsaid_gas, unsaid_rent
from rhumbline.routing.composed_quote import maker_of
from rhumbline.routing.composer import Composer
from rhumbline.routing.deviations import Deviations
from rhumbline.routing.failures import Failures
from rhumbline.routing.fees import PriceReader
from rhumbline.routing.quote_context import QuoteContext
from rhumbline.routing.ranking import RankingContext, Score, rank
from rhumbline.routing.run_faults import bound_fault, fault_of, run
from rhumbline.routing.second_opinion import SecondOpinion
from rhumbline.routing.side_costs import cost_fault
from rhumbline.routing.value_limits import ValueLimits, too_good, too_lossy
from rhumbline.simulation.simulator import Simulator

AT_ONCE = 3
"""So many candidates of one chain are built and run at a time."""


@dataclass(slots=True)
class _Clock:
    """What is left of the time for all simulations of one quote, in seconds."""

    left_s: float


@dataclass(slots=True)
class Choice:
    """One search among quotes. ``refusals`` and ``dropped`` gather why, and how, others were left out."""

    context: QuoteContext
    ranking: RankingContext
    adapters: Mapping[str, Adapter[Any]]
    builder: Builder
    composer: Composer
    simulators: Mapping[int, Simulator[Any]]
    tokens: TokenCatalog
    prices: PriceReader
    limits: ValueLimits
    deviations: Deviations
    budget_s: float
    second: SecondOpinion
    failures: Failures = field(default_factory=Failures)
    refusals: list[Refusal] = field(default_factory=list)
    dropped: list[SimulationResult] = field(default_factory=list)

    async def best(self, quotes: Iterable[Quote[Any]]) -> tuple[BuiltQuote, Simulation | None] | None:
        plausible = [quote for quote in quotes if self._is_plausible(quote)]
        clock = _Clock(self.budget_s)
        try:
            found = await self._sound(plausible, clock)
        finally:
            self.second.end()
        if found is None:
            return None
        simulation = found.simulation
        # What was dropped on the way stands beside the result that counts.
        shown = None if simulation is None else replace(simulation, providers=(*simulation.providers, *self.dropped))
        return self.composer.fit(found.built, found.simulation), shown

    async def _sound(self, plausible: Sequence[Quote[Any]], clock: _Clock) -> Candidate | None:
        """Return the first best that a second provider has nothing against, as it can be answered."""
        while (found := await self._search(plausible, clock)) is not None:
            simulation = await self.second.beside(found.built, found.simulation, clock.left_s)
            if not self._is_dropped(found.built, simulation):
                lowered = await self._lowered(replace(found, simulation=simulation))
                final = None if lowered is None else await self._as_handed_out(lowered, clock)
                if final is not None:
                    return final
            gone = {found.built.quote.adapter, *(refusal.adapter for refusal in self.refusals)}
            plausible = [quote for quote in plausible if quote.adapter not in gone]
        return None

    async def _search(self, plausible: Sequence[Quote[Any]], clock: _Clock) -> Candidate | None:
        search = self._best_across if self.context.crossing else self._best_measured
        forgoing = [quote for quote in plausible if self.context.form_of(quote.request).forgoes_fee]
        found = await search([quote for quote in plausible if quote not in forgoing], clock)
        if found is None:
            found = await search(forgoing, clock)
            if found is not None:
                structlog.get_logger().warning("fee_left_out", adapter=found.built.quote.adapter)
        return found

    def _is_dropped(self, built: BuiltQuote, simulation: Simulation | None) -> bool:
        fault = None if simulation is None else fault_of(built, simulation)
        if fault is not None and simulation is not None:
            self._drop(built, simulation, fault)
        return fault is not None

    def _costs_too_much(self, built: BuiltQuote, simulation: Simulation | None) -> bool:
        fault = cost_fault(built, simulation, self.prices, self.limits.side_cost)
        self.refusals += [] if fault is None else [fault]
        return fault is not None

    def _drop(self, built: BuiltQuote, simulation: Simulation, fault: Refusal) -> None:
        key = built.quote.adapter
        structlog.get_logger().warning("route_dropped", adapter=key, kind=fault.kind, reason=fault.reason)
        self.dropped.append(replace(simulation.result, reason=f"{key}: {fault.reason}"))
        self.refusals.append(fault)

    async def several(self, quotes: Iterable[Quote[Any]], count: int) -> tuple[list[Candidate], list[Quote[Any]]]:
        """Build and run the best ``count``, and return them with those that were not tried, each list best first.

        On one chain those that promise more than was measured are tried as well, as ``best`` does.
        Fees hold here too: quotes that leave one out count only where no other is plausible.
        """
        plausible = [quote for quote in quotes if self._is_plausible(quote)]
        taking = [quote for quote in plausible if not self.context.form_of(quote.request).forgoes_fee]
        waiting = list(rank(taking or plausible, self.ranking, self.counts))
        tried: list[Candidate] = []
        batch = waiting[:count]
        while batch:
            waiting = [quote for quote in waiting if quote not in batch]
            found = await asyncio.gather(*(self._tried(quote, _Clock(self.budget_s)) for quote in batch))
            tried += [each for each in found if each is not None]
            # Who promises more than was measured of the best is tried too: nobody comes first by a promise alone.
            batch = [] if self.context.crossing or not tried else self._next(waiting, tried)
        lowered = await asyncio.gather(*map(self._lowered, tried))
        fit = self.composer.fit
        kept = [replace(each, built=fit(each.built, each.simulation)) for each in lowered if each is not None]
        return sorted(kept, key=self._standing, reverse=True), waiting

    def _is_plausible(self, quote: Quote[Any]) -> bool:
        given = (self.context, quote, self.prices, self.limits)
        refusal = too_good(*given) or too_lossy(*given)
        self.refusals += [] if refusal is None else [refusal]
        return refusal is None

    async def _best_across(self, quotes: Sequence[Quote[Any]], clock: _Clock) -> Candidate | None:
        """Return the first that was seen to succeed; of a few that were not, the first, if nothing better follows."""
        unseen: list[Candidate] = []
        for number, quote in enumerate(rank(quotes, self.ranking, self._assured)):
            candidate = await self._tried(quote, clock, favourite=number == 0)
            if candidate is not None and (self._standing(candidate)[0] or self.context.shown_only):
                return candidate
            unseen += [] if candidate is None else [candidate]
            if len(unseen) == AT_ONCE:
                break
        return next(iter(unseen), None)

    def _assured(self, quote: Quote[Any]) -> int:
        if quote.assured_output is not None:
            return min(quote.assured_output, quote.output_amount)
        return least_of(self.context, quote) if quote.min_output_amount is None else quote.min_output_amount

    async def _best_measured(self, quotes: Sequence[Quote[Any]], clock: _Clock) -> Candidate | None:
        """Return the candidate that counts most, once no promise that was not tried could count more."""
        waiting = list(rank(quotes, self.ranking, self._believed))
        tried: list[Candidate] = []
        while batch := self._next(waiting, tried):
            waiting = [quote for quote in waiting if quote not in batch]
            clocks = [_Clock(clock.left_s) for _ in batch]
            favourite = None if tried else batch[0]
            tries = zip(batch, clocks, strict=True)
            found = await asyncio.gather(*(self._tried(each, its, favourite=each is favourite) for each, its in tries))
            clock.left_s = min(each.left_s for each in clocks)
            tried += [candidate for candidate in found if candidate is not None]
        return max(tried, key=self._standing, default=None)

    def _believed(self, quote: Quote[Any]) -> int:
        kept = 1 - self.deviations.penalty(quote.adapter, quote.request.origin.id)
        return quote.output_amount * kept.numerator // kept.denominator

    def _standing(self, candidate: Candidate) -> tuple[bool, Score]:
        return candidate.standing(self.ranking, crossing=self.context.crossing)

    def counts(self, quote: Quote[Any]) -> int:
        """Return how much of a quote's output counts before it is run."""
        return self._assured(quote) if self.context.crossing else self._believed(quote)

    def _next(self, waiting: Sequence[Quote[Any]], tried: Sequence[Candidate]) -> list[Quote[Any]]:
        """Return the best few, one a vendor, of those that may count more than the best that was tried."""
        best = max(map(self._standing, tried), default=None)
        unsaid, rent = unsaid_gas(tried), unsaid_rent(tried)
        batch: dict[str, Quote[Any]] = {}
        for quote in waiting:
            gas = self.ranking.said_gas(quote) + unsaid
            if best is not None and self.ranking.score(quote, self._believed(quote), gas, rent=rent) <= best[1]:
                break
            batch.setdefault(self._vendor(quote), quote)
            if len(batch) == AT_ONCE:
                break
        return list(batch.values())

    def _vendor(self, quote: Quote[Any]) -> str:
        return self.adapters[quote.adapter].info.vendor or quote.adapter

    async def _tried(self, quote: Quote[Any], clock: _Clock, *, favourite: bool = False) -> Candidate | None:
        candidate = await self._candidate(quote, clock, favourite=favourite)
        self.failures.note_try(quote.adapter, self.refusals, failed=candidate is None)
        return candidate

    async def _candidate(self, quote: Quote[Any], clock: _Clock, *, favourite: bool) -> Candidate | None:
        """Build a quote, run it, and bind what its upstream swaps; None when it is left out."""
        adapter = maker_of(quote, self.adapters)
        built = await self.builder.build(self.context, quote, adapter)
        if isinstance(built, Refusal):
            self.refusals.append(built)
            return None
        if favourite:
            self.second.ask(built, clock.left_s)
        simulation = await self._run(built, clock)
        fault = None if simulation is None else fault_of(built, simulation)
        deposit = built.upstream.deposit
        if fault is None and deposit is not None and deposit.swapped:
            token = self.tokens.find(quote.request.origin, deposit.token)
            terms = SwapTerms(token, self._vendor(quote), self.prices, self.limits)
            bound = await bound_swap(self.context, built, adapter, self.composer, simulation, terms)
            if isinstance(bound, Refusal):
                self.refusals.append(bound)
                return None
            if bound is not built:
                built, simulation = bound, await self._run(bound, clock)
                fault = bound_fault(built, simulation)
        if fault is not None and simulation is not None:
            self._drop(built, simulation, fault)
            return None
        if fault is not None:
            self.refusals.append(fault)
            return None
        built = self.composer.limited(built, simulation)
        if self._costs_too_much(built, simulation):
            return None
        return Candidate(built, simulation, self._counted(built, simulation))

    async def _run(self, built: BuiltQuote, clock: _Clock) -> Simulation | None:
        began = asyncio.get_running_loop().time()
        simulation = await run(built, self.simulators, clock.left_s)
        clock.left_s -= asyncio.get_running_loop().time() - began
        return simulation

    def _counted(self, built: BuiltQuote, simulation: Simulation | None) -> int:
        """Return the smaller of promise and measure; what nobody measured counts with its minimum."""
        measured = None if simulation is None else simulation.measured_output
        if measured is None:
            return built.min_output
        asked = built.quote.request
        if asked.origin_token.listed and asked.destination_token.listed:
            self.deviations.note(built.quote.adapter, asked.origin, built.quote.output_amount, measured)
        return min(built.quote.output_amount, measured)

    async def _lowered(self, candidate: Candidate) -> Candidate | None:
        """Promise no more than was measured, and let the minimum follow from that."""
        built, simulation = candidate.built, candidate.simulation
        measured = None if simulation is None else simulation.measured_output
        if measured is None or measured >= built.quote.output_amount:
            return candidate
        lower = replace(built.quote, output_amount=measured)
        # An upstream that has fixed its own minimum keeps it; so does one that the lower promise would raise.
        least = built.min_output if built.fixed else min(built.min_output, least_of(self.context, lower))
        again = await self.composer.finish(self.context, replace(lower, min_output_amount=least), built.upstream)
        if isinstance(again, Refusal):
            self.refusals.append(again)
            return None
        return replace(candidate, built=self.composer.limited(again, simulation))

    async def _as_handed_out(self, candidate: Candidate, clock: _Clock) -> Candidate | None:
        """Run what is handed out as it is handed out, where that is another transaction than the one that was run.

        What this last run shows is what is answered. None when it is dropped for that.
        """
        first = candidate.simulation
        built = self.composer.limited(candidate.built, first)
        if built is candidate.built or built.task is None or first is None:
            return candidate
        # By how much the quote overstated its output is told of what it promised first.
        built = replace(built, task=replace(built.task, advertised_output=first.advertised_output))
        simulation = await self._run(built, clock)
        if simulation is None or self._is_dropped(built, simulation):
            return None
        if self._costs_too_much(built, simulation):
            return None
        measured = simulation.measured_output
        if measured is not None and measured < built.quote.output_amount:
            # A pool has moved since: at least the minimum arrives, or it would have been dropped.
            built = replace(built, quote=replace(built.quote, output_amount=measured))
        return replace(candidate, built=built, simulation=simulation)
