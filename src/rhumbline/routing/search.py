"""Which of the offers is answered: they are tried in the order of what they may count for, until none could be better.

On one chain the receiver's gain is measured, so a candidate counts with the smaller of promise and measure, and minimum
and slippage follow from that. Across chains the output is not seen: a candidate counts with what somebody pinned stands
for, and what its upstream swaps before its bridge is measured and bound.

A form that leaves out a fee is looked at only when none that takes it is sound: it must never win by that.
"""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import structlog

from rhumbline.domain.quote import Refusal
from rhumbline.domain.simulation import Simulation
from rhumbline.routing.offer import BuiltQuote, Offer, Offers, least_of
from rhumbline.routing.ranking import RankingContext, Score
from rhumbline.routing.trial import Candidate, SimulationTime, Trial, unsaid_gas, unsaid_rent
from rhumbline.routing.value_limits import PairValues, too_good, too_lossy

AT_ONCE = 2
"""So many candidates of one chain are built and run at a time, once the first alone was not enough."""
_ALONE = 0.5
"""The share of the time for simulations after which the first is not waited for alone (docs/decisions/0050)."""
MOST_UNSEEN = 3
"""So many across chains are tried that were not seen to succeed."""


@dataclass(frozen=True, slots=True)
class Search:
    """One search among offers; ``budget_s`` is for all simulations together."""

    trial: Trial
    ranking: RankingContext
    budget_s: float

    @property
    def refusals(self) -> tuple[Refusal, ...]:
        """Why offers were left out so far."""
        return tuple(self.trial.left_out.refusals)

    async def best(self, offers: Offers) -> tuple[BuiltQuote, Simulation | None] | None:
        time = SimulationTime(self.budget_s)
        try:
            found = await self._sound(self._plausible(offers), time)
        finally:
            self.trial.second.end()
        if found is None:
            return None
        simulation = found.simulation
        # What was dropped on the way stands beside the result that counts.
        shown = simulation and replace(simulation, providers=(*simulation.providers, *self.trial.left_out.runs))
        return self.trial.composer.fit(found.built, simulation), shown

    async def several(self, offers: Offers, count: int) -> tuple[list[Candidate], list[Offer]]:
        """Build and run the best ``count``, and return them with those that were not tried, each list best first.

        On one chain those that promise more than was measured are tried as well, as ``best`` does.
        Fees hold here too: offers that leave one out count only where no other is plausible.
        """
        trial, plausible = self.trial, self._plausible(offers)
        taking = [offer for offer in plausible if not offer.form.forgoes_fee]
        waiting = self._ranked(taking or plausible)
        tried: list[Candidate] = []
        batch = waiting[:count]
        while batch:
            waiting = [offer for offer in waiting if offer not in batch]
            times = [SimulationTime(self.budget_s) for _ in batch]
            found = await asyncio.gather(*map(trial.of, batch, times))
            tried += [each for each in found if each is not None]
            # Who promises more than was measured of the best is tried too: nobody comes first by a promise alone.
            ended = trial.context.crossing or not tried or any(each.is_spent for each in times)
            batch = [] if ended else self._next(waiting, tried)
        kept = await asyncio.gather(*map(partial(lowered, trial), tried))
        fit = trial.composer.fit
        fitted = [replace(each, built=fit(each.built, each.simulation)) for each in kept if each is not None]
        return sorted(fitted, key=self._standing, reverse=True), waiting

    def counts(self, offer: Offer) -> int:
        """Return how much of an offer's output counts before it is run."""
        if self.trial.context.crossing:
            return offer.assured
        quote = offer.quote
        kept = 1 - self.trial.deviations.penalty(quote.adapter, quote.request)
        return quote.output_amount * kept.numerator // kept.denominator

    def _plausible(self, offers: Offers) -> list[Offer]:
        """Return what is neither too good to be true nor too lossy, and keep why the others are left out."""
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
            simulation = await trial.second.beside(found.built, found.simulation, time.left_s)
            if trial.is_sound(found.built, simulation):
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
        """Return the first that was seen to succeed; of a few that were not, the first, if nothing better follows."""
        unseen: list[Candidate] = []
        for number, offer in enumerate(self._ranked(offers)):
            candidate = await self.trial.of(offer, time, favourite=number == 0)
            if candidate is not None and (self._standing(candidate)[0] or self.trial.context.shown_only):
                return candidate
            unseen += [] if candidate is None else [candidate]
            if len(unseen) == MOST_UNSEEN or (unseen and time.is_spent):
                break
        return next(iter(unseen), None)

    async def _best_measured(self, offers: Sequence[Offer], time: SimulationTime) -> Candidate | None:
        """Return the candidate that counts most, once no promise that was not tried could count more.

        When the time for simulations is spent nobody else is built: nothing more can be measured.
        """
        waiting = self._ranked(offers)
        tried = await self._first(waiting, time)
        while not (tried and time.is_spent) and (batch := self._next(waiting, tried)):
            tried += await self._together(waiting, batch, time, favourite=not tried)
        return max(tried, key=self._standing, default=None)

    async def _first(self, waiting: list[Offer], time: SimulationTime) -> list[Candidate]:
        """Try the first, and the next beside it where it is late, or nothing is seen of what it does."""
        batch, whole = waiting[:1], time.left_s
        trial = asyncio.ensure_future(self._together(waiting, batch, time, favourite=True))
        try:
            await asyncio.wait({trial}, timeout=whole * _ALONE)
            late = not trial.done()
            if not late and (time.is_spent or all(self._standing(each)[0] for each in trial.result())):
                return trial.result()
            left = SimulationTime(whole * (1 - _ALONE)) if late else time
            beside = await self._together(waiting, self._next(waiting, []), left)
            return [*await trial, *beside]
        finally:
            trial.cancel()

    async def _together(
        self, waiting: list[Offer], batch: Sequence[Offer], time: SimulationTime, *, favourite: bool = False
    ) -> list[Candidate]:
        """Try a batch, which is taken from those that wait; ``favourite`` is whether its first is the search's."""
        waiting[:] = [offer for offer in waiting if offer not in batch]
        times = [SimulationTime(time.left_s) for _ in batch]
        chosen = batch[0] if favourite and batch else None
        trials = (self.trial.of(*each, favourite=each[0] is chosen) for each in zip(batch, times, strict=True))
        found = await asyncio.gather(*trials)
        time.left_s = min((each.left_s for each in times), default=time.left_s)
        return [candidate for candidate in found if candidate is not None]

    def _ranked(self, offers: Iterable[Offer]) -> list[Offer]:
        return sorted(offers, key=lambda offer: self.ranking.place(offer.quote, self.counts(offer)))

    def _standing(self, candidate: Candidate) -> tuple[bool, Score]:
        return candidate.standing(self.ranking, crossing=self.trial.context.crossing)

    def _next(self, waiting: Sequence[Offer], tried: Sequence[Candidate]) -> list[Offer]:
        """Return the best few, one a vendor, of those that may count more than the best that was tried."""
        if not waiting:
            return []
        best = max(map(self._standing, tried), default=None)
        unsaid, rent = unsaid_gas(tried), unsaid_rent(tried)
        batch: dict[str, Offer] = {}
        for offer in waiting:
            quote = offer.quote
            gas = self.ranking.said_gas(quote) + unsaid
            if best is not None and self.ranking.score(quote, self.counts(offer), gas, rent=rent) <= best[1]:
                break
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
    # An upstream that has fixed its own minimum keeps it; so does one that the lower promise would raise.
    least = built.min_output if built.offer.fixed else min(built.min_output, least_of(trial.context, lower))
    offer = replace(built.offer, quote=replace(lower, min_output_amount=least))
    again = await trial.composer.finish(trial.context, offer, built.upstream)
    if isinstance(again, Refusal):
        trial.left_out.refusals.append(again)
        return None
    return replace(candidate, built=trial.composer.limited(again, simulation))


async def as_handed_out(trial: Trial, candidate: Candidate, time: SimulationTime) -> Candidate | None:
    """Run what is handed out as it is handed out, where that is another transaction than the one that was run.

    What this last run shows is what is answered. None when it is dropped for that.
    """
    first = candidate.simulation
    built = trial.composer.limited(candidate.built, first)
    if built is candidate.built or built.task is None or first is None:
        return candidate
    # By how much the quote overstated its output is told of what it promised first.
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
