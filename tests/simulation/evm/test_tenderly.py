"""Second simulations, by the emulator, which really runs them; and what a client of it makes of other answers."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest

from rhumbline.devnet.upstreams.behaviour import Fault
from rhumbline.devnet.upstreams.emulator import Emulator
from rhumbline.devnet.upstreams.tenderly import ACCESS_KEY, ACCOUNT, PROJECT, Tenderly
from rhumbline.domain.simulation import ExecutionStatus, OutputValidation, SimulationSource
from rhumbline.gateways.upstreams.upstream import open_upstream
from rhumbline.simulation.evm.gas_price import GasReader
from rhumbline.simulation.evm.rpc import RpcSimulator
from rhumbline.simulation.evm.tenderly import KEY_HEADER, TenderlySimulator
from tests.routing.quote_fixture import QuoteFixture
from tests.simulation.evm.test_rpc import simulator, task_of
from tests.simulation.nodes import lacking, node_before


@asynccontextmanager
async def asking(
    emulator: Emulator, first: RpcSimulator, budget_s: float = 10.0, key: str = ACCESS_KEY
) -> AsyncIterator[TenderlySimulator]:
    async with open_upstream("tenderly", emulator.url, headers={KEY_HEADER: key}) as upstream:
        yield TenderlySimulator(upstream, ACCOUNT, PROJECT, first.prepared, budget_s)


@pytest.mark.parametrize(
    ("sold", "bought", "amount"),
    [("USDC", "WETH", 10**9), ("USDC", "ETH", 10**9), ("ETH", "USDC", 10**18), ("WETH", "USDC", 10**18)],
)
async def test_it_measures_what_the_node_measures(
    quotes: QuoteFixture, tenderly: Tenderly, sold: str, bought: str, amount: int
) -> None:
    task, first = await task_of(quotes, sold, bought, amount), simulator(quotes.rpc)
    own = (await first.simulate(task)).result
    async with asking(tenderly, first) as second:
        found = (await second.simulate(task)).result
    assert found.source is SimulationSource.TENDERLY
    assert (found.status, found.validation) == (ExecutionStatus.SUCCESS, OutputValidation.VERIFIED), found.reason
    assert found.simulated_output == own.simulated_output
    (asked,) = tenderly.requests
    assert isinstance(asked.body, dict)
    assert (asked.body["network_id"], asked.body["save"]) == (str(quotes.chain.id), False)


async def test_a_revert_and_what_else_is_taken_are_seen(quotes: QuoteFixture, tenderly: Tenderly) -> None:
    task, first = await task_of(quotes), simulator(quotes.rpc)
    async with asking(tenderly, first) as second:
        broken = await second.simulate(replace(task, data=task.data[:4] + bytes(1000)))
        assert (broken.result.status, broken.objection) == (ExecutionStatus.REVERTED, None)
        # Approve a stranger at another token: it runs, and must not be offered.
        approval = bytes.fromhex("095ea7b3") + bytes(12) + b"\x77" * 20 + (1).to_bytes(32)
        sly = await second.simulate(replace(task, to=quotes.token("WETH"), data=approval))
        assert sly.objection == f"the call approves something of the sender's at {quotes.token('WETH')}"


async def test_it_answers_where_the_node_does_not(quotes: QuoteFixture, tenderly: Tenderly) -> None:
    """What the wallet has must do then: where the token keeps its balances is asked of the node."""
    task = replace(await task_of(quotes, "ETH", "USDC", 10**18))
    silent = lacking("eth_simulateV1", "eth_call", "eth_getBlockByNumber")
    async with node_before(quotes.rpc, silent) as rpc:
        first = RpcSimulator(rpc, GasReader(rpc), 10.0)
        assert (await first.simulate(task)).result.status is ExecutionStatus.ERROR
        async with asking(tenderly, first) as second:
            assert (await second.simulate(task)).result.validation is OutputValidation.VERIFIED


@pytest.mark.parametrize("failure", sorted(Tenderly.failures))
async def test_its_failures_are_no_verdict(quotes: QuoteFixture, tenderly: Tenderly, failure: str) -> None:
    task, first = await task_of(quotes), simulator(quotes.rpc)
    tenderly.behaviour = tenderly.behaviour_from({"failure": failure})
    async with asking(tenderly, first) as second:
        found = (await second.simulate(task)).result
    assert found.status is ExecutionStatus.ERROR
    assert found.reason == f"tenderly answered HTTP {Tenderly.failures[failure].status}"


async def test_a_wrong_key_is_not_shown(quotes: QuoteFixture, tenderly: Tenderly) -> None:
    task, first = await task_of(quotes), simulator(quotes.rpc)
    async with asking(tenderly, first, key="very-secret") as second:
        found = (await second.simulate(task)).result
    assert (found.status, found.reason) == (ExecutionStatus.ERROR, "tenderly answered HTTP 401")


@pytest.mark.parametrize("fault", [fault for fault in Fault if fault not in (Fault.NONE, Fault.LATE)])
async def test_nonsense_is_no_verdict(quotes: QuoteFixture, tenderly: Tenderly, fault: Fault) -> None:
    task, first = await task_of(quotes), simulator(quotes.rpc)
    await first.simulate(task)
    tenderly.behaviour = tenderly.behaviour_from({"fault": fault.value})
    async with asking(tenderly, first, 0.5 if fault is Fault.NEVER else 10.0) as second:
        found = (await second.simulate(task)).result
    # Amounts stand in hex where they are read, which these three leave alone.
    sound = fault in (Fault.FLOATS, Fault.OVERFLOW, Fault.NEGATIVE)
    expected = ExecutionStatus.TIMEOUT if fault is Fault.NEVER else ExecutionStatus.ERROR
    assert found.status is (ExecutionStatus.SUCCESS if sound else expected), found.reason
