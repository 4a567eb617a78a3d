"""Who writes a record wakes those who wait for it."""

import asyncio

from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.domain.tracking import TransferState
from rhumbline.gateways.postgres.engine import create_engine
from rhumbline.gateways.postgres.leases import Leases
from rhumbline.gateways.postgres.notices import Notices
from rhumbline.tracking.issued_transactions import IssuedTransactions
from rhumbline.tracking.trackers import TransferTracker
from tests.gateways.postgres.test_notices import PATIENCE_S, rung
from tests.tracking.market import Market
from tests.tracking.test_status_worker import Hands, Scripted, poller, says, started

NEVER_S = 3600.0
"""A pause that no test outlives: whoever wakes before was told."""


async def asked_once(bridge: Scripted) -> None:
    await asyncio.wait_for(bridge.was_asked.wait(), PATIENCE_S)


async def test_two_workers_asleep_are_told_of_a_transfer_and_one_asks(
    market: Market, store_dsn: str, store_engine: AsyncEngine
) -> None:
    bridge, clock = Scripted(says(TransferState.SUCCESS)), Hands()
    other = create_engine(store_dsn)
    stop, leases = asyncio.Event(), {engine: Leases(engine) for engine in (store_engine, other)}
    async with asyncio.TaskGroup() as group:
        for engine in (store_engine, other):
            notices = Notices(engine)
            connected = notices.bell(lambda _: False)
            transfer_tracker = TransferTracker(
                poller(market, engine, bridge, clock), IssuedTransactions(engine), NEVER_S
            )
            group.create_task(notices.run(stop))
            group.create_task(transfer_tracker.run(leases[engine], stop, notices))
            await rung(connected)
        clock.move(minutes=1)
        await started(market, store_engine)
        await asked_once(bridge)
        stop.set()
    for each in leases.values():
        await each.release()
    await other.dispose()
    assert len(bridge.asked) == 1


async def test_what_is_told_while_nobody_listens_is_found_afterwards(market: Market, store_engine: AsyncEngine) -> None:
    bridge, clock = Scripted(says(TransferState.SUCCESS)), Hands()
    stop, notices, leases = asyncio.Event(), Notices(store_engine), Leases(store_engine)
    transfer_tracker = TransferTracker(
        poller(market, store_engine, bridge, clock), IssuedTransactions(store_engine), NEVER_S
    )
    async with asyncio.TaskGroup() as group:
        group.create_task(transfer_tracker.run(leases, stop, notices))
        clock.move(minutes=1)
        await started(market, store_engine)
        group.create_task(notices.run(stop))
        await asked_once(bridge)
        stop.set()
    await leases.release()


def test_a_queue_is_concerned_by_its_own_transfers_only(market: Market, store_engine: AsyncEngine) -> None:
    asking = poller(market, store_engine, Scripted(), Hands())
    topics = ("transfer TOYBRIDGE", "transfer GONE", "records 900001")
    assert [asking.concerns("TOYBRIDGE", topic) for topic in topics] == [True, False, False]
    assert [asking.concerns("", topic) for topic in topics] == [False, True, False]
