"""What was not seen of a transaction is said."""

from dataclasses import replace

import pytest

from rhumbline.domain.simulation import (
    ExecutionStatus,
    OutputValidation,
    Simulation,
    SimulationResult,
    SimulationSource,
)
from rhumbline.routing.answer import NOT_RUN, UNMEASURED, UNSEEN_THERE, trust_assumptions

RUN = SimulationResult(SimulationSource.RPC, ExecutionStatus.SUCCESS, OutputValidation.VERIFIED, 1, 5)
SEEN = Simulation(RUN, 5, (RUN,))
FAILED = Simulation(replace(RUN, status=ExecutionStatus.TIMEOUT, simulated_output=None), 5, ())


@pytest.mark.parametrize(
    ("simulation", "crossing", "added"),
    [
        (SEEN, False, ()),
        (SEEN, True, (UNSEEN_THERE,)),
        (FAILED, False, (UNMEASURED, NOT_RUN)),
        (FAILED, True, (UNSEEN_THERE, NOT_RUN)),
        (None, False, (UNMEASURED, NOT_RUN)),
        (replace(SEEN, stood_in=True), False, (UNMEASURED,)),
    ],
)
def test_what_was_not_seen_is_said(simulation: Simulation | None, crossing: bool, added: tuple[str, ...]) -> None:
    assert trust_assumptions(["Its word."], simulation, crossing=crossing) == ("Its word.", *added)
