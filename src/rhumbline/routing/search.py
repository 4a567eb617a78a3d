"""Chooses the offer to answer: tries them by the most that each may count for, until none could be better.

On one chain the receiver's gain is measured, so a candidate counts with the smaller of promise and measurement, which
also determine minimum and slippage. Across chains the output is not visible: a candidate counts with its assured
output, and what its upstream swaps before its bridge is measured and bound. A form without a fee is considered only if
none that takes it is sound: it must not win by the fee's absence.
"""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import structlog

from rhumbline.domain.quote import Refusal
from rhumbline.domain.simulation import Simulation
from rhumbline.domain.spans import span
from rhumbline.routing.offer import BuiltQuote, Offer, Offers, least_of
from rhumbline.routing.ranking import RankingContext, Score
from rhumbline.routing.trial import Candidate, SimulationTime, Trial, unstated_gas, unstated_rent
from rhumbline.routing.value_limits import PairValues, too_good, too_lossy

AT_ONCE = 2
"""How many candidates of one chain are built and simulated at a time, after the first alone was not enough."""
_ALONE = 0.5
"""The share of the simulation time after which the first is no longer waited for alone (docs/decisions/0050)."""
MOST_UNSEEN = 3
"""How many cross-chain candidates are tried if no simulation succeeds."""


@dataclass(frozen=True, slots=True)
class Tried:
    """The outcome of an offer, and its sort key."""

    candidate: Candidate
    rank_key: tuple[bool, Score]


@dataclass(frozen=True, slots=True)
class Search:
    """One search among offers; ``budget_s`` is the time for all its simulations."""

    trial: Trial
    ranking: RankingContext
    budget_s: float

    @property
    def refusals(self) -> tuple[Refusal, ...]:
        """Why offers were left out so far."""
        return tuple(self.trial.left_out.refusals)

    @property
    def built(self) -> frozenset[str]:
        """The adapters whose transactions were made and found sound so far."""
        return frozenset(offer.quote.adapter for offer, candidate in self.trial.left_out.tries if candidate is not None)

    async def best(self, offers: Offers) -> tuple[BuiltQuote, Simulation | None] | None:
        time = SimulationTime(self.budget_s)
        try:
            found = await self._sound(self._plausible(offers), time)
        finally:
            if self.trial.second is not None:
                self.trial.second.end()
        if found is None:
            return None
        simulation = found.simulation
        # What was dropped on the way is shown beside the result that counts.
        joined = simulation and replace(simulation, providers=(*simulation.providers, *self.trial.left_out.runs))
        return self.trial.composer.fit(found.built, simulation), joined

    async def several(self, offers: Offers, count: int) -> tuple[list[Candidate], list[Offer]]:
        """Build and simulate the best ``count``, and return them with the untried ones, each list best first.

        On one chain those that promise more than was measured are tried as well, as in ``best``. Fees matter here too:
        offers without one count only if no other is plausible.
        """
        trial, plausible = self.trial, self._plausible(offers)
        taking = [offer for offer in plausible if not offer.form.forgoes_fee]
        waiting = self._ranked(taking or plausible)
        tried: list[Tried] = []
        batch = waiting[:count]
        while batch:
            waiting = [offer for offer in waiting if offer not in batch]
            times = [SimulationTime(self.budget_s) for _ in batch]
            found = await asyncio.gather(*map(self._try, batch, times))
            tried += [self._tried(each) for each in found if each is not None]
            # An offer that promises more than the best's measurement is tried too: none wins by a promise alone.
            ended = trial.context.crossing or not tried or any(each.left_s <= 0 for each in times)
            batch = [] if ended else self._next(waiting, tried)
        kept = await asyncio.gather(*(lowered(trial, each.candidate) for each in tried))
        fit = trial.composer.fit
        fitted = [replace(each, built=fit(each.built, each.simulation)) for each in kept if each is not None]
        return sorted(fitted, key=lambda each: self._tried(each).rank_key, reverse=True), waiting

    def counts(self, offer: Offer) -> int:
        """Return how much of an offer's output counts before it is run."""
        if self.trial.context.crossing:
            return offer.assured
        quote = offer.quote
        lost = self.trial.deviations.penalty(quote.adapter, quote.request)
        return quote.output_amount * (lost.denominator - lost.numerator) // lost.denominator

    def _plausible(self, offers: Offers) -> list[Offer]:
        """Return the offers that are neither too good to be true nor too lossy; record why others are dropped."""
        context, limits, plausible = offers.context, self.trial.limits, []
        values = PairValues.of(context)
        for offer in offers.offers:
            refusal = too_good(context, offer.quote, values, limits) or too_lossy(context, offer.quote, values, limits)
            if refusal is None:
                plausible.append(offer)
            else:
                self.trial.left_out.refusals.append(refusal)
        return plausible

    async def _sound(self, plausible: Sequence[Offer], time: SimulationTime) -> Candidate | None:
        """Return the first best that a second provider has nothing against, as it can be answered."""
        trial = self.trial
        while (found := await self._favourite(plausible, time)) is not None:
            simulation = found.simulation
            if trial.second is not None:
                simulation = await trial.second.beside(found.built, simulation, time.left_s)
            # Without a second verdict the candidate was judged when it was tried.
            if simulation is found.simulation or trial.is_sound(found.built, simulation):
                promised = await lowered(trial, replace(found, simulation=simulation))
                final = None if promised is None else await as_handed_out(trial, promised, time)
                if final is not None:
                    return final
            gone = {found.built.offer.quote.adapter, *(refusal.adapter for refusal in self.refusals)}
            plausible = [offer for offer in plausible if offer.quote.adapter not in gone]
        return None

    async def _favourite(self, plausible: Sequence[Offer], time: SimulationTime) -> Candidate | None:
        best_of = self._best_across if self.trial.context.crossing else self._best_measured
        found = await best_of([offer for offer in plausible if not offer.form.forgoes_fee], time)
        if found is None:
            found = await best_of([offer for offer in plausible if offer.form.forgoes_fee], time)
            if found is not None:
                structlog.get_logger().warning("fee_left_out", adapter=found.built.offer.quote.adapter)
        return found

    async def _best_across(self, offers: Sequence[Offer], time: SimulationTime) -> Candidate | None:
        """Return the best that was seen to succeed; of a few that were not, the first, if nothing better follows."""
        unseen: list[Candidate] = []
        waiting = self._ranked(offers)
        for number, offer in enumerate(tuple(waiting)):
            waiting.remove(offer)
            candidate = await self._try(offer, time, favourite=number == 0)
            if candidate is not None and self.trial.context.shown_only:
                return candidate
            if candidate is not None and (tried := self._tried(candidate)).rank_key[0]:
                return await self._best_of([tried], waiting, time)
            unseen += [] if candidate is None else [candidate]
            if len(unseen) == MOST_UNSEEN or (unseen and time.left_s <= 0):
                break
        return next(iter(unseen), None)

    async def _best_measured(self, offers: Sequence[Offer], time: SimulationTime) -> Candidate | None:
        """Return the candidate that counts most, once no untried promise could count more.

        When the time for simulations is used up, no more are built: nothing more can be measured.
        """
        waiting = self._ranked(offers)
        return await self._best_of(await self._first(waiting, time), waiting, time)

    async def _best_of(self, tried: list[Tried], waiting: list[Offer], time: SimulationTime) -> Candidate | None:
        """Go on among the waiting offers until none may count more than the best tried one."""
        while not (tried and time.left_s <= 0) and (batch := self._next(waiting, tried)):
            tried += await self._together(waiting, batch, time, favourite=not tried)
        best = max(tried, key=lambda each: each.rank_key, default=None)
        return None if best is None else best.candidate

    async def _first(self, waiting: list[Offer], time: SimulationTime) -> list[Tried]:
        """Try the first; if it is late or its simulation shows nothing, try the next beside it."""
        batch, whole = waiting[:1], time.left_s
        trial = asyncio.ensure_future(self._together(waiting, batch, time, favourite=True))
        try:
            await asyncio.wait({trial}, timeout=whole * _ALONE)
            late = not trial.done()
            if not late and (time.left_s <= 0 or all(each.rank_key[0] for each in trial.result())):
                return trial.result()
            left = SimulationTime(whole * (1 - _ALONE)) if late else time
            beside = await self._together(waiting, self._next(waiting, []), left)
            return [*await trial, *beside]
        finally:
            trial.cancel()

    async def _try(self, offer: Offer, time: SimulationTime, *, favourite: bool = False) -> Candidate | None:
        with span(f"try {offer.quote.adapter}") as present:
            candidate = await self.trial.of(offer, time, favourite=favourite)
            if present is not None:
                present.note("dropped", candidate is None)
        return candidate

    async def _together(
        self, waiting: list[Offer], batch: Sequence[Offer], time: SimulationTime, *, favourite: bool = False
    ) -> list[Tried]:
        """Try a batch, removed from the waiting offers; ``favourite``: its first is the search's favourite."""
        waiting[:] = [offer for offer in waiting if offer not in batch]
        times = [SimulationTime(time.left_s) for _ in batch]
        chosen = batch[0] if favourite and batch else None
        trials = [self._try(*each, favourite=each[0] is chosen) for each in zip(batch, times, strict=True)]
        # One alone needs no task of its own.
        found = [await trials[0]] if len(trials) == 1 else await asyncio.gather(*trials)
        time.left_s = min((each.left_s for each in times), default=time.left_s)
        return [self._tried(candidate) for candidate in found if candidate is not None]

    def _ranked(self, offers: Iterable[Offer]) -> list[Offer]:
        return sorted(offers, key=lambda offer: self.ranking.place(offer.quote, self.counts(offer)))

    def _tried(self, candidate: Candidate) -> Tried:
        return Tried(candidate, candidate.rank_key(self.ranking, crossing=self.trial.context.crossing))

    def _next(self, waiting: Sequence[Offer], tried: Sequence[Tried]) -> list[Offer]:
        """Return the best few, one of each vendor, that may count more than the best tried one.

        A quote's own gas is an estimate, often a high one: others are compared as if they needed no more than they were
        measured to need lately. If the best broke its promise, they need no more than it did either; otherwise it could
        win over one that brings more.
        """
        if not waiting:
            return []
        first = max(tried, key=lambda each: each.rank_key, default=None)
        best = None if first is None else first.rank_key
        seen = [each.candidate for each in tried]
        unstated, rent = unstated_gas(seen), unstated_rent(seen)
        crossing = self.trial.context.crossing
        most = None if first is None or crossing else first.candidate.gas_if_broken
        batch: dict[str, Offer] = {}
        for offer in waiting:
            quote = offer.quote
            bounds = self.ranking.stated_gas(quote) + unstated, most, self.trial.gas.least(quote)
            gas = min(bound for bound in bounds if bound is not None)
            if best is not None and self.ranking.score(quote, self.counts(offer), gas, rent=rent) <= best[1]:
                continue
            batch.setdefault(self.trial.vendor_of(quote), offer)
            if len(batch) == AT_ONCE:
                break
        return list(batch.values())


async def lowered(trial: Trial, candidate: Candidate) -> Candidate | None:
    """Return a candidate that promises no more than was measured; its minimum follows from that.

    None when its transaction cannot be made so, for a reason that ``trial`` keeps.
    """
    built, simulation = candidate.built, candidate.simulation
    measured = None if simulation is None else simulation.measured_output
    if measured is None or measured >= built.offer.quote.output_amount:
        return candidate
    lower = replace(built.offer.quote, output_amount=measured)
    # A minimum that the upstream fixed stays; so does one that the lower promise would raise.
    least = built.min_output if built.offer.fixed else min(built.min_output, least_of(trial.context, lower))
    offer = replace(built.offer, quote=replace(lower, min_output_amount=least))
    again = await trial.composer.finish(trial.context, offer, built.upstream)
    if isinstance(again, Refusal):
        trial.left_out.refusals.append(again)
        return None
    limited = trial.composer.limited(again, simulation)
    return replace(candidate, built=limited, is_limited=limited is not again)


async def as_handed_out(trial: Trial, candidate: Candidate, time: SimulationTime) -> Candidate | None:
    """Simulate the transaction that is answered, if it differs from the simulated one.

    The answer has the result of this last simulation. None if it drops the candidate.
    """
    built, first = candidate.built, candidate.simulation
    if not candidate.is_limited or built.task is None or first is None:
        return candidate
    # The quote's overstatement is recorded relative to its first promise.
    built = replace(built, task=replace(built.task, advertised_output=first.advertised_output))
    simulation = await trial.run(built, time)
    if simulation is None or not trial.is_sound(built, simulation) or not trial.is_affordable(built, simulation):
        return None
    measured = simulation.measured_output
    if measured is not None and measured < built.offer.quote.output_amount:
        # A pool has moved since: at least the minimum arrives, or it would have been dropped.
        offer = replace(built.offer, quote=replace(built.offer.quote, output_amount=measured))
        built = replace(built, offer=offer)
    return replace(candidate, built=built, simulation=simulation)
