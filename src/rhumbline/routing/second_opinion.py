"""A second provider's simulation of the transaction that is answered.

Such a provider is slow and charges for each request: it simulates the favourite at the same time as the first one, and
the winner afterwards if that is another, within what is left of the same time.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import structlog

from rhumbline.domain.simulation import ExecutionStatus, Simulation, SimulationResult, SimulationTask
from rhumbline.routing.offer import BuiltQuote
from rhumbline.simulation.simulator import Simulator

_ANSWERS = frozenset({ExecutionStatus.SUCCESS, ExecutionStatus.REVERTED})


@dataclass(slots=True)
class SecondOpinion:
    """The second provider in one search; ``simulators`` are by chain ID, none if it is not used."""

    simulators: Mapping[int, Simulator[Any]]
    _running: tuple[SimulationTask, asyncio.Task[Simulation]] | None = field(default=None, init=False)

    def ask(self, built: BuiltQuote, budget_s: float) -> None:
        """Start simulating a transaction, and stop the one in progress."""
        self.end()
        simulator = None if built.task is None else self.simulators.get(built.task.chain_id)
        if built.task is not None and simulator is not None:
            self._running = built.task, asyncio.create_task(simulator.simulate(built.task, budget_s))

    async def beside(self, built: BuiltQuote, first: Simulation | None, budget_s: float) -> Simulation | None:
        """Return the verdict with the second provider's beside it; ``budget_s`` is for asking only now."""
        if self._running is None or self._running[0] != built.task:
            self.ask(built, budget_s)
        if self._running is None:
            return first
        second = await self._running[1]
        return second if first is None else _joined(built.offer.quote.adapter, first, second)

    def end(self) -> None:
        """Stop asking."""
        if self._running is not None:
            self._running[1].cancel()
            self._running = None


def _joined(adapter: str, first: Simulation, second: Simulation) -> Simulation:
    """Combine both results: the first counts if there is one; an objection of either drops the quote."""
    second_result, found = second.result, disagreement(first.result, second.result)
    if found is not None:
        structlog.get_logger().warning("simulations_disagree", adapter=adapter, how=found)
        second_result = replace(
            second_result, reason=found if second_result.reason is None else f"{found}; {second_result.reason}"
        )
    counts = second if first.result.status not in _ANSWERS and second.result.status in _ANSWERS else first
    providers = (*first.providers, second_result)
    return replace(counts, providers=providers, objection=counts.objection or second.objection)


def disagreement(first: SimulationResult, second: SimulationResult) -> str | None:
    """Return how the answers of two providers differ, None if they do not."""
    if first.status not in _ANSWERS or second.status not in _ANSWERS:
        return None
    if first.status is not second.status:
        return f"disagrees: {second.status}, where {first.source} says {first.status}"
    outputs = first.simulated_output, second.simulated_output
    if None in outputs or outputs[0] == outputs[1]:
        return None
    return f"disagrees: an output of {outputs[1]}, where {first.source} says {outputs[0]}"
