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
from tests.adapters.across.pier import STRANGER, Pier, state
from tests.adapters.bridging.desk import RECEIVER

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
async def test_a_deposit_that_does_not_agree_is_nobody_s(pier: Pier, claim: dict[str, Any]) -> None:
    transfer, relay = await pier.deposited()
    await pier.fill(relay)
    status = await pier.adapter.status(replace(transfer, **claim))
    assert status.state is TransferState.UNKNOWN
    assert [asked for asked in pier.desk.emulator.requests if asked.path == "/deposit/status"] == []


async def test_of_several_deposits_the_nearest_before_our_event(pier: Pier) -> None:
    """One transaction, three deposits; each event of ours belongs to the one right before it."""
    request = pier.desk.request(("sbxa", "USDC"), ("sbxb", "USDC"), 10**9)
    built = [(await pier.desk.built(await pier.adapter.quote(request))) for _ in range(3)]
    handler = pier.sandbox.chains[0].contracts["multicall3"]
    usdc = pier.token("sbxa", "USDC")
    await pier.desk.send("sbxa", usdc, encoded("transfer(address,uint256)", handler, 3 * 10**9))
    calls = [(usdc, encoded("approve(address,uint256)", pier.pool, 3 * 10**9))]
    calls += [(transaction.to, transaction.data) for _, transaction in built]
    tx_hash = await pier.desk.send(
        "sbxa", handler, encoded("aggregate3((address,bool,bytes)[])", [(to, False, data) for to, data in calls])
    )
    relays = await pier.relays(tx_hash)
    receipt: Any = await pier.desk.rpcs["sbxa"].call("eth_getTransactionReceipt", [tx_hash])
    places = [int(log["logIndex"], 16) for log in receipt["logs"] if log["address"].lower() == pier.pool.lower()]
    transfer = pier.desk.begun(*built[0], tx_hash)
    filled_by = await pier.fill(relays[1])
    states = [await state(pier, replace(transfer, log_index=place + 1)) for place in places]
    assert states == [TransferState.BRIDGE_PENDING, TransferState.SUCCESS, TransferState.BRIDGE_PENDING]
    # The deposit's own log names it as well; before the first there is none.
    assert await state(pier, replace(transfer, log_index=places[1])) is TransferState.SUCCESS
    assert await state(pier, replace(transfer, log_index=places[0] - 1)) is TransferState.UNKNOWN
    found = await pier.adapter.status(replace(transfer, log_index=places[1]))
    assert found.destination_tx_hash == filled_by


async def test_one_deposit_proves_one_transfer(pier: Pier) -> None:
    """A contract calls the Diamond twice: an honest deposit, then the same claims over a payment to somebody."""
    amount = 10**9
    handler = pier.sandbox.chains[0].contracts["multicall3"]
    usdc = pier.token("sbxa", "USDC")
    request = replace(pier.desk.request(("sbxa", "USDC"), ("sbxb", "USDC"), amount, direct=False), sender=handler)
    quote, upstream = await pier.desk.built(await pier.adapter.quote(request))
    order = BridgeOrder(
        bytes(31) + b"\x01", request.origin, request.destination, None, quote.adapter, RECEIVER,
        usdc, amount, amount, amount, request.destination_token.address, quote.output_amount,
        quote.output_amount, handler, None, request.deadline, quote.native_fee, (),
    )  # fmt: skip
    honest = bridge_call(order, upstream)
    payment = EvmTransaction(request.origin.id, STRANGER, 0, b"", None, CallKind.PAY)
    claim = bridge_call(replace(order, id=bytes(31) + b"\x02"), payment)
    await pier.desk.send("sbxa", usdc, encoded("transfer(address,uint256)", handler, 2 * amount))
    calls = [(usdc, encoded("approve(address,uint256)", honest.to, 2 * amount))]
    calls += [(call.to, call.data) for call in (honest, claim)]
    tx_hash = await pier.desk.send(
        "sbxa", handler, encoded("aggregate3((address,bool,bytes)[])", [(to, False, data) for to, data in calls])
    )
    (relay,) = await pier.relays(tx_hash)
    await pier.fill(relay)
    receipt: Any = await pier.desk.rpcs["sbxa"].call("eth_getTransactionReceipt", [tx_hash])
    started = "0x" + topic(BRIDGE_STARTED).hex()
    places = [int(log["logIndex"], 16) for log in receipt["logs"] if log["topics"][0] == started]
    transfer = replace(pier.desk.begun(quote, upstream, tx_hash), sender=handler, refund_to=handler)
    states = [await state(pier, replace(transfer, log_index=place)) for place in places]
    assert states == [TransferState.SUCCESS, TransferState.UNKNOWN]


def test_the_diamond_s_events_are_the_ones_that_are_followed() -> None:
    assert frozenset({topic(SWAPPED), topic(BRIDGE_STARTED)}) == OWN_ENDS


async def test_a_reverted_deposit_is_unknown(pier: Pier) -> None:
    transfer, _ = await pier.deposited()
    request = pier.desk.request(("sbxa", "USDC"), ("sbxb", "USDC"), 10**9)
    _, built = await pier.desk.built(await pier.adapter.quote(request))
    call = {"from": pier.desk.account, "to": built.to, "data": "0x" + built.data.hex(), "gas": hex(500_000)}
    receipt: Any = await pier.desk.rpcs["sbxa"].call("eth_sendTransactionSync", [call])
    assert receipt["status"] == "0x0"
    assert await state(pier, replace(transfer, tx_hash=receipt["transactionHash"])) is TransferState.UNKNOWN
