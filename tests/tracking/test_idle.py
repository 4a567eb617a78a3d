"""A service at rest sleeps: nothing is asked on a clock, and nothing is lost or late for that."""

from datetime import timedelta

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.domain.tracking import TransferState
from tests.gateways.postgres.rings import rings
from tests.gateways.postgres.statements import statements
from tests.tracking.conftest import catch_up, enricher, indexer, new_id, records
from tests.tracking.market import Market
from tests.tracking.node import Node
from tests.tracking.test_status_worker import Hands, Scripted, poller, says, started


async def test_a_chain_at_rest_costs_one_request_and_no_statement(
    market: Market, store_engine: AsyncEngine, node: Node
) -> None:
    transfer_tracker = indexer(market, store_engine, node.rpc)
    await market.swap(new_id(market.accounts[0]))
    await catch_up(transfer_tracker)
    node.calls.clear()
    with statements(store_engine) as seen:
        for _ in range(10):
            assert await transfer_tracker.step() is False
    assert seen == []
    asked = [method for method, _ in node.calls]
    assert asked == ["eth_chainId", "eth_blockNumber", "eth_getBlockByNumber"] * 10
    await market.swap(new_id(market.accounts[0], nonce=1))
    await catch_up(transfer_tracker)
    assert len(await records(store_engine)) == 2


async def test_to_look_for_records_that_wait_leaves_nothing_to_the_garbage_collector(
    market: Market, store_engine: AsyncEngine
) -> None:
    waiting = enricher(market, store_engine)
    assert await rings(waiting.due_in_s) < 1
    assert await rings(waiting.enrich) < 1


async def test_a_remembered_position_that_another_worker_moved_loses_nothing(
    market: Market, store_engine: AsyncEngine
) -> None:
    one, other = indexer(market, store_engine), indexer(market, store_engine)
    for nonce in range(6):
        await market.swap(new_id(market.accounts[0], nonce=nonce))
        await catch_up((one, other)[nonce % 2])
    await catch_up(one)
    await catch_up(other)
    assert [one.reached, len(await records(store_engine))] == [other.reached, 6]


async def test_a_queue_knows_when_its_next_transfer_is_due(market: Market, store_engine: AsyncEngine) -> None:
    bridge, clock = Scripted(says(TransferState.BRIDGE_PENDING)), Hands()
    asking = poller(market, store_engine, bridge, clock, first_pause_s=5.0)
    assert await asking.due_in_s("TOYBRIDGE") == float("inf")
    await started(market, store_engine)
    clock.move(minutes=1)
    assert [await asking.due_in_s("TOYBRIDGE"), await asking.due_in_s("")] == [0.0, float("inf")]
    await asking.poll("TOYBRIDGE")
    due = await asking.due_in_s("TOYBRIDGE")
    assert 5.0 <= due <= 20.0
    clock.move(seconds=due - 0.001)
    await asking.poll("TOYBRIDGE")
    assert len(bridge.asked) == 1
    clock.move(seconds=0.001)
    await asking.poll("TOYBRIDGE")
    assert len(bridge.asked) == 2


@pytest.mark.parametrize("tries", [1, 2, 3])
async def test_records_are_completed_when_they_are_due_and_not_before(
    market: Market, store_engine: AsyncEngine, node: Node, tries: int
) -> None:
    clock = Hands()
    completing = enricher(market, store_engine, node.rpc, clock)
    assert await completing.due_in_s() == float("inf")
    await market.swap(new_id(market.accounts[0]))
    await catch_up(indexer(market, store_engine))
    clock.move(seconds=1)
    assert await completing.due_in_s() == 0.0
    node.down = True
    for _ in range(tries):
        await completing.enrich()
        due = await completing.due_in_s()
        assert due >= 2.0
        before = await checked_at(store_engine)
        clock.now += timedelta(seconds=due) - timedelta(microseconds=1000)
        await completing.enrich()
        assert await checked_at(store_engine) == before
        clock.now += timedelta(microseconds=2000)
    node.down = False
    await completing.enrich()
    assert await completing.due_in_s() == float("inf")


async def checked_at(engine: AsyncEngine) -> object:
    async with engine.connect() as connection:
        return (await connection.execute(text("SELECT last_receipt_checked_at FROM transactions"))).scalar_one()
