"""What an answer still has to be believed in, in sentences. Pure."""

from collections.abc import Sequence

from rhumbline.domain.simulation import ExecutionStatus, Simulation

UNSEEN_THERE = (
    "What arrives on the destination chain cannot be simulated: the output is an estimate, and the bridge is believed "
    "to keep to the minimum."
)
MAY_RECOVER = (
    "The swap on the destination chain brings the minimum or is undone: pools that move meanwhile, or whoever fills the"
    " deposit, can make it fail. Then the receiver has the bridged token there instead, and the status is recovered."
)
UNMEASURED = "No simulation has measured the output: it is the adapter's estimate, and only the minimum is held."
NOT_RUN = "The transaction has not been seen to succeed in a simulation."


def trust_assumptions(
    named: Sequence[str], simulation: Simulation | None, *, crossing: bool, recovers: bool = False
) -> tuple[str, ...]:
    """Return what nothing of ours has seen or holds, in sentences; ``named`` are the adapter's own.

    ``recovers`` tells that a swap on the destination follows, which may fail by itself.
    """
    found = list(named)
    if recovers:
        found.append(MAY_RECOVER)
    if crossing:
        found.append(UNSEEN_THERE)
    elif simulation is None or simulation.measured_output is None:
        found.append(UNMEASURED)
    if simulation is None or simulation.result.status is not ExecutionStatus.SUCCESS:
        found.append(NOT_RUN)
    return tuple(found)
