"""Two who simulate: both are shown, the node counts where it answers, and quotes come when neither can."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest
from structlog.testing import capture_logs

from rhumbline.devnet.upstreams.tenderly import Tenderly
from rhumbline.domain.errors import NoAvailableQuotes
from rhumbline.domain.simulation import ExecutionStatus, SimulationSource
from rhumbline.routing.quote_service import QuoteLimits
from rhumbline.simulation.evm.gas_price import GasReader
from rhumbline.simulation.evm.rpc import RpcSimulator
from tests.routing.quote_fixture import QuoteFixture
from tests.routing.venues import PoolVenue
from tests.simulation.evm.test_tenderly import asking
from tests.simulation.nodes import Answer, lacking, node_before

AMOUNT = 10**9
RPC, TENDERLY = SimulationSource.RPC, SimulationSource.TENDERLY


async def nothing(_: dict[str, Any]) -> None:
    return None


async def refusing(call: dict[str, Any]) -> object | None:
    """A node that has the method and refuses to run it."""
    return {"error": {"code": -32000, "message": "busy"}} if call["method"] == "eth_simulateV1" else None


async def babbling(call: dict[str, Any]) -> object | None:
    return {"result": [{"calls": "many"}]} if call["method"] == "eth_simulateV1" else None


async def silent(call: dict[str, Any]) -> object | None:
    if call["method"] == "eth_simulateV1":
        await asyncio.sleep(3600)
    return None


async def reverting(call: dict[str, Any]) -> object | None:
    """A node that says that whatever is run reverts, but what it is asked about balances and approvals."""
    if call["method"] != "eth_simulateV1":
        return None
    calls = call["params"][0]["blockStateCalls"][0]["calls"]
    ran = {"status": "0x1", "gasUsed": "0x5208", "returnData": "0x" + AMOUNT.to_bytes(32).hex(), "logs": []}
    main = {**ran, "status": "0x0", "returnData": "0x"}
    return {"result": [{"calls": [main if len(each.get("data", "")) > 200 else ran for each in calls]}]}


@asynccontextmanager
async def served(
    quotes: QuoteFixture, tenderly: Tenderly | None, answer: Answer = nothing, budget_s: float = 10.0
) -> AsyncIterator[QuoteFixture]:
    """The quote service with a node that answers so, and with Tenderly."""
    async with AsyncExitStack() as stack:
        rpc = await stack.enter_async_context(node_before(quotes.rpc, answer))
        first = RpcSimulator(rpc, GasReader(quotes.rpc), budget_s)
        second = {}
        if tenderly is not None:
            second = {quotes.chain.id: await stack.enter_async_context(asking(tenderly, first, budget_s))}
        limits = replace(quotes.service.limits, simulation_budget_s=budget_s)
        assert isinstance(limits, QuoteLimits)
        changes = {"simulators": {quotes.chain.id: first}, "second_simulators": second, "limits": limits}
        yield quotes.with_(*quotes.service.adapters, **changes)


async def test_both_are_shown_and_agree(quotes: QuoteFixture, tenderly: Tenderly) -> None:
    async with served(quotes, tenderly) as both:
        answer = await both.service.answer(both.ask("USDC", "WETH", AMOUNT))
    assert answer.simulation is not None
    own, other = answer.simulation.providers
    assert (own.source, other.source) == (RPC, TENDERLY)
    assert own.simulated_output == other.simulated_output == answer.output_amount
    assert (answer.simulation.result, other.reason) == (own, None)


async def test_the_winner_alone_is_asked_about(quotes: QuoteFixture, tenderly: Tenderly) -> None:
    """The favourite is asked about while it is run; it turns out to promise too much, and the winner is asked about."""
    boaster = PoolVenue(quotes.described, quotes.rpc, key="BOASTER", boast=10**17)
    others = [PoolVenue(quotes.described, quotes.rpc, key=f"POOL{number}") for number in range(3)]
    async with served(quotes, tenderly) as both:
        answer = await both.with_(*others).service.answer(both.ask("USDC", "WETH", AMOUNT))
        assert [request.path.rsplit("/", 1)[1] for request in tenderly.requests] == ["simulate"]
        tenderly.requests.clear()
        answer = await both.with_(boaster, *others).service.answer(both.ask("USDC", "WETH", AMOUNT))
    assert answer.adapter.startswith("POOL")
    assert len(tenderly.requests) <= 2
    assert answer.simulation is not None
    assert [each.source for each in answer.simulation.providers] == [RPC, TENDERLY, RPC]


async def test_another_output_is_shown_and_logged_and_does_not_count(quotes: QuoteFixture, tenderly: Tenderly) -> None:
    tenderly.behaviour = tenderly.behaviour_from({"lie": "worse_output"})
    async with served(quotes, tenderly) as both:
        with capture_logs() as logs:
            answer = await both.service.answer(both.ask("USDC", "WETH", AMOUNT))
    assert answer.simulation is not None
    own, other = answer.simulation.providers
    assert own.simulated_output is not None
    assert other.simulated_output == own.simulated_output - 1
    assert answer.output_amount == own.simulated_output
    told = f"disagrees: an output of {other.simulated_output}, where RPC says {own.simulated_output}"
    assert other.reason == told
    assert [log["how"] for log in logs if log["event"] == "simulations_disagree"] == [told]


async def test_a_node_that_says_it_reverts_counts(quotes: QuoteFixture, tenderly: Tenderly) -> None:
    async with served(quotes, tenderly, reverting) as both:
        with pytest.raises(NoAvailableQuotes):
            await both.service.answer(both.ask("USDC", "WETH", AMOUNT))


@pytest.mark.parametrize("answer", [refusing, babbling, silent], ids=lambda answer: answer.__name__)
async def test_where_the_node_tells_nothing_the_other_counts(
    quotes: QuoteFixture, tenderly: Tenderly, answer: Answer
) -> None:
    # Warm: where the token keeps its balances is known.
    async with served(quotes, tenderly, answer, 3.0) as both:
        found = await both.service.answer(both.ask("USDC", "WETH", AMOUNT))
    assert found.simulation is not None
    assert found.simulation.result.source is TENDERLY
    assert found.simulation.result.simulated_output == found.output_amount
    assert [each.source for each in found.simulation.providers] == [RPC, TENDERLY]
    assert found.simulation.providers[0].status in (ExecutionStatus.ERROR, ExecutionStatus.TIMEOUT)


@pytest.mark.parametrize("answer", [refusing, babbling, silent], ids=lambda answer: answer.__name__)
async def test_quotes_come_when_nobody_can_simulate(quotes: QuoteFixture, tenderly: Tenderly, answer: Answer) -> None:
    tenderly.behaviour = tenderly.behaviour_from({"failure": "internal"})
    async with served(quotes, tenderly, answer, 1.0) as both:
        found = await both.service.answer(both.ask("USDC", "WETH", AMOUNT))
    assert found.simulation is not None
    assert found.simulation.result.source is RPC
    assert found.simulation.result.status in (ExecutionStatus.ERROR, ExecutionStatus.TIMEOUT)
    assert [each.status for each in found.simulation.providers][1] is ExecutionStatus.ERROR


async def test_a_node_without_the_method_measures_all_the_same(quotes: QuoteFixture) -> None:
    async with served(quotes, None, lacking("eth_simulateV1")) as alone:
        found = await alone.service.answer(alone.ask("USDC", "WETH", AMOUNT))
    assert found.simulation is not None
    assert found.simulation.result.simulated_output == found.output_amount
    assert found.gas is not None
    assert found.gas.limit is not None


async def test_the_second_never_takes_longer_than_the_budget(quotes: QuoteFixture, tenderly: Tenderly) -> None:
    tenderly.behaviour = tenderly.behaviour_from({"fault": "never"})
    async with served(quotes, tenderly, nothing, 0.7) as both:
        loop = asyncio.get_running_loop()
        began = loop.time()
        found = await both.service.answer(both.ask("USDC", "WETH", AMOUNT))
        # The rest of a quote takes milliseconds; the emulator would never answer.
        assert loop.time() - began < 10
    assert found.simulation is not None
    assert [each.status for each in found.simulation.providers] == [ExecutionStatus.SUCCESS, ExecutionStatus.TIMEOUT]
