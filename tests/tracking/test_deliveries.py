"""What is read of a delivery: what cannot be is not shown, and what no node tells yet is read later."""

from typing import Any

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.domain.tracking import TransferState
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.nodes.evm.rpc import EvmRpc
from tests.tracking.crossings import DEPOSIT, OUTPUT
from tests.tracking.market import Market
from tests.tracking.test_status_worker import Hands, Scripted, one, poller, says, started


@pytest.mark.parametrize(
    "lie",
    [
        {"destination_tx_hash": "0x12"},
        {"destination_tx_hash": "0x" + "ab" * 4000},
        {"destination_tx_hash": "a\x00b"},
        {"output_amount": -5},
        {"output_amount": 0},
        {"output_amount": 2**256},
        {"output_amount": 7, "output_token": "0x12"},
        {"output_amount": 7, "output_token": DEPOSIT},
        {"output_amount": 7, "output_token": NATIVE_EVM},
    ],
)
async def test_what_cannot_be_is_not_shown(market: Market, store_engine: AsyncEngine, lie: dict[str, Any]) -> None:
    await started(market, store_engine)
    bridge = Scripted(says(TransferState.SUCCESS, **lie))
    await poller(market, store_engine, bridge, Hands()).poll("TOYBRIDGE")
    record = await one(store_engine)
    assert (record["status"], record["next_bridge_check_at"]) == ("success", None)
    # Of the amount nothing is known but what was guaranteed.
    output = {"address": OUTPUT, "raw": "490", "symbol": "OUT", "decimals": 6}
    assert (record["dest_tx_hash"], record["output"], record["dest_time"]) == (None, output, None)


async def test_what_was_recovered_may_be_another_token(market: Market, store_engine: AsyncEngine) -> None:
    await started(market, store_engine)
    bridge = Scripted(says(TransferState.RECOVERED, output_amount=7, output_token=DEPOSIT.lower()))
    await poller(market, store_engine, bridge, Hands()).poll("TOYBRIDGE")
    assert (await one(store_engine))["output"] == {"address": DEPOSIT, "raw": "7"}


async def test_a_delivery_that_cannot_be_read_yet_is_read_later(
    market: Market, store_engine: AsyncEngine, http: HttpClient
) -> None:
    await started(market, store_engine)
    clock, bridge = (
        Hands(),
        Scripted(says(TransferState.SUCCESS, destination_tx_hash="0x" + "ab" * 32, output_amount=7)),
    )
    down = EvmRpc("http://127.0.0.1:1", http, "down")
    await poller(market, store_engine, bridge, clock, down).poll("TOYBRIDGE")
    record = await one(store_engine)
    assert (record["status"], record["dest_tx_hash"]) == ("success", "0x" + "ab" * 32)
    assert record["next_bridge_check_at"] is not None
    clock.move(seconds=10)
    await poller(market, store_engine, bridge, clock).poll("TOYBRIDGE")
    record = await one(store_engine)
    assert record["next_bridge_check_at"] is None
    assert record["output"] == {"address": OUTPUT, "raw": "7", "symbol": "OUT", "decimals": 6}
