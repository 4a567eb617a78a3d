"""Notices: a process that writes announces it to those that wait for it, so that nobody has to poll.

By PostgreSQL's NOTIFY, which comes with the commit (https://www.postgresql.org/docs/current/sql-notify.html, read
2026-11). Nothing depends on a notice alone: whoever waits looks by itself when the connection is lost or found again,
and now and then besides.
"""

import asyncio
from collections.abc import Callable, Iterable

import asyncpg
import structlog
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from rhumbline.gateways.postgres.failures import DATABASE_ERRORS, driver_error

_CHANNEL = "rhumbline"
_TELL = text("SELECT pg_notify(:channel, topic) FROM unnest(CAST(:topics AS text[])) AS topic")
_CHECK_EVERY_S = 30.0
_CONNECT_AGAIN_S = 1.0
_log = structlog.stdlib.get_logger(__name__)


async def tell(connection: AsyncConnection, topics: Iterable[str]) -> None:
    """Notify every process of these topics when the connection's transaction is committed."""
    wanted = sorted(set(topics))
    if wanted:
        await connection.execute(_TELL, {"channel": _CHANNEL, "topics": wanted})


class Notices:
    """Receives notices on a connection of its own. Bells and ``run`` belong to one event loop."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        # While the connection does not stand, look on a clock.
        self.hears = False
        self._bells: list[tuple[Callable[[str], bool], asyncio.Event]] = []

    def bell(self, concerns: Callable[[str], bool]) -> asyncio.Event:
        """Return the event that is set on each notice that ``concerns`` its owner, or when one may have been missed."""
        bell = asyncio.Event()
        self._bells.append((concerns, bell))
        return bell

    async def run(self, stop: asyncio.Event) -> None:
        """Listen until ``stop`` is set or this is cancelled; a lost connection is replaced."""
        while not stop.is_set():
            try:
                await self._listen(stop)
            except DATABASE_ERRORS as error:
                _log.info("no notices from the store", reason=type(driver_error(error)).__name__)
            await first_of(_CONNECT_AGAIN_S, stop)

    async def _listen(self, stop: asyncio.Event) -> None:
        lost = asyncio.Event()
        async with self._engine.connect() as connection:
            driver = (await connection.get_raw_connection()).driver_connection
            if not isinstance(driver, asyncpg.Connection):
                raise TypeError("notices need asyncpg")
            try:
                driver.add_termination_listener(lambda _: lost.set())
                await driver.add_listener(_CHANNEL, self._heard)
                self._turn(hears=True)
                while not await first_of(_CHECK_EVERY_S, lost, stop):
                    # A connection can be lost without a word.
                    await driver.execute("SELECT 1")
            finally:
                self._turn(hears=False)
                await connection.invalidate()

    def _turn(self, *, hears: bool) -> None:
        """Set all bells: notices were lost while nobody listened."""
        self.hears = hears
        for _, bell in self._bells:
            bell.set()

    def _heard(self, _connection: object, _pid: int, _channel: str, topic: object) -> None:
        for concerns, bell in self._bells:
            if isinstance(topic, str) and concerns(topic):
                bell.set()


async def first_of(seconds: float, *events: asyncio.Event) -> bool:
    """Wait until one of the events is set, at most so long; return whether one is. No event is cleared."""
    if any(event.is_set() for event in events):
        return True
    waiting = [asyncio.ensure_future(event.wait()) for event in events]
    try:
        await asyncio.wait(waiting, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in waiting:
            task.cancel()
    return any(event.is_set() for event in events)
