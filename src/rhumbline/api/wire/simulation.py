"""Simulations."""

from decimal import Context, Decimal
from typing import Annotated

from pydantic import MISSING, Field

from rhumbline.api.wire.shape import RawAmount, SignedAmount, Wire
from rhumbline.domain.simulation import Deviation, ExecutionStatus, OutputValidation, SimulationResult, SimulationSource
from rhumbline.domain.simulation import Simulation as DomainSimulation

_EXACT = Context(prec=160)
_PERCENT = Decimal(100)
_PERCENT_PLACES = Decimal("0.0001")


class SimulationDeviation(Wire):
    """Simulated minus advertised output; negative means that the adapter overstated it."""

    absolute: Annotated[SignedAmount, Field(description="In raw units.")]
    bps: Annotated[float, Field(description="Signed basis points, with two decimals.")]
    percent: Annotated[str, Field(pattern=r"^[+-][0-9]+\.[0-9]{4}%$")]


class SimulationProviderResult(Wire):
    """One provider's own result."""

    source: SimulationSource
    execution_status: ExecutionStatus
    output_validation: OutputValidation
    simulated_output_amount: RawAmount | MISSING = MISSING
    deviation: SimulationDeviation | MISSING = MISSING
    gas_used: RawAmount | MISSING = MISSING
    reason: str | MISSING = MISSING
    latency_ms: Annotated[int, Field(ge=0)]


class Simulation(SimulationProviderResult):
    """The verdict that counts, and every provider's result."""

    advertised_output_amount: RawAmount
    provider_results: list[SimulationProviderResult]


def to_simulation(simulation: DomainSimulation) -> Simulation:
    return Simulation(
        **dict(_result(simulation.result)),
        advertised_output_amount=str(simulation.advertised_output),
        provider_results=[_result(result) for result in simulation.providers],
    )


def _result(result: SimulationResult) -> SimulationProviderResult:
    output = result.simulated_output
    return SimulationProviderResult(
        source=result.source,
        execution_status=result.status,
        output_validation=result.validation,
        # A dishonest token may lower the receiver's balance, which is no amount; the deviation shows it.
        simulated_output_amount=MISSING if output is None or output < 0 else str(output),
        deviation=MISSING if result.deviation is None else _deviation(result.deviation),
        gas_used=MISSING if result.gas_used is None else str(result.gas_used),
        reason=MISSING if result.reason is None else result.reason,
        latency_ms=result.latency_ms,
    )


def _deviation(deviation: Deviation) -> SimulationDeviation:
    percent = _EXACT.divide(deviation.bps, _PERCENT).quantize(_PERCENT_PLACES, context=_EXACT)
    return SimulationDeviation(
        absolute=str(deviation.absolute),
        bps=float(deviation.bps),
        percent=f"{'-' if percent < 0 else '+'}{percent.copy_abs():f}%",
    )
