"""The verdict is the same for every chain type: another one brings a task and a simulator of its own, and no more."""

from dataclasses import dataclass

from rhumbline.domain.simulation import ExecutionStatus, OutputValidation, Simulation, SimulationSource, SimulationTask
from rhumbline.simulation.evm.gas_price import GasPrice
from rhumbline.simulation.simulator import Simulator
from rhumbline.simulation.verdict import Finding, simulation_of

WALLET = "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM"
MINT = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"


@dataclass(frozen=True, slots=True)
class MessageTask(SimulationTask):
    """A task of a chain type whose transactions are messages."""

    message: bytes


@dataclass(frozen=True, slots=True)
class Echo:
    """Sees the receiver gain as many units as the message is long."""

    async def simulate(self, task: MessageTask, /, budget_s: float | None = None) -> Simulation:
        finding = Finding(ExecutionStatus.SUCCESS, output=len(task.message), gas_used=450)
        return simulation_of(task, finding, 12, 600, source=SimulationSource.SOLANA_RUNTIME)


async def test_another_chain_type_has_its_own_task_and_the_same_verdict() -> None:
    task = MessageTask(7, WALLET, WALLET, MINT, 1000, MINT, 100, b"\x01" * 99)
    simulator: Simulator[MessageTask] = Echo()
    verdict = await simulator.simulate(task)
    result = verdict.result
    assert (result.source, result.status) == (SimulationSource.SOLANA_RUNTIME, ExecutionStatus.SUCCESS)
    assert (result.validation, result.simulated_output, result.latency_ms) == (OutputValidation.VERIFIED, 99, 12)
    assert result.deviation is not None
    assert (result.deviation.absolute, str(result.deviation.bps)) == (-1, "-100.00")
    assert (verdict.advertised_output, verdict.gas_limit, verdict.providers) == (100, 600, (result,))


def test_a_run_that_was_not_one_shows_nothing() -> None:
    task = MessageTask(7, WALLET, WALLET, MINT, 1000, MINT, 100, b"")
    result = simulation_of(task, Finding(ExecutionStatus.TIMEOUT, reason="no result"), 5).result
    assert (result.validation, result.simulated_output) == (OutputValidation.NOT_SIMULATED, None)
    assert result.deviation is None


def test_gas_costs_what_the_next_block_asks() -> None:
    assert GasPrice(100, 5, 30_000_000).cost(21_000) == 21_000 * 105
    assert GasPrice(None, 7, 30_000_000).cost(21_000) == 21_000 * 7
