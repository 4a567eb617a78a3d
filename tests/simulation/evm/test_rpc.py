"""Simulations on the sandbox, and against nodes that lack something, lie, or do not answer."""

import asyncio
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from rhumbline.domain.chain import ChainType
from rhumbline.domain.simulation import ExecutionStatus, OutputValidation
from rhumbline.domain.transaction import EvmTransaction
from rhumbline.gateways.nodes.evm.rpc import EvmRpc, quantity
from rhumbline.routing.evm.composer import EvmComposer
from rhumbline.simulation.evm.gas_price import GasReader
from rhumbline.simulation.evm.rpc import RpcSimulator
from rhumbline.simulation.evm.slots import Layout, Slot, SlotFinder, Style
from rhumbline.simulation.evm.task import EvmSimulationTask
from tests.routing.quote_fixture import KEY, QuoteFixture
from tests.routing.venues import PairVenue, PoolVenue
from tests.simulation.nodes import lacking, node_before


def simulator(rpc: EvmRpc, budget_s: float = 10.0) -> RpcSimulator:
    return RpcSimulator(rpc, GasReader(rpc), budget_s)


async def task_of(
    quotes: QuoteFixture, sold: str = "USDC", bought: str = "WETH", amount: int = 10**9, **asked: Any
) -> EvmSimulationTask:
    """The task of a quote for a wallet that has nothing."""
    ends = {"sender": quotes.nobody, "receiver": quotes.nobody}
    answer = await quotes.service.answer(quotes.ask(sold, bought, amount, **ends, **asked))
    transaction = answer.transaction
    assert isinstance(transaction, EvmTransaction)
    return EvmSimulationTask(
        quotes.chain.id, quotes.nobody, quotes.nobody, quotes.token(sold), amount, quotes.token(bought),
        answer.output_amount, transaction.to, transaction.value, transaction.data, transaction.spender,
        returns_gain=True,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("symbol", "position"), [("USDC", 0), ("DAI", 0), ("USDT", 3), ("WBTC", 0), ("TAX", 0), ("WETH", 3)]
)
async def test_balance_slots_of_real_tokens(quotes: QuoteFixture, symbol: str, position: int) -> None:
    assert await SlotFinder(quotes.rpc).balance(quotes.token(symbol)) == Slot(Layout(Style.SOLIDITY, position), 256)


MINIMAL = "0x1111111111111111111111111111111111111111"
NAMESPACE = "52c63247e1f47db19d5ce0460030c497f067ca4cebf71ba98eeadabe20bace00"


@pytest.mark.parametrize(
    ("code", "slot"),
    [
        # MSTORE(0, owner) MSTORE(32, place) SLOAD(KECCAK256(0, 64)), and the other way round for Vyper.
        (f"600435600052 7f{NAMESPACE} 602052 6040600020 54", Slot(Layout(Style.SOLIDITY, int(NAMESPACE, 16)), 256)),
        ("600435600052 6009 602052 6040600020 54 7f7f" + "ff" * 31 + "16", Slot(Layout(Style.SOLIDITY, 9), 255)),
        ("600435600052 6009 602052 6040600020 54 6b" + "ff" * 12 + "16", Slot(Layout(Style.SOLIDITY, 9), 96)),
        ("6007 600052 600435602052 6040600020 54", Slot(Layout(Style.VYPER, 7), 256)),
        ("6387a211a2 600c52 600435600052 6020600c20 54", Slot(Layout(Style.SOLADY, 0x87A211A2), 256)),
        # Shares: twice what is stored. And a balance that is in no storage at all.
        ("600435600052 6009 602052 6040600020 54 80 01", None),
        ("602a", None),
        ("5f5ffd", None),
    ],
    ids=["namespace", "one flag", "packed", "vyper", "solady", "shares", "constant", "reverts"],
)
async def test_balance_slots_of_other_layouts(quotes: QuoteFixture, code: str, slot: Slot | None) -> None:
    runtime = "0x" + code.replace(" ", "") + "5f5260205ff3"
    await quotes.rpc.call("anvil_setCode", [MINIMAL, runtime])
    assert await SlotFinder(quotes.rpc).balance(MINIMAL) == slot


async def test_slots_are_asked_for_once(quotes: QuoteFixture) -> None:
    asked: list[str] = []

    async def listen(call: dict[str, Any]) -> None:
        asked.append(call["method"])

    async with node_before(quotes.rpc, listen) as rpc:
        finder = SlotFinder(rpc)
        for _ in range(3):
            assert await finder.balance(quotes.token("USDC"))
            assert await finder.balance(MINIMAL) is None
    assert asked == ["eth_call", "eth_call"]


@pytest.mark.parametrize(
    ("sold", "bought", "amount"), [("USDC", "WETH", 10**9), ("ETH", "USDC", 10**18), ("USDC", "ETH", 10**9)]
)
async def test_two_requests_are_enough_once_warm(quotes: QuoteFixture, sold: str, bought: str, amount: int) -> None:
    """One bundle for the verdict, one to try the gas limit."""
    asked: list[str] = []

    async def listen(call: dict[str, Any]) -> None:
        asked.append(call["method"])

    task = await task_of(quotes, sold, bought, amount)
    async with node_before(quotes.rpc, listen) as rpc:
        warm = simulator(rpc)
        await warm.simulate(task)
        asked.clear()
        simulation = await warm.simulate(task)
    assert asked == ["eth_simulateV1", "eth_simulateV1"]
    assert simulation.result.simulated_output == task.advertised_output
    assert simulation.gas_limit is not None
    assert simulation.result.gas_used is not None
    assert simulation.result.gas_used < simulation.gas_limit < 2 * simulation.result.gas_used


@pytest.mark.parametrize(
    ("sold", "bought", "amount"),
    [("USDC", "WETH", 10**9), ("USDC", "ETH", 10**9), ("ETH", "USDC", 10**18), ("WETH", "TAX", 10**17)],
)
async def test_what_the_diamond_returns_is_what_balances_tell(
    quotes: QuoteFixture, sold: str, bought: str, amount: int
) -> None:
    """Of what keeps a part of each transfer it is what arrived."""
    venue = PairVenue if bought == "TAX" else PoolVenue
    blind = replace(quotes.service, simulators={}, composers={ChainType.EVM: EvmComposer((KEY,))})
    unseen = replace(quotes, service=blind).with_(venue(quotes.described, quotes.rpc))
    task = await task_of(unseen, sold, bought, amount, slippage=Fraction(1, 10))
    found = [await simulator(quotes.rpc).simulate(replace(task, returns_gain=returns)) for returns in (True, False)]
    assert found[0].result.simulated_output == found[1].result.simulated_output
    assert (found[0].result.simulated_output == task.advertised_output) is (bought != "TAX")


async def test_what_the_wallet_has_is_asked_where_a_run_fails(quotes: QuoteFixture) -> None:
    asked: list[bool] = []

    async def listen(call: dict[str, Any]) -> None:
        if call["method"] == "eth_simulateV1":
            block = call["params"][0]["blockStateCalls"][0]
            asked.append(block["calls"][0]["data"].startswith("0x70a08231"))

    task = await task_of(quotes)
    async with node_before(quotes.rpc, listen) as rpc:
        known = simulator(rpc)
        await known.simulate(task)
        assert True not in asked
        asked.clear()
        found = await known.simulate(replace(task, data=task.data[:4] + bytes(1000)))
    assert found.result.status is ExecutionStatus.REVERTED
    assert (asked[0], asked.count(True)) == (False, 1)


async def test_a_token_that_needs_a_reset_is_approved(quotes: QuoteFixture) -> None:
    """USDT refuses to change an allowance that is not zero."""
    await quotes.rpc.call("anvil_impersonateAccount", [quotes.nobody])
    await quotes.rpc.call("anvil_setBalance", [quotes.nobody, hex(10**18)])
    venue = PoolVenue(quotes.described, quotes.rpc, fee=100)
    task = await task_of(quotes.with_(venue), "USDT", "USDC", 10**9)
    data = "0x095ea7b3" + task.to[2:].lower().rjust(64, "0") + "1".rjust(64, "0")
    await quotes.rpc.call(
        "eth_sendTransactionSync", [{"from": quotes.nobody, "to": quotes.token("USDT"), "data": data}]
    )
    simulation = await simulator(quotes.rpc).simulate(task)
    assert simulation.result.status is ExecutionStatus.SUCCESS


@pytest.mark.parametrize(
    ("sold", "bought", "amount"),
    [("USDC", "WETH", 10**9), ("USDC", "ETH", 10**9), ("ETH", "USDC", 10**18), ("WETH", "USDC", 10**18)],
)
async def test_without_bundles_the_same_is_measured(quotes: QuoteFixture, sold: str, bought: str, amount: int) -> None:
    task = await task_of(quotes, sold, bought, amount)
    bundled = await simulator(quotes.rpc).simulate(task)
    async with node_before(quotes.rpc, lacking("eth_simulateV1")) as rpc:
        plain = simulator(rpc)
        for _ in range(2):
            found = await plain.simulate(task)
            assert (found.result.status, found.result.validation) == (
                ExecutionStatus.SUCCESS,
                OutputValidation.VERIFIED,
            )
            assert found.result.simulated_output == bundled.result.simulated_output
            assert found.result.reason == "the node has no eth_simulateV1: what else the transaction takes was not seen"
            assert found.gas_limit is not None
            assert bundled.result.gas_used is not None
            assert bundled.result.gas_used < found.gas_limit < 2 * bundled.result.gas_used
            assert found.result.gas_used == pytest.approx(bundled.result.gas_used, rel=0.35)


async def test_without_bundles_failures_are_told_apart(quotes: QuoteFixture) -> None:
    task = await task_of(quotes)
    async with node_before(quotes.rpc, lacking("eth_simulateV1")) as rpc:
        plain = simulator(rpc)
        broken = await plain.simulate(replace(task, data=task.data[:4] + bytes(1000)))
        assert (broken.result.status, broken.wallet_fault) == (ExecutionStatus.REVERTED, False)
        await quotes.rpc.call("anvil_setCode", [MINIMAL, "0x602a5f5260205ff3"])
        odd = await plain.simulate(replace(task, input_token=MINIMAL))
        assert odd.result.status is ExecutionStatus.UNSUPPORTED


@pytest.mark.parametrize("ignores", [False, True])
async def test_a_node_that_takes_no_overrides_either(quotes: QuoteFixture, ignores: bool) -> None:
    async def answer(call: dict[str, Any]) -> object | None:
        if call["method"] == "eth_call" and call["params"][0].get("from"):
            return {"result": "0x"} if ignores else {"error": {"code": -32602, "message": "too many arguments"}}
        return await lacking("eth_simulateV1")(call)

    task = await task_of(quotes)
    async with node_before(quotes.rpc, answer) as rpc:
        found = await simulator(rpc).simulate(task)
    assert found.result.status is ExecutionStatus.UNSUPPORTED
    assert found.result.reason == "the node has neither eth_simulateV1 nor state overrides for eth_call"


async def test_gas_like_arbitrums_is_estimated(quotes: QuoteFixture) -> None:
    """The estimate knows what the run cannot show: here it is said to be a million more."""
    estimates: list[int] = []

    async def answer(call: dict[str, Any]) -> object | None:
        if call["method"] == "eth_getCode" and int(call["params"][0], 16) == 0x64:
            return {"result": "0xfe"}
        if call["method"] == "eth_estimateGas":
            estimates.append(quantity(await quotes.rpc.call("eth_estimateGas", call["params"])) + 10**6)
            return {"result": hex(estimates[-1])}
        return None

    async with node_before(quotes.rpc, answer) as rpc:
        found = await simulator(rpc).simulate(await task_of(quotes))
    assert found.result.status is ExecutionStatus.SUCCESS
    assert found.gas_limit == estimates[0] * 5 // 4


async def test_a_token_whose_balances_are_nowhere_known(quotes: QuoteFixture) -> None:
    await quotes.rpc.call("anvil_setCode", [MINIMAL, "0x602a5f5260205ff3"])
    task = replace(await task_of(quotes), input_token=MINIMAL)
    simulation = await simulator(quotes.rpc).simulate(task)
    assert simulation.result.status is ExecutionStatus.UNSUPPORTED
    assert simulation.wallet_fault
    enough = await simulator(quotes.rpc).simulate(replace(task, input_amount=42))
    assert enough.result.status is ExecutionStatus.REVERTED


async def test_flags_beside_the_balance_are_kept(quotes: QuoteFixture) -> None:
    """A token like USDC keeps its block list in the highest bit of the balance's word."""
    await quotes.rpc.call(
        "anvil_setCode", [MINIMAL, "0x600435600052600960205260406000205" + "47f7f" + "ff" * 31 + "16" + "5f5260205ff3"]
    )
    key = "0x" + Layout(Style.SOLIDITY, 9).key(quotes.nobody).hex()
    await quotes.rpc.call("anvil_setStorageAt", [MINIMAL, key, hex((1 << 255) + 77)])
    words: list[str] = []

    async def listen(call: dict[str, Any]) -> None:
        if call["method"] == "eth_simulateV1":
            words.append(call["params"][0]["blockStateCalls"][0]["stateOverrides"][MINIMAL]["stateDiff"][key])

    task = replace(await task_of(quotes), input_token=MINIMAL, input_amount=1234)
    async with node_before(quotes.rpc, listen) as rpc:
        simulation = await simulator(rpc).simulate(task)
    # Asked again with the allowance taken back first, as the token refuses, and whether the wallet has the amount then.
    assert words == [hex((1 << 255) + 1234)] * 3
    assert simulation.result.reason == "the token refuses the approval: reverted without a reason"


async def test_a_token_that_changes_its_layout_is_found_out(quotes: QuoteFixture) -> None:
    task = await task_of(quotes)
    known = simulator(quotes.rpc)
    assert (await known.simulate(task)).result.status is ExecutionStatus.SUCCESS
    await quotes.rpc.call("anvil_setCode", [task.input_token, "0x602a5f5260205ff3"])
    assert (await known.simulate(task)).result.status is ExecutionStatus.UNSUPPORTED


async def test_a_revert_is_decoded(quotes: QuoteFixture) -> None:
    task = await task_of(quotes)
    await quotes.rpc.call("evm_setNextBlockTimestamp", [2**33])
    await quotes.rpc.call("evm_mine")
    simulation = await simulator(quotes.rpc).simulate(task)
    assert simulation.result.status is ExecutionStatus.REVERTED
    assert str(simulation.result.reason).startswith("DeadlinePassed(")
    assert not simulation.wallet_fault


async def test_more_promised_than_given_is_a_deviation(quotes: QuoteFixture) -> None:
    task = await task_of(quotes)
    simulation = await simulator(quotes.rpc).simulate(
        replace(task, advertised_output=task.advertised_output * 100 // 99)
    )
    assert simulation.result.deviation is not None
    assert -101 < simulation.result.deviation.bps < -99
    assert simulation.objection is None


@pytest.mark.parametrize(
    "garbage",
    [
        {"result": None},
        {"result": []},
        {"result": "0x"},
        {"result": [{}]},
        {"result": [{"calls": []}]},
        {"result": [{"calls": [None] * 2}]},
        {"result": [{"calls": [{}] * 2}]},
        {"result": [{"calls": [{"status": "0x1", "gasUsed": "0x1"}] * 2}] * 2},
        "nonsense",
    ],
)
async def test_a_node_that_answers_nonsense_is_an_error(quotes: QuoteFixture, garbage: object) -> None:
    async def answer(call: dict[str, Any]) -> object | None:
        return garbage if call["method"] == "eth_simulateV1" else None

    task = await task_of(quotes)
    async with node_before(quotes.rpc, answer) as rpc:
        assert (await simulator(rpc).simulate(task)).result.status is ExecutionStatus.ERROR


async def test_a_node_that_refuses_is_an_error_with_its_words(quotes: QuoteFixture) -> None:
    async def answer(call: dict[str, Any]) -> object | None:
        return {"error": {"code": -38014, "message": "busy"}} if call["method"] == "eth_simulateV1" else None

    task = await task_of(quotes)
    async with node_before(quotes.rpc, answer) as rpc:
        result = (await simulator(rpc).simulate(task)).result
    assert (result.status, result.reason) == (ExecutionStatus.ERROR, "the node refused the simulation: busy")


async def test_nobody_there_is_an_error(quotes: QuoteFixture) -> None:
    task = await task_of(quotes)
    result = (await simulator(EvmRpc("http://127.0.0.1:9", quotes.rpc.http, "gone")).simulate(task)).result
    assert (result.status, result.validation) == (ExecutionStatus.ERROR, OutputValidation.NOT_SIMULATED)


async def test_the_budget_holds(quotes: QuoteFixture) -> None:
    quick = 0

    async def answer(call: dict[str, Any]) -> object | None:
        nonlocal quick
        if call["method"] == "eth_simulateV1":
            quick -= 1
            if quick < 0:
                await asyncio.sleep(600)
        return None

    task, loop = await task_of(quotes), asyncio.get_running_loop()
    for first, status in enumerate((ExecutionStatus.TIMEOUT, ExecutionStatus.SUCCESS)):
        quick = first
        async with node_before(quotes.rpc, answer) as rpc:
            started = loop.time()
            simulation = await simulator(rpc).simulate(task, 0.5)
            assert 0.5 <= loop.time() - started < 60
        assert simulation.result.status is status
        # The verdict came in time, only the gas limit did not.
        assert simulation.gas_limit is None


async def test_no_budget_left_is_a_time_out(quotes: QuoteFixture) -> None:
    task = await task_of(quotes)
    assert (await simulator(quotes.rpc).simulate(task, -1.0)).result.status is ExecutionStatus.TIMEOUT
