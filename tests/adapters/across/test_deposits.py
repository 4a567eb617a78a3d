"""Which deposit is a transfer's: the pinned pool's that agrees with it, and in the right place."""

from dataclasses import replace
from typing import Any

import pytest

from rhumbline.adapters.across.logs import OWN_ENDS
from rhumbline.devnet.evm.operator import encoded
from rhumbline.domain.tracking import TransferState
from rhumbline.domain.transaction import CallKind, EvmTransaction
from rhumbline.gateways.evm.abi import topic
from rhumbline.routing.evm.bridge_call import BridgeOrder, bridge_call
from rhumbline.tracking.evm.logs import BRIDGE_STARTED, SWAPPED
from tests.adapters.across.bridge_fixture import STRANGER, BridgeFixture, state
from tests.adapters.adapter_fixture import RECEIVER

CLAIMS: list[dict[str, Any]] = [
    {"refund_to": STRANGER},
    {"receiver": STRANGER},
    {"sent_amount": 1_000 * 10**6 - 1},
    {"min_output": 1_000 * 10**6},
    {"sent_token": STRANGER},
    {"output_token": STRANGER},
    {"tx_hash": "0x" + "77" * 32},
    {"log_index": 0},
]


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: next(iter(claim)))
async def test_a_deposit_that_does_not_agree_is_nobody_s(bridge_fixture: BridgeFixture, claim: dict[str, Any]) -> None:
    transfer, relay = await bridge_fixture.deposited()
    await bridge_fixture.fill(relay)
    status = await bridge_fixture.adapter.status(replace(transfer, **claim))
    assert status.state is TransferState.UNKNOWN
    assert [asked for asked in bridge_fixture.emulator.requests if asked.path == "/deposit/status"] == []


async def test_of_several_deposits_the_nearest_before_our_event(bridge_fixture: BridgeFixture) -> None:
    """One transaction, three deposits; each event of ours belongs to the one right before it."""
    request = bridge_fixture.asked()
    built = [(await bridge_fixture.quoted(request)) for _ in range(3)]
    handler = bridge_fixture.sandbox.evm_chains[0].contracts["multicall3"]
    usdc = bridge_fixture.token("sbxa", "USDC")
    await bridge_fixture.send("sbxa", usdc, encoded("transfer(address,uint256)", handler, 3 * 10**9))
    calls = [(usdc, encoded("approve(address,uint256)", bridge_fixture.pool, 3 * 10**9))]
    calls += [(transaction.to, transaction.data) for _, transaction in built]
    tx_hash = await bridge_fixture.send(
        "sbxa", handler, encoded("aggregate3((address,bool,bytes)[])", [(to, False, data) for to, data in calls])
    )
    relays = await bridge_fixture.relays(tx_hash)
    receipt: Any = await bridge_fixture.rpcs["sbxa"].call("eth_getTransactionReceipt", [tx_hash])
    places = [
        int(log["logIndex"], 16) for log in receipt["logs"] if log["address"].lower() == bridge_fixture.pool.lower()
    ]
    transfer = bridge_fixture.begun(*built[0], tx_hash)
    filled_by = await bridge_fixture.fill(relays[1])
    states = [await state(bridge_fixture, replace(transfer, log_index=place + 1)) for place in places]
    assert states == [TransferState.BRIDGE_PENDING, TransferState.SUCCESS, TransferState.BRIDGE_PENDING]
    # The deposit's own log names it as well; before the first there is none.
    assert await state(bridge_fixture, replace(transfer, log_index=places[1])) is TransferState.SUCCESS
    assert await state(bridge_fixture, replace(transfer, log_index=places[0] - 1)) is TransferState.UNKNOWN
    found = await bridge_fixture.adapter.status(replace(transfer, log_index=places[1]))
    assert found.destination_tx_hash == filled_by


async def test_one_deposit_proves_one_transfer(bridge_fixture: BridgeFixture) -> None:
    """A contract calls the Diamond twice: an honest deposit, then the same claims over a payment to somebody."""
    amount = 10**9
    handler = bridge_fixture.sandbox.evm_chains[0].contracts["multicall3"]
    usdc = bridge_fixture.token("sbxa", "USDC")
    request = replace(bridge_fixture.request(("sbxa", "USDC"), ("sbxb", "USDC"), amount, direct=False), sender=handler)
    quote, upstream = await bridge_fixture.quoted(request)
    order = BridgeOrder(
        id=bytes(31) + b"\x01", chain=request.origin, destination=request.destination, integrator=None,
        adapter=quote.adapter, receiver=RECEIVER, input_token=usdc, amount=amount, net=amount, sent=amount,
        output_token=request.destination_token.address, expected_output=quote.output_amount,
        min_output=quote.output_amount, refund_to=handler, reference=None, deadline=request.deadline,
        native_fee=quote.native_fee, charges=(),
    )  # fmt: skip
    honest = bridge_call(order, upstream)
    payment = EvmTransaction(request.origin.id, STRANGER, 0, b"", None, CallKind.PAY)
    claim = bridge_call(replace(order, id=bytes(31) + b"\x02"), payment)
    await bridge_fixture.send("sbxa", usdc, encoded("transfer(address,uint256)", handler, 2 * amount))
    calls = [(usdc, encoded("approve(address,uint256)", honest.to, 2 * amount))]
    calls += [(call.to, call.data) for call in (honest, claim)]
    tx_hash = await bridge_fixture.send(
        "sbxa", handler, encoded("aggregate3((address,bool,bytes)[])", [(to, False, data) for to, data in calls])
    )
    (relay,) = await bridge_fixture.relays(tx_hash)
    await bridge_fixture.fill(relay)
    receipt: Any = await bridge_fixture.rpcs["sbxa"].call("eth_getTransactionReceipt", [tx_hash])
    started = "0x" + topic(BRIDGE_STARTED).hex()
    places = [int(log["logIndex"], 16) for log in receipt["logs"] if log["topics"][0] == started]
    transfer = replace(bridge_fixture.begun(quote, upstream, tx_hash), sender=handler, refund_to=handler)
    states = [await state(bridge_fixture, replace(transfer, log_index=place)) for place in places]
    assert states == [TransferState.SUCCESS, TransferState.UNKNOWN]


def test_the_diamond_s_events_are_the_ones_that_are_followed() -> None:
    assert frozenset({topic(SWAPPED), topic(BRIDGE_STARTED)}) == OWN_ENDS


async def test_a_reverted_deposit_is_unknown(bridge_fixture: BridgeFixture) -> None:
    transfer, _ = await bridge_fixture.deposited()
    request = bridge_fixture.asked()
    _, built = await bridge_fixture.quoted(request)
    call = {
        "from": bridge_fixture.account,
        "to": built.to,
        "data": "0x" + built.data.hex(),
        "gas": hex(500_000),
    }
    receipt: Any = await bridge_fixture.rpcs["sbxa"].call("eth_sendTransactionSync", [call])
    assert receipt["status"] == "0x0"
    assert await state(bridge_fixture, replace(transfer, tx_hash=receipt["transactionHash"])) is TransferState.UNKNOWN
