"""Whoever begins to follow is told of what is written while it begins."""

import asyncio
from functools import partial
from math import inf

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from rhumbline.domain.record_event import RecordEvent
from rhumbline.gateways.postgres.notices import Notices
from rhumbline.tracking.record_events import feed as module
from rhumbline.tracking.record_events.feed import EventFeed
from tests.patience import PATIENCE_S, until
from tests.tracking.record_events.test_store import added, done, kinds
from tests.tracking.test_listing import row


class Interrupted(EventFeed):
    """A record is written, and the feed has looked for it in vain, when the first subscriber's place was just read."""

    looks = 0

    async def has_looked(self, more_than: int = 0) -> bool:
        return self.looks > more_than

    async def _hand_out(self) -> float:
        self.looks += 1
        return await super()._hand_out()

    async def _settled(self) -> int:
        found, before = await super()._settled(), self.looks
        await done(self._engine.execution_options(isolation_level="READ COMMITTED"), added(row(1)))
        await until(partial(self.has_looked, before))
        return found


async def test_what_is_written_while_the_first_one_begins_to_follow_is_told(
    store_engine: AsyncEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "LONGEST_REST_S", inf)
    notices, stop = Notices(store_engine), asyncio.Event()
    feed = Interrupted(store_engine, notices)
    listening = asyncio.create_task(notices.run(stop))
    await feed._bell.wait()
    running = asyncio.create_task(feed.run(stop))
    await until(feed.has_looked)
    subscriber = await feed.follow(integrator="acme")
    told: list[RecordEvent] = []
    async with asyncio.timeout(PATIENCE_S):
        while len(told) < 2:
            await subscriber.bell.wait()
            told += await subscriber.next()
    assert {identifier for identifier, _ in kinds(told)} == {row(1).id}
    stop.set()
    await asyncio.gather(listening, running)


async def test_who_follows_a_server_that_is_put_back_comes_again(store_engine: AsyncEngine) -> None:
    """As a stand-by that takes over without the last commits; else nothing were told until the numbers are reached."""
    notices, stop = Notices(store_engine), asyncio.Event()
    feed = EventFeed(store_engine, notices)
    tasks = [asyncio.create_task(notices.run(stop)), asyncio.create_task(feed.run(stop))]
    await done(store_engine, added(row(1), row(2)))
    subscriber = await feed.follow(integrator="acme")
    assert feed.position == 4

    async def put_back(connection: AsyncConnection) -> None:
        await connection.execute(text("SELECT setval('event_numbers', 1), pg_notify('rhumbline', 'events')"))

    async def told() -> bool:
        return subscriber.closed

    await done(store_engine, put_back)
    await until(told)
    feed.leave(subscriber)
    assert (await feed.follow(integrator="acme")).cursor == feed.position == 1
    stop.set()
    await asyncio.gather(*tasks)
