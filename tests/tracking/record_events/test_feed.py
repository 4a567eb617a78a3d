"""Whoever begins to follow is told of what is written while it begins."""

import asyncio
from functools import partial
from math import inf

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

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
