"""Old events are deleted by whoever has the lease."""

import asyncio

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.gateways.postgres.leases import Leases
from rhumbline.tracking.record_events.retention import EVENTS, EventRetention
from tests.tracking.record_events.test_store import added, done, read
from tests.tracking.test_listing import row
from tests.tracking.test_trackers import until


async def test_one_process_deletes_old_events(store_engine: AsyncEngine) -> None:
    await done(store_engine, added(row(1), row(2)))
    async with store_engine.begin() as connection:
        await connection.execute(text("UPDATE events SET at = at - interval '8 days' WHERE number < 4"))
    other, leases, stop = Leases(store_engine), Leases(store_engine), asyncio.Event()
    assert await other.take(EVENTS)
    assert not await leases.take(EVENTS)
    working = asyncio.create_task(EventRetention(store_engine).run(other, stop))

    async def one_is_left() -> bool:
        return len(await read(store_engine)) == 1

    await until(one_is_left)
    stop.set()
    await working
    await other.release()
    await leases.release()
