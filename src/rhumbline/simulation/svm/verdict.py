"""From what a run did to what it showed. Pure."""

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
    """Tell what a run that succeeded showed."""
    output, taken, deposit = output_of(run), bridged(run), run.task.deposit
    fault = objection(run)
    if fault is None and taken is not None and deposit is not None and taken.amount < deposit.least:
        fault = f"the bridge gains {taken.amount} only, where {deposit.least} were ordered"
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


def failed(simulation: Simulation, error: TransactionError, lack: str | None) -> Finding:
    """Tell what a run that failed showed; ``lack`` is what the wallet lacks for it, if that is why."""
    said = lack or reason_of(error, simulation.logs)
    return Finding(ExecutionStatus.REVERTED, gas_used=simulation.units, reason=said, wallet_fault=lack is not None)


def believed(task: SvmSimulationTask, finding: Finding) -> Finding:
    """Object to a transaction whose effect was not seen, and which nothing holds to what was quoted."""
    unseen = finding.status is not ExecutionStatus.SUCCESS
    plain_failure = finding.status is ExecutionStatus.REVERTED and not finding.wallet_fault
    if task.held or not unseen or plain_failure or finding.objection is not None:
        return finding
    if finding.wallet_fault:
        why = "nothing but a run shows what it does, and a run needs a wallet that has the funds"
    else:
        why = "nothing but a run shows what it does, and the chain's node made none"
    return replace(finding, objection=f"{why}: {finding.reason}")


def reason_of(error: TransactionError, logs: tuple[str, ...]) -> str:
    """Say why a transaction failed: the first line in which a program names an error, and the runtime's own word."""
    line = next((line for line in logs if line.startswith(_LOGGED) and "error" in line.lower()), None)
    told = "" if line is None else escaped(line.removeprefix(_LOGGED))[:_LONGEST]
    return f"{told} ({error})" if told else str(error)
