"""A quote that was built and run, and what such ones tell of those that were not. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass

from rhumbline.domain.simulation import Simulation
from rhumbline.routing.built_quote import BuiltQuote

_MOST_UNSAID_GAS = 150_000


@dataclass(frozen=True, slots=True)
class Candidate:
    """A built quote and its run; ``counted`` is how much of its output counts, in raw units."""

    built: BuiltQuote
    simulation: Simulation | None
    counted: int


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
        and (said := each.built.quote.gas_units) is not None
    ]
    return max(0, min(*seen, _MOST_UNSAID_GAS)) if seen else 0
