"""Native and a call on arrival beside an output that no bridge carries: it is swapped into first, all under one end."""

from dataclasses import replace
from typing import Any

import pytest

from rhumbline.devnet.evm.operator import encoded
from rhumbline.domain.arrival import CallOnArrival
from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.domain.errors import NoAvailableQuotes
from rhumbline.domain.fee import FeeType
from rhumbline.domain.tracking import TransferState
from rhumbline.routing.planner import Planner
from tests.routing.evm.test_arrival import (
    GAS,
    ONE,
    THOUSAND,
    Savings,
    all_of,
    crossing,
    native_of,
    quoted,
    receiving,
    savings,
)
from tests.routing.quote_fixture import KEY
from tests.routing.receiving import COMPLETED, RECOVERED, Receiving, decode_message, message_in

__all__ = ["crossing", "receiving", "savings"]
PAY, POOLS, UNWRAP = 3, 4, 2


def wbtc_there(receiving: Receiving) -> str:
    address: str = receiving.there.tokens["WBTC"].address
    return address


@pytest.mark.parametrize(("sold", "amount"), [("DAI", 500 * ONE), ("USDT", THOUSAND)])
async def test_native_arrives_beside_what_was_swapped_into(receiving: Receiving, sold: str, amount: int) -> None:
    plain = await quoted(receiving, sold, "WBTC", amount)
    answer = await quoted(receiving, sold, "WBTC", amount, destination_gas=GAS)
    order, _, message = message_in(answer)
    said: Any = decode_message(message)
    assert (said["outputToken"], said["minimum"]) == (wbtc_there(receiving).lower(), answer.min_output_amount)
    assert order["minOutput"] == answer.min_output_amount
    bought, paid, swapped = said["calls"]
    assert [each["kind"] for each in said["calls"]] == [POOLS, PAY, POOLS]
    assert (paid["target"], paid["token"], paid["amount"]) == (receiving.quotes.receiver.lower(), NATIVE_EVM, GAS)
    (item,) = [each for each in answer.fees.items if each.type is FeeType.DESTINATION_GAS]
    build = receiving.kept[-1]
    assert build.destination_call is not None
    assert build.destination_call.least == bought["amount"] + swapped["amount"] == item.amount + swapped["amount"]
    assert item.token.address == build.destination_call.token
    # What it costs is off the output, to some ten thousandths: both swaps go through the same pools.
    brought = answer.gas_on_arrival
    assert brought is not None
    assert abs(plain.output_amount - answer.output_amount - brought.cost) * 2_000 < plain.output_amount
    had, native = await receiving.has("WBTC"), await native_of(receiving)
    transfer = await receiving.send(answer)
    assert (await receiving.told())[0] == COMPLETED
    gained = await receiving.has("WBTC") - had
    assert gained >= answer.min_output_amount
    assert GAS <= await native_of(receiving) - native <= GAS * 104 // 100
    ended = await receiving.ended(transfer)
    assert (ended.state, ended.output_token, ended.output_amount) == (
        TransferState.SUCCESS, wbtc_there(receiving), gained,
    )  # fmt: skip
    assert (ended.raw or {})["destinationGas"] == str(GAS)


async def test_a_call_has_what_was_swapped_into(receiving: Receiving, savings: Savings) -> None:
    receiver, wbtc = receiving.quotes.receiver, wbtc_there(receiving)
    answer = await quoted(
        receiving, "DAI", "WBTC", 500 * ONE, destination_call=all_of(savings, wbtc, receiver), destination_gas=GAS
    )
    said: Any = decode_message(message_in(answer)[2])
    called = said["calls"][-1]
    assert (called["target"], called["spender"], called["token"]) == (
        savings.address.lower(), savings.address.lower(), wbtc.lower(),
    )  # fmt: skip
    assert (called["amount"], said["minimum"]) == (answer.min_output_amount, 0)
    had, native = await receiving.has("WBTC"), await native_of(receiving)
    transfer = await receiving.send(answer)
    assert (await receiving.told())[0] == COMPLETED
    assert await savings.of(wbtc, receiver) == answer.min_output_amount
    # What the pools brought beyond the minimum is the receiver's.
    beyond = await receiving.has("WBTC") - had
    assert beyond > 0
    assert abs(answer.min_output_amount + beyond - answer.output_amount) * 1_000 <= answer.output_amount
    assert await native_of(receiving) - native >= GAS
    ended = await receiving.ended(transfer)
    assert (ended.state, ended.output_token, ended.output_amount) == (
        TransferState.SUCCESS, wbtc, answer.min_output_amount,
    )  # fmt: skip
    assert (ended.raw or {})["destinationGas"] == str(GAS)
    rest = encoded("allowance(address,address)", receiving.there.contracts["executor"], savings.address)
    assert await savings.operator.read(wbtc, rest, "uint256") == (0,)
    for symbol in ("WBTC", "USDC", "USDT"):
        there = encoded("balanceOf(address)", receiving.there.contracts["executor"])
        assert await savings.operator.read(receiving.there.tokens[symbol].address, there, "uint256") == (0,), symbol


async def test_native_that_was_swapped_into_travels_with_the_call(receiving: Receiving, savings: Savings) -> None:
    receiver = receiving.quotes.receiver
    call = CallOnArrival(savings.address, encoded("depositNative(address)", receiver), 200_000)
    answer = await quoted(receiving, "USDC", "ETH", THOUSAND, destination_call=call)
    said: Any = decode_message(message_in(answer)[2])
    assert (said["outputToken"], said["minimum"]) == (NATIVE_EVM, 0)
    transfer = await receiving.send(answer)
    assert (await receiving.told())[0] == COMPLETED
    assert await savings.of(NATIVE_EVM, receiver) == answer.min_output_amount
    ended = await receiving.ended(transfer)
    assert (ended.state, ended.output_token, ended.output_amount) == (
        TransferState.SUCCESS, NATIVE_EVM, answer.min_output_amount,
    )  # fmt: skip


@pytest.mark.parametrize("failing", ["pools", "call"])
async def test_what_fails_leaves_all_of_the_bridged_token(receiving: Receiving, savings: Savings, failing: str) -> None:
    receiver, wbtc = receiving.quotes.receiver, wbtc_there(receiving)
    call = all_of(savings, wbtc, receiver) if failing == "call" else None
    answer = await quoted(receiving, "DAI", "WBTC", 500 * ONE, destination_gas=GAS, destination_call=call)
    build = receiving.kept[-1]
    assert build.destination_call is not None
    bridged = next(
        name for name, each in receiving.there.tokens.items() if each.address == build.destination_call.token
    )
    had, bought, native = await receiving.has(bridged), await receiving.has("WBTC"), await native_of(receiving)
    await (savings.close() if failing == "call" else receiving.move_pools(300_000 * 10**6))
    transfer = await receiving.send(answer)
    assert (await receiving.told())[0] == RECOVERED
    assert await receiving.has(bridged) - had == build.destination_call.least
    assert (await receiving.has("WBTC"), await native_of(receiving)) == (bought, native)
    assert await savings.of(wbtc, receiver) == 0
    ended = await receiving.ended(transfer)
    assert (ended.state, ended.output_amount) == (TransferState.RECOVERED, build.destination_call.least)
    assert "destinationGas" not in (ended.raw or {})
    if failing == "call":
        with pytest.raises(NoAvailableQuotes) as caught:
            await quoted(receiving, "DAI", "WBTC", 500 * ONE, destination_call=call)
        assert "the call on arrival fails on Sandbox B" in str(caught.value.details)


async def test_what_is_too_much_for_a_message_is_refused_with_the_reason(
    receiving: Receiving, savings: Savings
) -> None:
    data = all_of(savings, wbtc_there(receiving), receiving.quotes.receiver).data
    for call, reason in (
        (CallOnArrival(savings.address, data + bytes(1_400)), "shorten destinationCall.calldata"),
        (CallOnArrival(savings.address, data, 2_500_000), "destinationCall.gas: at most"),
    ):
        with pytest.raises(NoAvailableQuotes) as caught:
            await quoted(receiving, "DAI", "WBTC", 500 * ONE, destination_gas=GAS, destination_call=call)
        assert reason in str(caught.value.details)
    with pytest.raises(NoAvailableQuotes) as caught:
        await quoted(receiving, "DAI", "WBTC", 500 * ONE, destination_gas=ONE)
    assert "destinationGas costs more than half" in str(caught.value.details)


async def test_without_a_run_there_is_gas_and_no_call(receiving: Receiving, savings: Savings) -> None:
    service = receiving.unrehearsed()
    call = all_of(savings, wbtc_there(receiving), receiving.quotes.receiver)
    with pytest.raises(NoAvailableQuotes):
        await service.answer(receiving.ask("USDC", "WBTC", THOUSAND, destination_call=call))
    answer = await service.answer(receiving.ask("USDC", "WBTC", THOUSAND, destination_gas=GAS))
    await receiving.send(answer)
    assert (await receiving.told())[0] == COMPLETED


async def test_a_route_has_it_in_one_step_with_all_its_parts(receiving: Receiving) -> None:
    planner = Planner(receiving.quotes.service, (KEY,))
    request = receiving.ask("DAI", "WBTC", 500 * ONE, destination_gas=GAS)
    (plan,) = await planner.routes(request, 10)
    (step,) = plan.steps
    symbols = [(part.origin_token.symbol, part.destination_token.symbol) for part in step.parts]
    assert symbols == [("DAI", "USDC"), ("USDC", "USDC"), ("USDC", "ETH"), ("USDC", "WBTC")]
    # A placeholder sees what a wallet would.
    shown = await receiving.quotes.service.answer(replace(request, sender=NATIVE_EVM, receiver=NATIVE_EVM))
    assert shown.gas_on_arrival is not None
    assert receiving.kept == []
