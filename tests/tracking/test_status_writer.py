"""When a bridge is asked no more: not before what arrived, and at whom, was read as far as it can be."""

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.domain.tracking import StatusSource, TransferState
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.nodes.evm.rpc import EvmRpc
from tests.tracking.crossings import OUTPUT
from tests.tracking.market import Market
from tests.tracking.test_status_worker import PROOF, WORD, Hands, Scripted, one, poller, says, started

TOKENS = {"address": OUTPUT, "raw": "497", "symbol": "OUT", "decimals": 6}


@pytest.mark.parametrize("state", [TransferState.UNKNOWN, TransferState.BRIDGE_PENDING, TransferState.REFUNDED])
async def test_an_answer_that_ended_nothing_ends_no_asking(
    market: Market, store_engine: AsyncEngine, http: HttpClient, state: TransferState
) -> None:
    """Delivered, says the bridge, while the destination's node is down; then for once it says something else."""
    await started(market, store_engine)
    arrived = await market.send(market.accounts[0], market.accounts[1], b"", 1)
    delivered = says(TransferState.SUCCESS, destination_tx_hash=arrived, output_amount=497)
    clock, bridge = Hands(), Scripted(delivered)
    down = EvmRpc("http://127.0.0.1:1", http, "down")
    await poller(market, store_engine, bridge, clock, down).poll("TOYBRIDGE")
    chain_indexer = poller(market, store_engine, bridge, clock)
    for answer, is_read in ((says(state), False), (delivered, True)):
        clock.move(seconds=10)
        bridge.answer = answer
        await chain_indexer.poll("TOYBRIDGE")
        record = await one(store_engine)
        assert record["status"] == "success"
        assert (record["next_bridge_check_at"] is None) is is_read
        assert (record["dest_time"] is not None) is is_read
    assert record["output"] == TOKENS


@pytest.mark.parametrize(
    ("state", "source"),
    [
        (TransferState.BRIDGE_PENDING, WORD),
        (TransferState.UNKNOWN, WORD),
        (TransferState.SUCCESS, WORD),
        (TransferState.SUCCESS, PROOF),
    ],
)
async def test_a_proof_without_its_amount_is_waited_for_whatever_is_said_next(
    market: Market, store_engine: AsyncEngine, state: TransferState, source: StatusSource
) -> None:
    await started(market, store_engine)
    arrived = await market.send(market.accounts[0], market.accounts[1], b"", 1)
    clock, bridge = Hands(), Scripted(says(TransferState.SUCCESS, PROOF))
    chain_indexer = poller(market, store_engine, bridge, clock)
    for answer in (bridge.answer, says(state, source)):
        bridge.answer = answer
        await chain_indexer.poll("TOYBRIDGE")
        assert (await one(store_engine))["next_bridge_check_at"] is not None
        clock.move(seconds=10)
    bridge.answer = says(TransferState.SUCCESS, PROOF, destination_tx_hash=arrived, output_amount=497)
    await chain_indexer.poll("TOYBRIDGE")
    record = await one(store_engine)
    assert (record["dest_tx_hash"], record["output"], record["next_bridge_check_at"]) == (arrived, TOKENS, None)


async def test_it_is_waited_for_an_hour(market: Market, store_engine: AsyncEngine) -> None:
    await started(market, store_engine)
    clock, bridge = Hands(), Scripted(says(TransferState.SUCCESS, PROOF))
    clock.move(minutes=61)
    await poller(market, store_engine, bridge, clock).poll("TOYBRIDGE")
    assert (await one(store_engine))["next_bridge_check_at"] is None


async def test_the_record_names_who_was_paid(market: Market, store_engine: AsyncEngine) -> None:
    """A chain may prove that another got it than was asked for; the bridge is asked about the same transfer still."""
    await started(market, store_engine)
    asked, paid = market.accounts[1], market.accounts[2]
    clock, bridge = Hands(), Scripted(says(TransferState.SUCCESS, PROOF))
    chain_indexer = poller(market, store_engine, bridge, clock)
    await chain_indexer.poll("TOYBRIDGE")
    assert (await one(store_engine))["receiver"] == asked
    clock.move(seconds=10)
    bridge.answer = says(TransferState.SUCCESS, PROOF, output_amount=497, receiver=paid.lower())
    await chain_indexer.poll("TOYBRIDGE")
    record = await one(store_engine)
    assert (record["status"], record["receiver"]) == ("success", paid)
    assert [transfer.receiver for transfer in bridge.asked] == [asked, asked]


@pytest.mark.parametrize(
    ("state", "source", "named"),
    [
        (TransferState.SUCCESS, WORD, 2),
        (TransferState.REFUNDED, PROOF, 2),
        (TransferState.SUCCESS, PROOF, None),
    ],
)
async def test_what_proves_no_other_receiver_leaves_the_one_asked_for(
    market: Market, store_engine: AsyncEngine, state: TransferState, source: StatusSource, named: int | None
) -> None:
    await started(market, store_engine)
    receiver = "somebody" if named is None else market.accounts[named]
    bridge = Scripted(says(state, source, output_amount=497, receiver=receiver))
    await poller(market, store_engine, bridge, Hands()).poll("TOYBRIDGE")
    record = await one(store_engine)
    assert (record["status"], record["receiver"]) == (state.value, market.accounts[1])
