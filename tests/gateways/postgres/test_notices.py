"""Whoever waits is told with the commit, and looks anew where the connection was lost."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.gateways.postgres.notices import Notices, tell
from tests.tracking.test_trackers import cut

PATIENCE_S = 20.0


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
