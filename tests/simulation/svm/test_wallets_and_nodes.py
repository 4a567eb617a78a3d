"""Runs that fail: by the wallet's lack, by the transaction's own fault, or because nobody could look."""

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from aiohttp import web
from solders.keypair import Keypair
from solders.pubkey import Pubkey

from rhumbline.devnet.svm.accounts import OPERATOR, keypair
from rhumbline.devnet.svm.chain_setup import token
from rhumbline.domain.chain import NATIVE_SVM
from rhumbline.domain.deposit import BridgeDeposit
from rhumbline.domain.simulation import ExecutionStatus, OutputValidation, Simulation
from rhumbline.domain.svm import AccountRole, SvmInstruction
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.nodes.svm.rpc import SvmRpc
from rhumbline.gateways.svm.instructions import SystemTransfer, TokenTransfer
from rhumbline.gateways.svm.programs import SPL
from rhumbline.simulation.svm.runtime import SvmSimulator
from tests.raw_calls import passed_on
from tests.simulation.svm.trials import (
    FEE,
    FRIEND,
    NATIVE_IN,
    POOR,
    SOL,
    STABLE,
    USDC,
    USER,
    WRAPPED,
    Trials,
    account,
    create,
    name,
    unwrap,
    wrap,
)

AMOUNT = 1000 * 10**6
SILENT = "nothing but a run shows what it does, and the chain's node made none"
UNSEEN = "nothing but a run shows what it does, and a run needs a wallet that has the funds"


def lacks(simulation: Simulation, words: str) -> None:
    result = simulation.result
    assert (result.status, result.validation) == (ExecutionStatus.REVERTED, OutputValidation.NOT_SIMULATED)
    assert simulation.wallet_fault
    assert words in (result.reason or "")


def new_wallet(trials: Trials, lamports: int, symbol: str | None = None, amount: int = 0) -> Keypair:
    wallet = Keypair()
    trials.execute([SystemTransfer(name(USER), name(wallet), lamports).encode()])
    if symbol is not None:
        minted = token(symbol)
        held = account(wallet, symbol)
        trials.execute([create(USER, wallet, symbol), TokenTransfer(
            SPL, account(USER, symbol), held, name(USER), amount, str(minted.mint), 6).encode()])  # fmt: skip
    return wallet


async def test_a_wallet_with_nothing(trials: Trials) -> None:
    """Where a pinned program holds it to the minimum it is offered all the same; elsewhere it is not."""
    calls = [trials.swap(STABLE, AMOUNT, by=POOR)]
    held = await trials.tried(calls, by=POOR, held=True)
    lacks(held, "the wallet has no SOL")
    assert held.objection is None
    simulation = await trials.tried(calls, by=POOR)
    lacks(simulation, "the wallet has no SOL")
    assert simulation.objection == f"{UNSEEN}: the wallet has no SOL"


async def test_a_deposit_by_a_wallet_with_nothing(trials: Trials) -> None:
    deposit = BridgeDeposit(NATIVE_SVM, SOL, (name(FRIEND),))
    calls = [SystemTransfer(name(POOR), name(FRIEND), SOL).encode()]
    said: dict[str, Any] = {"input_token": NATIVE_SVM, "input_amount": SOL, "output_token": None, "deposit": deposit}
    simulation = await trials.tried(calls, by=POOR, **said)
    assert simulation.objection == f"{UNSEEN}: the wallet has no SOL"
    assert simulation.bridged is None


async def test_less_than_the_fee(trials: Trials) -> None:
    rent = trials.solana.server.chain.rent(0)
    wallet = new_wallet(trials, rent + FEE - 1)
    simulation = await trials.tried([trials.swap(STABLE, AMOUNT, by=wallet)], by=wallet, held=True)
    assert simulation.wallet_fault
    assert simulation.objection is None


async def test_no_account_of_the_input(trials: Trials) -> None:
    wallet = new_wallet(trials, SOL)
    simulation = await trials.tried([trials.swap(STABLE, AMOUNT, by=wallet)], by=wallet, held=True)
    lacks(simulation, f"the wallet has 0 of the input token, and {AMOUNT} are needed")


async def test_less_than_the_input(trials: Trials) -> None:
    wallet = new_wallet(trials, SOL, "USDC", AMOUNT - 1)
    calls = [create(wallet, wallet, "USDT"), trials.swap(STABLE, AMOUNT, by=wallet)]
    simulation = await trials.tried(calls, by=wallet, held=True)
    lacks(simulation, f"the wallet has {AMOUNT - 1} of the input token, and {AMOUNT} are needed")


async def test_too_little_sol_for_a_native_input(trials: Trials) -> None:
    wallet = new_wallet(trials, 2 * SOL)
    calls = [*wrap(wallet, 2 * SOL), create(wallet, wallet, "USDC"), trials.swap(WRAPPED, 2 * SOL, by=wallet),
             unwrap(wallet)]  # fmt: skip
    simulation = await trials.tried(calls, by=wallet, held=True, **NATIVE_IN)
    lacks(simulation, f"the wallet has {2 * SOL} lamports, and ")


async def test_too_little_sol_for_the_rent_of_an_account(trials: Trials) -> None:
    wallet = new_wallet(trials, trials.solana.server.chain.rent(0) + FEE, "USDC", AMOUNT)
    calls = [create(wallet, wallet, "USDT"), trials.swap(STABLE, AMOUNT, by=wallet)]
    lacks(await trials.tried(calls, by=wallet, held=True), "lamports, and ")


async def test_nothing_to_keep_the_wallet_with(trials: Trials) -> None:
    """The runtime fails a transaction that leaves a wallet with something, and less than it must keep."""
    wallet = new_wallet(trials, SOL)
    calls = [SystemTransfer(name(wallet), name(FRIEND), SOL - FEE - 1).encode()]
    said: dict[str, Any] = {
        "input_token": NATIVE_SVM,
        "input_amount": SOL - FEE - 1,
        "output_token": None,
        "held": True,
    }
    lacks(await trials.tried(calls, by=wallet, **said), "the wallet would be left with less than it must keep")


async def test_a_frozen_account(trials: Trials) -> None:
    operator = keypair(OPERATOR)
    wallet = new_wallet(trials, SOL, "USDC", AMOUNT)
    roles = (AccountRole(account(wallet, "USDC"), writable=True), AccountRole(USDC),
             AccountRole(name(operator), signer=True))  # fmt: skip
    trials.execute([SvmInstruction(SPL, roles, b"\x0a")], operator)
    calls = [create(wallet, wallet, "USDT"), trials.swap(STABLE, AMOUNT, by=wallet)]
    lacks(await trials.tried(calls, by=wallet, held=True), "the wallet's token account is frozen")


async def test_a_transaction_that_fails_by_itself(trials: Trials) -> None:
    """The wallet has all that it needs: the pool gives less than the call's own minimum."""
    greedy = replace_minimum(trials.swap(STABLE, AMOUNT), 2 * AMOUNT)
    simulation = await trials.tried([greedy])
    assert simulation.result.status is ExecutionStatus.REVERTED
    assert not simulation.wallet_fault
    assert simulation.objection is None, "it is refused for its failure, whatever could be seen of it"
    assert "instruction 2: Custom" in (simulation.result.reason or "")


def replace_minimum(swap: SvmInstruction, minimum: int) -> SvmInstruction:
    return replace(swap, data=swap.data[:9] + minimum.to_bytes(8, "little"))


async def test_a_program_that_is_not_there(trials: Trials) -> None:
    call = SvmInstruction(str(Pubkey([9] * 32)), (AccountRole(name(USER), signer=True),), b"")
    simulation = await trials.tried([call])
    assert (simulation.result.status, simulation.wallet_fault) == (ExecutionStatus.REVERTED, False)


async def test_a_fault_of_the_tokens_is_told_in_its_programs_words(trials: Trials) -> None:
    """More than the account holds, although the amount that was agreed is there."""
    held = await trials.amount(account(USER, "USDC"))
    call = TokenTransfer(SPL, account(USER, "USDC"), account(FRIEND, "USDC"), name(USER), held + 1, USDC, 6).encode()
    simulation = await trials.tried([call], output_token=None)
    assert not simulation.wallet_fault
    assert simulation.result.reason == "Error: insufficient funds (instruction 2: Custom 1 (0x1))"


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
    runner = web.AppRunner(app, access_log=None, handler_cancellation=True)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    node.url = f"http://127.0.0.1:{runner.addresses[0][1]}/"
    yield node
    await runner.cleanup()


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
        simulation = await away.simulate(trials.task([], held=True))
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


async def test_accounts_that_never_stand_still(trials: Trials, between: Between) -> None:
    def pay(answer: dict[str, Any]) -> dict[str, Any]:
        trials.execute([SystemTransfer(name(FRIEND), name(USER), 1).encode()], FRIEND)
        trials.solana.server.chain.advance(40)
        return answer

    between.method, between.change = "getMultipleAccounts", pay
    simulation = await looked(trials, between)
    assert simulation.result.status is ExecutionStatus.ERROR
    assert "change too quickly" in (simulation.result.reason or "")
