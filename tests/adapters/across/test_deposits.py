"""Which deposit is a transfer's: the pinned pool's that agrees with it, and in the right place."""

from dataclasses import replace
from typing import Any

import pytest

from rhumbline.devnet.operator import encoded
from rhumbline.domain.tracking import TransferState
from tests.adapters.across.pier import STRANGER, Pier, state

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
    assert found.dest_tx_hash == filled_by


async def test_a_reverted_deposit_is_unknown(pier: Pier) -> None:
    transfer, _ = await pier.deposited()
    request = pier.desk.request(("sbxa", "USDC"), ("sbxb", "USDC"), 10**9)
    _, built = await pier.desk.built(await pier.adapter.quote(request))
    call = {"from": pier.desk.account, "to": built.to, "data": "0x" + built.data.hex(), "gas": hex(500_000)}
    receipt: Any = await pier.desk.rpcs["sbxa"].call("eth_sendTransactionSync", [call])
    assert receipt["status"] == "0x0"
    assert await state(pier, replace(transfer, tx_hash=receipt["transactionHash"])) is TransferState.UNKNOWN
