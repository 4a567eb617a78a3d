"""Native and a call on arrival by way of Across: everything is done, or the receiver has what was bridged."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio

from rhumbline.adapters.across import SPEC
from rhumbline.adapters.across.adapter import AcrossAdapter
from rhumbline.devnet.evm.operator import Operator, encoded, unlocked
from rhumbline.devnet.upstreams.across.emulator import Across
from rhumbline.devnet.upstreams.emulator import Outcome
from rhumbline.domain.arrival import CallOnArrival
from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.domain.errors import InvalidRequest, NoAvailableQuotes
from rhumbline.domain.fee import FeeType
from rhumbline.domain.route import RouteAnswer
from rhumbline.domain.tracking import TransferState
from rhumbline.domain.transaction import EvmTransaction
from rhumbline.gateways.nodes.evm.rpc import quantity
from rhumbline.routing.answer import MAY_STOP
from rhumbline.routing.planner import Planner
from tests.adapters.adapter_fixture import open_adapter
from tests.routing.evm.test_composer import Crossing, crossing
from tests.routing.quote_fixture import KEY
from tests.routing.receiving import COMPLETED, RECOVERED, Receiving, decode_message, message_in, receiving_on
from tests.solidity import ROOT, creation_codes

__all__ = ["crossing"]
THOUSAND, ONE = 1_000 * 10**6, 10**18
GAS = 10**15
SAVINGS = ROOT / "contracts" / "test" / "support" / "Savings.sol"


@pytest_asyncio.fixture
async def receiving(crossing: Crossing, restored_sandbox: Any) -> AsyncIterator[Receiving]:
    async with open_adapter(restored_sandbox, SPEC, Across) as across:
        across.emulator.behaviour.outcome = Outcome.DELIVER
        assert isinstance(across.adapter, AcrossAdapter)
        yield receiving_on(crossing, across.adapter, across.emulator, across.rpcs["sbxb"])


class Savings:
    """The contract on the second chain."""

    def __init__(self, operator: Operator, address: str) -> None:
        self.operator, self.address = operator, address

    async def of(self, token: str, owner: str) -> int:
        (saved,) = await self.operator.read(self.address, encoded("saved(address,address)", token, owner), "uint256")
        assert isinstance(saved, int)
        return saved

    async def close(self) -> None:
        await self.operator.send(self.address, encoded("close(bool)", True))


@pytest_asyncio.fixture
async def savings(receiving: Receiving) -> Savings:
    operator = await unlocked(receiving.rpc, receiving.quotes.sender, 10**21)
    return Savings(operator, await operator.deploy((await creation_codes(SAVINGS))["Savings"]))


async def native_of(receiving: Receiving) -> int:
    return quantity(await receiving.rpc.call("eth_getBalance", [receiving.quotes.receiver, "latest"]))


def all_of(savings: Savings, token: str, owner: str) -> CallOnArrival:
    return CallOnArrival(savings.address, encoded("depositAll(address,address)", token, owner))


def usdc_there(receiving: Receiving) -> str:
    address: str = receiving.there.tokens["USDC"].address
    return address


async def quoted(receiving: Receiving, sold: str, bought: str, amount: int, **changes: Any) -> RouteAnswer:
    return await receiving.quotes.service.answer(receiving.ask(sold, bought, amount, **changes))


@pytest.mark.parametrize(
    ("sold", "bought", "amount"),
    [("USDC", "USDC", THOUSAND), ("DAI", "USDC", 500 * ONE), ("WETH", "WETH", ONE // 5)],
)
async def test_native_arrives_beside_the_output(receiving: Receiving, sold: str, bought: str, amount: int) -> None:
    answer = await quoted(receiving, sold, bought, amount, destination_gas=GAS)
    order, _, message = message_in(answer)
    said: Any = decode_message(message)
    brought = answer.gas_on_arrival
    assert brought is not None
    assert (said["outputToken"], said["minimum"], brought.minimum) == (NATIVE_EVM, GAS, GAS)
    (item,) = [each for each in answer.fees.items if each.type is FeeType.DESTINATION_GAS]
    (build,) = receiving.kept
    assert build.destination_call is not None
    # What the deposit brings is the output and what native costs, to the unit.
    assert build.destination_call.least == answer.min_output_amount + item.amount
    assert (item.token, order["minOutput"]) == (answer.destination_token, answer.min_output_amount)
    assert MAY_STOP in answer.trust_assumptions
    had, native = await receiving.has(bought), await native_of(receiving)
    transfer = await receiving.send(answer)
    assert (await receiving.told())[0] == COMPLETED
    gained = await native_of(receiving) - native
    assert gained >= GAS
    assert gained <= GAS * 104 // 100
    assert await receiving.has(bought) - had == answer.output_amount
    ended = await receiving.ended(transfer)
    assert (ended.state, ended.output_amount) == (TransferState.SUCCESS, answer.output_amount)
    assert (ended.raw or {})["destinationGas"] == str(gained)


async def test_native_that_got_dearer_leaves_all_of_the_bridged_token(receiving: Receiving) -> None:
    answer = await quoted(receiving, "USDC", "USDC", THOUSAND, destination_gas=GAS)
    (item,) = [each for each in answer.fees.items if each.type is FeeType.DESTINATION_GAS]
    # What native is bought from on the other chain is gone.
    await receiving.rpc.call("anvil_setCode", [receiving.there.contracts["weth9"], "0x60006000fd"])
    had, native = await receiving.has("USDC"), await native_of(receiving)
    transfer = await receiving.send(answer)
    assert (await receiving.told())[0] == RECOVERED
    assert await receiving.has("USDC") - had == answer.output_amount + item.amount
    assert await native_of(receiving) == native
    assert (await receiving.ended(transfer)).state is TransferState.RECOVERED


async def test_more_than_half_of_it_is_no_gas(receiving: Receiving) -> None:
    with pytest.raises(NoAvailableQuotes) as caught:
        await quoted(receiving, "USDC", "USDC", THOUSAND, destination_gas=10**18)
    assert "destinationGas costs more than half" in str(caught.value.details)
    # Without prices the bound is narrower.
    with pytest.raises(NoAvailableQuotes) as caught:
        await quoted(receiving, "USDC", "USDC", THOUSAND, destination_gas=10**17)
    assert "no price" in str(caught.value.details)


@pytest.mark.parametrize(("sold", "amount"), [("USDC", THOUSAND), ("DAI", 500 * ONE)])
async def test_a_call_has_what_arrives(receiving: Receiving, savings: Savings, sold: str, amount: int) -> None:
    receiver, usdc = receiving.quotes.receiver, usdc_there(receiving)
    call = all_of(savings, usdc, receiver)
    answer = await quoted(receiving, sold, "USDC", amount, destination_call=call)
    said: Any = decode_message(message_in(answer)[2])
    (operation,) = said["calls"]
    assert (operation["target"], operation["spender"]) == (savings.address.lower(), savings.address.lower())
    assert (operation["amount"], operation["data"]) == (answer.min_output_amount, call.data)
    assert said["minimum"] == 0
    had = await receiving.has("USDC")
    transfer = await receiving.send(answer)
    assert (await receiving.told())[0] == COMPLETED
    assert await savings.of(usdc, receiver) == answer.output_amount
    assert await receiving.has("USDC") == had
    ended = await receiving.ended(transfer)
    assert (ended.state, ended.output_amount) == (TransferState.SUCCESS, answer.output_amount)
    rest = encoded("allowance(address,address)", receiving.there.contracts["executor"], savings.address)
    assert await savings.operator.read(usdc, rest, "uint256") == (0,)


async def test_what_a_call_leaves_is_the_receivers_and_native_comes_with_it(
    receiving: Receiving, savings: Savings
) -> None:
    receiver, usdc = receiving.quotes.receiver, usdc_there(receiving)
    call = CallOnArrival(savings.address, encoded("deposit(address,uint256,address)", usdc, 900 * 10**6, receiver))
    answer = await quoted(receiving, "USDC", "USDC", THOUSAND, destination_call=call, destination_gas=GAS)
    had, native = await receiving.has("USDC"), await native_of(receiving)
    transfer = await receiving.send(answer)
    assert (await receiving.told())[0] == COMPLETED
    assert await savings.of(usdc, receiver) == 900 * 10**6
    assert await receiving.has("USDC") - had == answer.output_amount - 900 * 10**6
    assert await native_of(receiving) - native >= GAS
    assert (await receiving.ended(transfer)).output_amount == answer.output_amount


async def test_native_output_travels_with_the_call(receiving: Receiving, savings: Savings) -> None:
    receiver = receiving.quotes.receiver
    call = CallOnArrival(savings.address, encoded("depositNative(address)", receiver), 200_000)
    answer = await quoted(receiving, "ETH", "ETH", ONE // 5, destination_call=call)
    transfer = await receiving.send(answer)
    assert (await receiving.told())[0] == COMPLETED
    assert await savings.of(NATIVE_EVM, receiver) == answer.output_amount
    ended = await receiving.ended(transfer)
    assert (ended.state, ended.output_token) == (TransferState.SUCCESS, NATIVE_EVM)


async def test_a_call_that_fails_leaves_the_tokens(receiving: Receiving, savings: Savings) -> None:
    receiver, usdc = receiving.quotes.receiver, usdc_there(receiving)
    answer = await quoted(receiving, "USDC", "USDC", THOUSAND, destination_call=all_of(savings, usdc, receiver))
    await savings.close()
    had = await receiving.has("USDC")
    transfer = await receiving.send(answer)
    assert (await receiving.told())[0] == RECOVERED
    assert await receiving.has("USDC") - had == answer.output_amount
    assert await savings.of(usdc, receiver) == 0
    ended = await receiving.ended(transfer)
    assert (ended.state, ended.output_amount) == (TransferState.RECOVERED, answer.output_amount)
    # And nothing that is known to fail is handed out, with the target's own reason.
    with pytest.raises(NoAvailableQuotes) as caught:
        await quoted(receiving, "USDC", "USDC", THOUSAND, destination_call=all_of(savings, usdc, receiver))
    assert "the call on arrival fails on Sandbox B" in str(caught.value.details)


async def test_targets_that_are_never_called(receiving: Receiving, savings: Savings) -> None:
    there = receiving.there.contracts
    pool = next(name for name in there if "spoke" in name.lower() or name == "across")
    targets = [usdc_there(receiving), there[pool], receiving.quotes.receiver, there["receiver"], there["executor"]]
    for target in targets:
        with pytest.raises(InvalidRequest) as caught:
            await quoted(
                receiving, "USDC", "USDC", THOUSAND, destination_call=CallOnArrival(target, b"\x12\x34\x56\x78")
            )
        assert caught.value.faults[0].startswith("destinationCall.target: "), target


async def test_a_call_is_never_offered_without_a_run_of_it(receiving: Receiving, savings: Savings) -> None:
    service = receiving.unrehearsed()
    call = all_of(savings, usdc_there(receiving), receiving.quotes.receiver)
    with pytest.raises(NoAvailableQuotes):
        await service.answer(receiving.ask("USDC", "USDC", THOUSAND, destination_call=call))
    # Gas is: pools and minimum are our own.
    plain = await service.answer(receiving.ask("USDC", "USDC", THOUSAND, destination_gas=GAS))
    assert plain.gas_on_arrival is not None


async def test_routes_offer_it_as_one_step_and_no_longer_ones(receiving: Receiving) -> None:
    planner = Planner(receiving.quotes.service, (KEY,))
    plans = await planner.routes(receiving.ask("DAI", "USDC", 500 * ONE, destination_gas=GAS), 10)
    (plan,) = plans
    (step,) = plan.steps
    assert step.gas_on_arrival is not None
    symbols = [(part.origin_token.symbol, part.destination_token.symbol) for part in step.parts]
    assert symbols == [("DAI", "USDC"), ("USDC", "USDC"), ("USDC", "ETH")]


async def test_a_bridge_that_cannot_is_not_asked(receiving: Receiving) -> None:
    offers = await receiving.quotes.service.gather(
        await receiving.quotes.service.prepare(receiving.ask("USDC", "USDC", THOUSAND, destination_gas=GAS))
    )
    assert all(isinstance(each.quote.request.destination_gas, int) for each in offers.offers)
    assert {offer.quote.adapter for offer in offers.offers} == {"ACROSS"}
    assert isinstance(receiving.kept, list)


def test_the_transaction_is_of_a_kind_that_wallets_sign() -> None:
    assert EvmTransaction(1, NATIVE_EVM, 0, b"").work_after is None
