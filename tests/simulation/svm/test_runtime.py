"""Nodes that do not tell how a run ends, tell too late, or show accounts that change meanwhile."""

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from aiohttp import web

from rhumbline.devnet.hosts import hosted
from rhumbline.devnet.svm.chain_setup import token
from rhumbline.domain.simulation import ExecutionStatus, Simulation
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.nodes.svm.moment import Moment
from rhumbline.gateways.nodes.svm.rpc import SvmRpc
from rhumbline.gateways.nodes.svm.shared_state import SharedState
from rhumbline.gateways.svm.instructions import SystemTransfer, TokenTransfer
from rhumbline.gateways.svm.programs import SPL
from rhumbline.simulation.svm.runtime import SvmSimulator
from tests.raw_calls import passed_on
from tests.simulation.svm.test_wallet import AMOUNT
from tests.simulation.svm.trials import FRIEND, STABLE, USER, Trials, account, name

SILENT = "only a simulation shows what it does, and the chain's node made none"


@dataclass
class Between:
    """A node that passes calls on, and does something to the answers of one method."""

    rpc: SvmRpc
    url: str = ""
    method: str = "simulateTransaction"
    change: Callable[[dict[str, Any]], object] = lambda answer: answer
    wait_s: float = 0.0
    asked: list[str] = field(default_factory=list)

    async def answer(self, request: web.Request) -> web.Response:
        body = await request.json()
        self.asked.append(body["method"])
        answer = await passed_on(self.rpc.http, self.rpc.url, body)
        if body["method"] == self.method:
            await asyncio.sleep(self.wait_s)
            return web.json_response(self.change(answer))
        return web.json_response(answer)

    def simulator(self, budget_s: float = 20.0) -> SvmSimulator:
        return SvmSimulator(SvmRpc(self.url, self.rpc.http, "sbxs"), budget_s)


@pytest.fixture
async def between(trials: Trials) -> AsyncIterator[Between]:
    node = Between(trials.rpc)
    app = web.Application(client_max_size=10**7)
    app.router.add_post("/", node.answer)
    async with hosted(app, cancels=True) as node.url:
        yield node


async def looked(trials: Trials, between: Between, budget_s: float = 20.0) -> Simulation:
    return await between.simulator(budget_s).simulate(trials.task([trials.swap(STABLE, AMOUNT)]))


ANSWERS: list[tuple[Callable[[dict[str, Any]], object], ExecutionStatus, str]] = [
    (lambda _: {"jsonrpc": "2.0", "id": 0, "error": {"code": -32601, "message": "Method not found"}},
     ExecutionStatus.UNSUPPORTED, "Method not found"),
    (lambda _: {"jsonrpc": "2.0", "id": 0, "error": {"code": -32602, "message": "no\u202ethanks"}},
     ExecutionStatus.ERROR, "the node refused the simulation: "),
    (lambda _: {"jsonrpc": "2.0", "id": 0, "error": {"code": -32005, "message": "Node is behind"}},
     ExecutionStatus.ERROR, "Node is behind"),
    (lambda _: [], ExecutionStatus.ERROR, "not JSON-RPC"),
    (lambda each: {**each, "result": {**each["result"], "value": {**each["result"]["value"], "accounts": []}}},
     ExecutionStatus.ERROR, "not the accounts that were asked for"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "status", "words"), ANSWERS)
async def test_a_node_that_does_not_tell(
    trials: Trials, between: Between, change: Callable[[dict[str, Any]], object], status: ExecutionStatus, words: str
) -> None:
    between.change = change
    simulation = await looked(trials, between)
    assert simulation.result.status is status
    assert words in (simulation.result.reason or "")
    assert (simulation.objection or "").startswith(SILENT)
    assert not simulation.wallet_fault


async def test_a_node_that_is_slow(trials: Trials, between: Between) -> None:
    between.wait_s = 30
    simulation = await looked(trials, between, 0.3)
    assert simulation.result.status is ExecutionStatus.TIMEOUT
    assert simulation.result.reason == "no result within 0.3 s"


async def test_a_node_that_is_away(trials: Trials) -> None:
    async with HttpClient() as http:
        away = SvmSimulator(SvmRpc("http://127.0.0.1:9/with-a-key", http, "sbxs"))
        simulation = await away.simulate(trials.task([], is_enforced=True))
    assert simulation.result.status is ExecutionStatus.ERROR
    assert "with-a-key" not in (simulation.result.reason or "")
    assert simulation.objection is None


async def test_what_is_no_transaction(trials: Trials) -> None:
    task = replace(trials.task([]), transaction=b"\x01\x02")
    assert (await trials.simulator.simulate(task)).result.status is ExecutionStatus.ERROR


async def test_accounts_that_change_meanwhile_are_looked_at_again(trials: Trials, between: Between) -> None:
    """A slot goes by between the look and the run, and with it somebody pays the wallet the first time."""
    paying = TokenTransfer(SPL, account(FRIEND, "USDT"), account(USER, "USDT"), name(FRIEND), 10**9,
                           str(token("USDT").mint), 6).encode()  # fmt: skip
    times = iter((True, False))

    def go_on(answer: dict[str, Any]) -> dict[str, Any]:
        if next(times, False):
            trials.execute([paying], FRIEND)
        trials.solana.server.chain.advance(40)
        return answer

    between.method, between.change = "getMultipleAccounts", go_on
    task = trials.task([trials.swap(STABLE, AMOUNT)])
    simulation = await between.simulator().simulate(task)
    direct = await trials.simulator.simulate(task)
    assert between.asked.count("simulateTransaction") == 2
    assert simulation.objection is direct.objection is None
    assert simulation.result.simulated_output == direct.result.simulated_output


async def test_what_a_quote_saw_before_counts_only_if_it_is_still_so(trials: Trials, between: Between) -> None:
    """The wallet is paid after its accounts were read for its quote; what it gains by that is no output."""
    task = trials.task([trials.swap(STABLE, AMOUNT)])
    rpc = SvmRpc(between.url, trials.rpc.http, "sbxs", moment=Moment(lambda: 0.0))
    await SharedState(rpc).page([task.sender, *task.writable])
    paying = TokenTransfer(SPL, account(FRIEND, "USDT"), account(USER, "USDT"), name(FRIEND), 10**9,
                           str(token("USDT").mint), 6).encode()  # fmt: skip
    trials.execute([paying], FRIEND)
    trials.solana.server.chain.advance(40)
    simulation = await SvmSimulator(rpc, 20.0).simulate(task)
    assert simulation.result.simulated_output == (await trials.simulator.simulate(task)).result.simulated_output
    assert between.asked.count("simulateTransaction") == 2


async def test_accounts_that_never_stand_still(trials: Trials, between: Between) -> None:
    def pay(answer: dict[str, Any]) -> dict[str, Any]:
        trials.execute([SystemTransfer(name(FRIEND), name(USER), 1).encode()], FRIEND)
        trials.solana.server.chain.advance(40)
        return answer

    between.method, between.change = "getMultipleAccounts", pay
    simulation = await looked(trials, between)
    assert simulation.result.status is ExecutionStatus.ERROR
    assert "change too quickly" in (simulation.result.reason or "")
