"""What a candidate promises is bound to what was measured of it, and run again where that makes another transaction."""

from dataclasses import replace

from rhumbline.domain.quote import Refusal
from rhumbline.routing.candidate import Candidate
from rhumbline.routing.offer import least_of
from rhumbline.routing.trial import SimulationTime, Trial


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
