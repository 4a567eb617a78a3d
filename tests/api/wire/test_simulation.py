"""Whatever was seen can be written."""

import pytest
from pydantic import MISSING

from rhumbline.api.wire.simulation import to_simulation
from tests.domain.test_simulation import seen


@pytest.mark.parametrize("output", [-1, -(2**255)])
def test_a_loss_is_no_amount(output: int) -> None:
    """A token that lies about balances may make its receiver lose; the deviation tells of it."""
    written = to_simulation(seen(output, 1000))
    assert written.simulated_output_amount is MISSING
    assert written.provider_results[0].simulated_output_amount is MISSING
    assert written.deviation is not MISSING
    assert written.deviation.absolute == str(output - 1000)
