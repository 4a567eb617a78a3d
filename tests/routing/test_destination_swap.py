"""Swap, Across and another swap under one signature: delivered by the sandbox's relayer, or recovered."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio

from rhumbline.adapters.across import SPEC
from rhumbline.adapters.across.adapter import AcrossAdapter
from rhumbline.devnet.upstreams.across import Across
from rhumbline.devnet.upstreams.emulator import Outcome
from rhumbline.domain.simulation import ExecutionStatus
from tests.adapters.bridging.adapter_fixture import open_desk
from tests.routing.receiving import COMPLETED, RECOVERED, Receiving, decode_message, message_in, receiving_on
from tests.routing.test_bridging import Crossing, crossing

__all__ = ["crossing"]
THOUSAND, ONE = 1_000 * 10**6, 10**18


@pytest_asyncio.fixture
async def receiving(crossing: Crossing, restored_sandbox: Any) -> AsyncIterator[Receiving]:
    async with open_desk(restored_sandbox, SPEC, Across) as desk:
        desk.emulator.behaviour.outcome = Outcome.DELIVER
        assert isinstance(desk.adapter, AcrossAdapter)
        yield receiving_on(crossing, desk.adapter, desk.emulator, desk.rpcs["sbxb"])


@pytest.mark.parametrize(
    ("sold", "amount", "arrives", "swaps"),
    [
        ("DAI", 500 * ONE, "USDC", 1),
        ("ETH", ONE // 5, "USDC", 1),
        ("USDT", THOUSAND, "USDT", 0),
        ("USDC", THOUSAND, "USDC", 0),
    ],
)
async def test_one_signature_delivers_what_no_bridge_carries(
    receiving: Receiving, sold: str, amount: int, arrives: str, swaps: int
) -> None:
    answer = await receiving.quotes.service.answer(receiving.ask(sold, "WBTC", amount))
    order, operations, message = message_in(answer)
    said: Any = decode_message(message)
    assert (answer.adapter, len(operations)) == ("ACROSS", 1 + swaps)
    assert order["hasDestCall"] is True
    assert (order["minOutput"], said["minimum"]) == (answer.min_output_amount, answer.min_output_amount)
    assert "0x" + said["id"].hex() == answer.transaction_id
    assert said["receiver"] == receiving.quotes.receiver.lower()
    assert answer.simulation is not None
    assert answer.simulation.result.status is ExecutionStatus.SUCCESS
    (build,) = receiving.kept
    assert build.destination_call is not None
    assert build.destination_call.message == message
    assert build.destination_call.token == receiving.there.tokens[arrives].address
    assert (build.receiver, build.output_token) == (receiving.quotes.receiver, answer.request.destination_token)
    bought, bridged = await receiving.has("WBTC"), await receiving.has(arrives)
    await receiving.send(answer)
    assert await receiving.told() == [COMPLETED, said["id"], bytes(12) + bytes.fromhex(said["receiver"][2:])]
    gained = await receiving.has("WBTC") - bought
    assert gained == answer.output_amount
    assert await receiving.has(arrives) == bridged


async def test_a_swap_that_fails_leaves_the_bridged_token(receiving: Receiving) -> None:
    """The pools move after the quote: the minimum is missed, and the receiver has what was bridged."""
    answer = await receiving.quotes.service.answer(receiving.ask("DAI", "WBTC", 500 * ONE))
    (build,) = receiving.kept
    bought, bridged = await receiving.has("WBTC"), await receiving.has("USDC")
    await receiving.move_pools(300_000 * 10**6)
    await receiving.send(answer)
    assert (await receiving.told())[0] == RECOVERED
    assert build.destination_call is not None
    assert await receiving.has("USDC") == bridged + build.destination_call.least
    assert await receiving.has("WBTC") == bought
