"""A quote that was built and run, and what such ones tell of those that were not. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass

from rhumbline.domain.simulation import ExecutionStatus, Simulation
from rhumbline.routing.built_quote import BuiltQuote
from rhumbline.routing.ranking import RankingContext, Score
from rhumbline.routing.side_costs import rent_of, side_cost

_MOST_UNSAID_GAS = 150_000


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
    return min((rent_of(each.built, each.simulation) for each in tried if each.paid is not None), default=0)
