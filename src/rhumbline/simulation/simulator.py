"""The interface of a simulator: it runs a transaction without sending it."""

from typing import Protocol, TypeVar

from rhumbline.domain.simulation import Simulation, SimulationTask

T = TypeVar("T", bound=SimulationTask, contravariant=True)


class Simulator(Protocol[T]):
    """Runs the tasks of one chain, in the shape of its type; never raises, never takes longer than its budget."""

    async def simulate(self, task: T, /, budget_s: float | None = None) -> Simulation:
        """Run the call and measure the receiver's gain; ``budget_s`` shortens the simulator's own time budget."""
        ...
