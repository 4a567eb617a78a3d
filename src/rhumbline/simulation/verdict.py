"""From the findings of a simulation to the verdict about the transaction, for every chain type. Pure."""

from dataclasses import dataclass

from rhumbline.domain.simulation import (
    AccountRent,
    Bridged,
    Deviation,
    ExecutionStatus,
    OutputValidation,
    Simulation,
    SimulationResult,
    SimulationSource,
    SimulationTask,
)


@dataclass(frozen=True, slots=True)
class Finding:
    """What one simulation showed. ``output`` is the receiver's gain without gas, None if it was not visible.

    ``stand_in_output`` is a stand-in's gain in its place, in another simulation.
    """

    status: ExecutionStatus
    output: int | None = None
    gas_used: int | None = None
    gas: int | None = None
    reason: str | None = None
    objection: str | None = None
    below_minimum: bool = False
    wallet_fault: bool = False
    stood_in: bool = False
    bridged: Bridged | None = None
    reset: bool = False
    rent: tuple[AccountRent, ...] = ()
    stand_in_output: int | None = None
    outdated: bool = False


def simulation_of(
    task: SimulationTask,
    finding: Finding,
    latency_ms: int,
    gas_limit: int | None = None,
    *,
    source: SimulationSource = SimulationSource.RPC,
) -> Simulation:
    """Return a finding in the words that routing and answers use; ``source`` is who made it."""
    validation = OutputValidation.NOT_SIMULATED
    if finding.status is ExecutionStatus.SUCCESS:
        validation = OutputValidation.UNVERIFIABLE if finding.output is None else OutputValidation.VERIFIED
    deviation = None if finding.output is None else Deviation.between(finding.output, task.advertised_output)
    result = SimulationResult(
        source=source,
        status=finding.status,
        validation=validation,
        latency_ms=latency_ms,
        simulated_output=finding.output,
        deviation=deviation,
        gas_used=finding.gas_used,
        reason=finding.reason,
    )
    return Simulation(
        result=result,
        advertised_output=task.advertised_output,
        providers=(result,),
        gas_limit=gas_limit,
        wallet_fault=finding.wallet_fault,
        objection=finding.objection,
        below_minimum=finding.below_minimum,
        stood_in=finding.stood_in,
        bridged=finding.bridged,
        reset=finding.reset,
        rent=finding.rent,
        stand_in_output=finding.stand_in_output,
        outdated=finding.outdated,
    )
