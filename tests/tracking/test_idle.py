"""A service at rest sleeps: nothing is asked on a clock, and nothing is lost or late for that."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from datetime import timedelta

import pytest
from sqlalchemy import event, text
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.domain.tracking import TransferState
from rhumbline.gateways.postgres.notices import Notices, tell
from tests.tracking.conftest import catch_up, enricher, indexer, new_id, records
from tests.tracking.market import Market
from tests.tracking.node import Node
from tests.tracking.test_status_worker import Hands, Scripted, poller, says, started
from tests.tracking.test_trackers import cut

PATIENCE_S = 20.0


@contextmanager
def statements(engine: AsyncEngine) -> Iterator[list[str]]:
    seen: list[str] = []

    def note(*given: object) -> None:
        seen.append(str(given[2]))

    event.listen(engine.sync_engine, "before_cursor_execute", note)
    yield seen
    event.remove(engine.sync_engine, "before_cursor_execute", note)


@asynccontextmanager
async def listening(engine: AsyncEngine) -> AsyncIterator[tuple[Notices, asyncio.Event]]:
    stop, notices = asyncio.Event(), Notices(engine)
    bell = notices.bell(lambda topic: topic == "mine")
    task = asyncio.create_task(notices.run(stop))
    try:
        await rung(bell)
        assert notices.hears
        yield notices, bell
    finally:
        stop.set()
        await asyncio.wait_for(task, PATIENCE_S)


async def rung(bell: asyncio.Event) -> None:
    async with asyncio.timeout(PATIENCE_S):
        await bell.wait()
    bell.clear()


async def told(engine: AsyncEngine, *topics: str) -> None:
    async with engine.begin() as connection:
        await tell(connection, topics)


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


async def test_a_notice_comes_with_the_commit_and_not_without(store_engine: AsyncEngine) -> None:
    heard: list[str] = []

    def note(topic: str) -> bool:
        heard.append(topic)
        return False

    async with listening(store_engine) as (notices, bell):
        notices.bell(note)
        async with store_engine.connect() as connection:
            await tell(connection, ["never"])
            await connection.rollback()
        await told(store_engine, "yours", "mine", "mine")
        await rung(bell)
    assert sorted(heard) == ["mine", "yours"]


async def test_a_lost_connection_has_everybody_look_and_is_made_anew(store_engine: AsyncEngine) -> None:
    async with listening(store_engine) as (notices, bell):
        await cut(store_engine)
        await rung(bell)
        async with asyncio.timeout(PATIENCE_S):
            while not notices.hears:
                await rung(bell)
        bell.clear()
        await told(store_engine, "mine")
        await rung(bell)


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
