"""Whoever can run a transaction without sending it."""

from typing import Protocol

from rhumbline.domain.simulation import Simulation, SimulationTask


class Simulator(Protocol):
    """Runs calls on one chain; never raises, never takes longer than its budget."""

    async def simulate(self, task: SimulationTask, /, budget_s: float | None = None) -> Simulation:
        """Run the call and tell what the receiver gets; ``budget_s`` shortens the simulator's own time budget."""
        ...
