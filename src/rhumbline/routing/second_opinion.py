"""What another provider says of the one transaction that is answered, beside who simulates all candidates.

Such a provider is slow and paid by the request: it is asked about the favourite while that is run, and about the winner
afterwards where that is another, within what is left of the same time.
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
    """The second provider's word within one search; ``simulators`` are by chain ID, none where nobody is asked."""

    simulators: Mapping[int, Simulator[Any]]
    _asked: tuple[SimulationTask, asyncio.Task[Simulation]] | None = field(default=None, init=False)

    def ask(self, built: BuiltQuote, budget_s: float) -> None:
        """Begin to ask about a transaction, in place of what is being asked."""
        self.end()
        simulator = None if built.task is None else self.simulators.get(built.task.chain_id)
        if built.task is not None and simulator is not None:
            self._asked = built.task, asyncio.create_task(simulator.simulate(built.task, budget_s))

    async def beside(self, built: BuiltQuote, first: Simulation | None, budget_s: float) -> Simulation | None:
        """Return the verdict with the second provider's beside it; ``budget_s`` is for asking only now."""
        if self._asked is None or self._asked[0] != built.task:
            self.ask(built, budget_s)
        if self._asked is None:
            return first
        second = await self._asked[1]
        return second if first is None else _joined(built.offer.quote.adapter, first, second)

    def end(self) -> None:
        """Stop asking."""
        if self._asked is not None:
            self._asked[1].cancel()
            self._asked = None


def _joined(adapter: str, first: Simulation, second: Simulation) -> Simulation:
    """Let the first count where it answers; what either objects to is not offered."""
    shown, found = second.result, disagreement(first.result, second.result)
    if found is not None:
        structlog.get_logger().warning("simulations_disagree", adapter=adapter, how=found)
        shown = replace(shown, reason=found if shown.reason is None else f"{found}; {shown.reason}")
    counts = second if first.result.status not in _ANSWERS and second.result.status in _ANSWERS else first
    providers = (*first.providers, shown)
    return replace(counts, providers=providers, objection=counts.objection or second.objection)


def disagreement(first: SimulationResult, second: SimulationResult) -> str | None:
    """Say in what two providers that both answered differ, None in nothing."""
    if first.status not in _ANSWERS or second.status not in _ANSWERS:
        return None
    if first.status is not second.status:
        return f"disagrees: {second.status}, where {first.source} says {first.status}"
    outputs = first.simulated_output, second.simulated_output
    if None in outputs or outputs[0] == outputs[1]:
        return None
    return f"disagrees: an output of {outputs[1]}, where {first.source} says {outputs[0]}"
