"""How far what was seen is from what was advertised, whatever a token or an upstream says."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st
from pydantic import MISSING

from rhumbline.api.wire.simulation import to_simulation
from rhumbline.domain import simulation

AMOUNTS = st.integers(0, 2**256 - 1)


def seen(output: int, advertised: int) -> simulation.Simulation:
    result = simulation.SimulationResult(
        simulation.SimulationSource.RPC,
        simulation.ExecutionStatus.SUCCESS,
        simulation.OutputValidation.VERIFIED,
        1,
        output,
        simulation.Deviation.between(output, advertised),
    )
    return simulation.Simulation(result, advertised, (result,))


@given(AMOUNTS, st.integers(1, 2**256 - 1))
def test_any_two_amounts_can_be_compared_and_written(simulated: int, advertised: int) -> None:
    written = to_simulation(seen(simulated, advertised))
    assert written.simulated_output_amount == str(simulated)
    assert written.deviation is not MISSING
    assert written.deviation.absolute == str(simulated - advertised)
    found = Fraction(simulation.Deviation.between(simulated, advertised).bps)
    assert abs(found - Fraction((simulated - advertised) * 10_000, advertised)) <= Fraction(1, 200)
    assert written.model_dump_json()
