"""Transactions that delivered something on an EVM chain."""

from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.domain.tracking import TransferState
from tests.tracking.market import Market
from tests.tracking.node import PASS, Node
from tests.tracking.test_status_worker import Hands, Scripted, one, poller, says, started


async def test_a_call_that_failed_delivered_nothing(market: Market, store_engine: AsyncEngine, node: Node) -> None:
    await started(market, store_engine)
    arrived = await market.send(market.accounts[0], market.accounts[1], b"", 1)
    receipt = await market.receipt(arrived)
    node.answer = lambda method, params: {"result": {**receipt, "status": "0x0"}} if params == [arrived] else PASS
    bridge = Scripted(says(TransferState.SUCCESS, destination_tx_hash=arrived))
    await poller(market, store_engine, bridge, Hands(), node.rpc).poll("TOYBRIDGE")
    record = await one(store_engine)
    assert (record["status"], record["dest_tx_hash"], record["dest_time"]) == ("success", None, None)


async def test_the_l1_part_of_the_gas_fee_counts_on_the_destination_too(
    market: Market, store_engine: AsyncEngine, node: Node
) -> None:
    await started(market, store_engine)
    arrived = await market.send(market.accounts[0], market.accounts[1], b"", 1)
    receipt = await market.receipt(arrived)
    node.answer = lambda method, params: {"result": {**receipt, "l1Fee": "0x3e8"}} if params == [arrived] else PASS
    bridge = Scripted(says(TransferState.SUCCESS, destination_tx_hash=arrived))
    await poller(market, store_engine, bridge, Hands(), node.rpc).poll("TOYBRIDGE")
    paid = int(str(receipt["gasUsed"]), 16) * int(str(receipt["effectiveGasPrice"]), 16)
    fee = (await one(store_engine))["dest_gas_fee"]
    assert isinstance(fee, dict)
    assert fee["raw"] == str(paid + 1000)
