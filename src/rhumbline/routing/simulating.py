"""How a built quote is run before it is handed out, and why one that was run is not offered."""

from collections.abc import Mapping
from typing import Any

from rhumbline.domain.errors import SlippageTooTight, UpstreamFailed
from rhumbline.domain.quote import Refusal
from rhumbline.domain.simulation import (
    ExecutionStatus,
    OutputValidation,
    Simulation,
    SimulationResult,
    SimulationSource,
)
from rhumbline.routing.built_quote import BuiltQuote
from rhumbline.routing.refusing import REFUSED, REVERTED
from rhumbline.simulation.simulator import Simulator


async def run(built: BuiltQuote, simulators: Mapping[int, Simulator[Any]], budget_s: float) -> Simulation | None:
    """Simulate a built quote; None where its chain has no simulator. What is only there to be shown is skipped."""
    if built.task is None:
        return _skipped(built)
    simulator = simulators.get(built.task.chain_id)
    if simulator is None:
        return None
    return await simulator.simulate(built.task, budget_s)


def _skipped(built: BuiltQuote) -> Simulation:
    result = SimulationResult(
        source=SimulationSource.NONE,
        status=ExecutionStatus.SKIPPED,
        validation=OutputValidation.NOT_SIMULATED,
        latency_ms=0,
        reason="A placeholder wallet executes nothing.",
    )
    return Simulation(result, built.quote.output_amount, (result,))


def fault_of(built: BuiltQuote, simulation: Simulation) -> Refusal | None:
    """Say why a simulated route is not offered; the wallet's own faults, or a run that told nothing, are none."""
    key, result = built.quote.adapter, simulation.result
    if simulation.objection is not None:
        return Refusal(key, REFUSED, simulation.objection)
    if result.status is ExecutionStatus.REVERTED and not simulation.wallet_fault:
        if simulation.below_minimum:
            return Refusal(key, SlippageTooTight.kind, f"the output falls below the minimum: {result.reason}")
        return Refusal(key, REVERTED, f"the transaction reverts: {result.reason}")
    if result.simulated_output is not None and result.simulated_output < built.min_output:
        return Refusal(key, SlippageTooTight.kind, f"only {result.simulated_output} would arrive")
    return None


def bound_fault(built: BuiltQuote, simulation: Simulation | None) -> Refusal | None:
    """Say why a transaction that was bound is not offered: it must have been seen to do what it is bound to."""
    fault = None if simulation is None else fault_of(built, simulation)
    if fault is not None or (simulation is not None and simulation.bridged is not None):
        return fault
    reason = "what its swap brings to its bridge could not be measured again"
    return Refusal(built.quote.adapter, UpstreamFailed.kind, reason)
