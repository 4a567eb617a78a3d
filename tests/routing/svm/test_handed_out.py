"""What is handed out is what was run last, byte for byte."""

from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

import pytest

from rhumbline.domain.errors import RhumblineError
from rhumbline.domain.route import RouteAnswer
from rhumbline.domain.simulation import ExecutionStatus, Simulation
from rhumbline.domain.transaction import SvmTransaction
from rhumbline.gateways.svm.compute_budget import read_budget
from rhumbline.gateways.svm.decompiler import decompile
from rhumbline.simulation.svm.task import SvmSimulationTask
from tests.routing.svm.pool_venue import PoolVenue
from tests.routing.svm.quote_fixture import PATIENCE_S, POOR, SvmQuotes
from tests.routing.svm.recording_simulator import RecordingSimulator
from tests.routing.svm.sealing_venue import OTHER, ChangedVenue, SealingVenue

USDC, SOL = 10**6, 10**9


class SecondThoughts(RecordingSimulator):
    """Runs like any other, and tells something else of every transaction after the first few."""

    def __init__(self, quotes: SvmQuotes, ran: list[bytes], honest: int, **changes: Any) -> None:
        super().__init__(quotes.rpc, PATIENCE_S, ran)
        self.honest, self.changes = honest, changes

    async def simulate(self, task: SvmSimulationTask, /, budget_s: float | None = None) -> Simulation:
        seen = await super().simulate(task, budget_s)
        if len(self.ran) <= self.honest:
            return seen
        result = replace(seen.result, **{name: value for name, value in self.changes.items() if name != "objection"})
        return replace(seen, result=result, objection=self.changes.get("objection"))


@dataclass
class Watched:
    """A quote service whose simulations are kept."""

    quotes: SvmQuotes
    ran: list[bytes] = field(default_factory=list)

    def by(self, simulator: RecordingSimulator) -> SvmQuotes:
        return replace(self.quotes, service=replace(self.quotes.service, simulators={self.quotes.chain.id: simulator}))

    async def answer(self, *asked: Any, **changes: Any) -> RouteAnswer:
        quotes = self.by(RecordingSimulator(self.quotes.rpc, PATIENCE_S, self.ran))
        return await quotes.service.answer(quotes.ask(*asked, **changes))


def data(answer: RouteAnswer) -> bytes:
    assert isinstance(answer.transaction, SvmTransaction)
    return answer.transaction.data


@pytest.mark.parametrize("asked", [("USDC", "USDT", 1000 * USDC), ("SOL", "USDC", SOL), ("WSOL", "TAX", SOL)])
async def test_the_bytes_that_are_answered_are_those_that_were_run_last(
    quotes: SvmQuotes, asked: tuple[Any, ...]
) -> None:
    watched = Watched(quotes)
    answer = await watched.answer(*asked)
    assert data(answer) == watched.ran[-1]
    # The winner alone is run again: with the limit of units that its first run showed.
    assert len(watched.ran) == 2
    assert answer.simulation is not None
    assert (read_budget(decompile(data(answer)).instructions).units or 0) > (answer.simulation.result.gas_used or 0)


async def test_a_lowered_promise_is_run_as_it_is_answered(quotes: SvmQuotes) -> None:
    """Its minimum is another one, and so is its call; the deviation is still that of what was promised first."""
    chain = quotes.running.server.chain
    watched = Watched(quotes.with_(PoolVenue(chain, boast=10**6)))
    answer = await watched.answer("USDC", "USDT", 1000 * USDC, slippage=Fraction(1, 100))
    assert data(answer) == watched.ran[-1]
    assert answer.simulation is not None
    assert answer.simulation.result.deviation is not None
    assert answer.simulation.result.deviation.absolute == -(10**6)
    assert answer.simulation.result.simulated_output == answer.output_amount


@pytest.mark.parametrize("asked", [{}, {"sender": POOR}])
async def test_keys_made_up_for_it_sign_what_is_run_and_answered(quotes: SvmQuotes, asked: dict[str, Any]) -> None:
    chain = quotes.running.server.chain
    watched = Watched(quotes.with_(ChangedVenue(chain, changes=(("co_signers", (bytes(OTHER),)),), co_signer=OTHER)))
    assert data(await watched.answer("USDC", "USDT", 1000 * USDC, **asked)) == watched.ran[-1]


async def test_a_sealed_message_is_run_once_as_it_is(quotes: SvmQuotes) -> None:
    watched = Watched(quotes.with_(SealingVenue(quotes.running.server.chain)))
    assert [data(await watched.answer("USDC", "USDT", 1000 * USDC))] == watched.ran


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"status": ExecutionStatus.REVERTED, "reason": "sees that it is watched"}, "sees that it is watched"),
        ({"objection": "the call takes more"}, "the call takes more"),
        ({"simulated_output": 1}, "only 1 would arrive"),
    ],
)
async def test_what_fails_when_it_is_run_again_is_dropped(
    quotes: SvmQuotes, changes: dict[str, Any], said: str
) -> None:
    """A program can see the limit that it runs with, and behave until then."""
    watched = Watched(quotes)
    doubting = watched.by(SecondThoughts(quotes, watched.ran, 1, **changes))
    with pytest.raises(RhumblineError) as caught:
        await doubting.service.answer(quotes.ask("USDC", "USDT", 1000 * USDC))
    assert said in str(caught.value.details)


async def test_another_answers_where_the_winner_fails_when_it_is_run_again(quotes: SvmQuotes) -> None:
    chain = quotes.running.server.chain
    watched = Watched(quotes.with_(PoolVenue(chain), PoolVenue(chain, key="SECOND")))
    honest = await watched.answer("USDC", "USDT", 1000 * USDC)
    tried = len(watched.ran) - 1
    fails_once = FailsOnce(quotes, [], tried, status=ExecutionStatus.REVERTED, reason="not this time")
    answer = await watched.by(fails_once).service.answer(quotes.ask("USDC", "USDT", 1000 * USDC))
    assert {honest.adapter, answer.adapter} == {"POOL", "SECOND"}
    assert data(answer) == fails_once.ran[-1]


class FailsOnce(SecondThoughts):
    """Tells something else of one transaction alone."""

    async def simulate(self, task: SvmSimulationTask, /, budget_s: float | None = None) -> Simulation:
        seen = await super().simulate(task, budget_s)
        self.honest = len(self.ran) + 10 if len(self.ran) > self.honest else self.honest
        return seen


async def test_what_a_pool_gives_less_meanwhile_is_answered(quotes: SvmQuotes) -> None:
    """Between both runs somebody traded: the answer says what the last one showed, and keeps its minimum."""
    watched = Watched(quotes)
    before = await watched.answer("USDC", "USDT", 1000 * USDC)
    less = before.output_amount - 5
    watched.ran.clear()
    simulator = SecondThoughts(quotes, watched.ran, 1, simulated_output=less)
    answer = await watched.by(simulator).service.answer(quotes.ask("USDC", "USDT", 1000 * USDC))
    assert (answer.output_amount, answer.min_output_amount) == (less, before.min_output_amount)
