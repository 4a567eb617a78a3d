"""A simulator that keeps what it was asked to run."""

from rhumbline.domain.simulation import Simulation
from rhumbline.gateways.nodes.svm.rpc import SvmRpc
from rhumbline.simulation.svm.runtime import SvmSimulator
from rhumbline.simulation.svm.task import SvmSimulationTask


class RecordingSimulator(SvmSimulator):
    """Runs like any other; ``ran`` are the transactions in their order."""

    def __init__(self, rpc: SvmRpc, budget_s: float, ran: list[bytes]) -> None:
        super().__init__(rpc, budget_s)
        self.ran = ran

    async def simulate(self, task: SvmSimulationTask, /, budget_s: float | None = None) -> Simulation:
        self.ran.append(task.transaction)
        return await super().simulate(task, budget_s)
