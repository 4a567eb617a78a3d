"""From the data of a simulation to its findings. Pure."""

from dataclasses import replace

from rhumbline.domain.escaped_text import escaped
from rhumbline.domain.simulation import ExecutionStatus
from rhumbline.gateways.nodes.svm.answers import Simulation
from rhumbline.gateways.nodes.svm.transaction_error import TransactionError
from rhumbline.simulation.svm.gains import bridged, output_of
from rhumbline.simulation.svm.outflow import objection
from rhumbline.simulation.svm.run import Run
from rhumbline.simulation.svm.task import SvmSimulationTask
from rhumbline.simulation.verdict import Finding

_LONGEST = 160
_LOGGED = "Program log: "


def judge(run: Run, units: int | None) -> Finding:
    """Return the findings of a successful simulation."""
    output, taken, deposit = output_of(run), bridged(run), run.task.deposit
    fault = objection(run)
    if fault is None and taken is not None and deposit is not None and taken.amount < deposit.least:
        fault = f"the bridge gains only {taken.amount} instead of {deposit.least}"
    return Finding(
        ExecutionStatus.SUCCESS,
        output=output,
        gas_used=units,
        reason="the output arrives on another chain" if output is None else None,
        objection=fault,
        below_minimum=output is not None and output < run.task.min_output,
        bridged=taken,
        rent=run.rent_paid,
    )


def failed(simulation: Simulation, error: TransactionError, shortage: str | None) -> Finding:
    """Return the findings of a failed simulation; ``shortage`` is what the wallet lacks, if that is the reason."""
    reason = shortage or reason_of(error, simulation.logs)
    return Finding(
        ExecutionStatus.REVERTED, gas_used=simulation.units, reason=reason, wallet_fault=shortage is not None
    )


def with_objection(task: SvmSimulationTask, finding: Finding) -> Finding:
    """Object to a transaction that was not simulated and that nothing else enforces."""
    unseen = finding.status is not ExecutionStatus.SUCCESS
    plain_failure = finding.status is ExecutionStatus.REVERTED and not finding.wallet_fault
    if task.is_enforced or not unseen or plain_failure or finding.objection is not None:
        return finding
    if finding.wallet_fault:
        why = "only a simulation shows what it does, and that needs a wallet with the funds"
    else:
        why = "only a simulation shows what it does, and the chain's node made none"
    return replace(finding, objection=f"{why}: {finding.reason}")


def reason_of(error: TransactionError, logs: tuple[str, ...]) -> str:
    """Say why a transaction failed: the first line in which a program names an error, and the runtime's own word."""
    line = next((line for line in logs if line.startswith(_LOGGED) and "error" in line.lower()), None)
    logged = "" if line is None else escaped(line.removeprefix(_LOGGED))[:_LONGEST]
    return f"{logged} ({error})" if logged else str(error)
