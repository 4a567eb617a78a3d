"""Hands new events to those who follow them: a process reads each once, however many of them there are.

A subscriber has a queue of few events. One that does not keep up loses it, and goes on from the store, where it has
stopped; so a subscriber costs little memory, whatever it does. One that follows nothing new costs no statement.
"""

import asyncio
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field

import structlog
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.domain.record_event import RecordEvent
from rhumbline.gateways.postgres.failures import DATABASE_ERRORS, driver_error, store_access
from rhumbline.gateways.postgres.notices import Notices, first_of
from rhumbline.tracking.loops import LONGEST_REST_S
from rhumbline.tracking.record_events.store import forgotten, progress, read_events, settled
from rhumbline.tracking.topics import EVENTS

MOST_WAITING = 64
"""How many events wait for one subscriber; more are read from the store when it has time."""
PAGE = 100
_AT_ONCE = 500
_AGAIN_S = 1.0
_HELD_S = 0.02
"""While events that are written wait for a transaction that is not committed: its end may come without a notice."""
_log = structlog.stdlib.get_logger(__name__)


@dataclass(slots=True, eq=False)
class Subscriber:
    """Follows the events of one integrator, or of one subject. ``cursor`` is the last number that it was given."""

    feed: "EventFeed"
    integrator: str | None
    subject: str | None
    cursor: int
    bell: asyncio.Event = field(default_factory=asyncio.Event)
    closed: bool = False
    behind: bool = False
    _waiting: deque[RecordEvent] = field(default_factory=deque)

    def add(self, event: RecordEvent) -> None:
        if self.behind or event.number <= self.cursor:
            return
        if len(self._waiting) >= MOST_WAITING:
            self._waiting.clear()
            self.behind = True
        else:
            self._waiting.append(event)
        self.bell.set()

    def close(self) -> None:
        self.closed = True
        self.bell.set()

    async def next(self) -> Sequence[RecordEvent]:
        """Return what is new, without waiting; the rest of what is missed comes from the store.

        Raise StoreUnavailable if that does not answer.
        """
        self.bell.clear()
        while self.behind and self.integrator is not None:
            until = self.feed.position
            page = await self.feed.page(self.integrator, self.cursor, until)
            if page:
                self.cursor = page[-1].number
                self.bell.set()
                return page
            self.cursor = max(until, self.cursor)
            self.behind = self.feed.position != until
        self.behind = False
        found = tuple(self._waiting)
        self._waiting.clear()
        if found:
            self.cursor = found[-1].number
        return found


class EventFeed:
    """Reads the store's events for the subscribers of one process. Everything happens on its event loop."""

    def __init__(self, engine: AsyncEngine, notices: Notices) -> None:
        # Each statement sees what was committed before it.
        self._engine = engine.execution_options(isolation_level="AUTOCOMMIT")
        self._notices = notices
        self._bell = notices.bell(lambda topic: topic == EVENTS)
        self._turn = asyncio.Lock()
        self._by_integrator: dict[str, set[Subscriber]] = {}
        self._by_subject: dict[str, set[Subscriber]] = {}
        self.subscribers = 0
        # Every event up to here was handed out, or nobody followed.
        self.position = 0

    async def follow(
        self, *, integrator: str | None = None, subject: str | None = None, after: int | None = None
    ) -> Subscriber:
        """Return a subscriber of events after a number, or from now on; raise StoreUnavailable.

        Whoever follows a subject hears from now on only.
        """
        async with self._turn:
            if not self.subscribers:
                with store_access():
                    self.position = await self._settled()
                # What was written meanwhile was passed over, because nobody followed.
                self._bell.set()
            self.subscribers += 1
        subscriber = Subscriber(self, integrator, subject, self.position if after is None else after)
        subscriber.behind = integrator is not None and subscriber.cursor < self.position
        self._groups(subscriber).setdefault(str(integrator or subject), set()).add(subscriber)
        return subscriber

    def leave(self, subscriber: Subscriber) -> None:
        groups, name = self._groups(subscriber), str(subscriber.integrator or subscriber.subject)
        group = groups.get(name, set())
        if subscriber in group:
            group.remove(subscriber)
            self.subscribers -= 1
        if not group:
            groups.pop(name, None)

    async def forgotten(self) -> int:
        """Return the number up to which events are not kept any more; raise StoreUnavailable."""
        with store_access():
            async with self._engine.connect() as connection:
                return await forgotten(connection)

    async def page(self, integrator: str, after: int, until: int) -> Sequence[RecordEvent]:
        with store_access():
            async with self._engine.connect() as connection:
                return await read_events(connection, after, until, PAGE, integrator)

    async def run(self, stop: asyncio.Event) -> None:
        """Hand out events until ``stop`` is set or this is cancelled; then no subscriber hears any more."""
        try:
            while not stop.is_set():
                self._bell.clear()
                rest_s = LONGEST_REST_S if self._notices.hears else _AGAIN_S
                try:
                    rest_s = min(rest_s, await self._hand_out())
                except DATABASE_ERRORS as error:
                    _log.info("events not read", reason=type(driver_error(error)).__name__)
                    rest_s = _AGAIN_S
                await first_of(rest_s, self._bell, stop)
        finally:
            self._close_all()

    async def _hand_out(self) -> float:
        """Hand out what is new; return after how many seconds to look again though nobody rings."""
        while self.subscribers:
            async with self._turn, self._engine.connect() as connection:
                until, newest = await progress(connection)
                if newest < self.position:
                    # The server was put back, as a stand-by that takes over may be: whoever follows comes again.
                    self._close_all()
                    self.position = until
                found = await read_events(connection, self.position, until, _AT_ONCE)
                for event in found:
                    self._tell(event)
                self.position = max(self.position, found[-1].number if len(found) == _AT_ONCE else until)
            if len(found) < _AT_ONCE:
                return LONGEST_REST_S if newest <= until else _HELD_S
        return LONGEST_REST_S

    def _tell(self, event: RecordEvent) -> None:
        owner = None if event.record is None else event.record.integrator
        for subscriber in (*self._by_integrator.get(owner or "", ()), *self._by_subject.get(event.subject, ())):
            subscriber.add(event)

    def _close_all(self) -> None:
        for group in (*self._by_integrator.values(), *self._by_subject.values()):
            for subscriber in group:
                subscriber.close()

    async def _settled(self) -> int:
        async with self._engine.connect() as connection:
            return await settled(connection)

    def _groups(self, subscriber: Subscriber) -> dict[str, set[Subscriber]]:
        return self._by_subject if subscriber.integrator is None else self._by_integrator
