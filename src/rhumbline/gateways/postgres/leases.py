"""Leases: which of several processes does a piece of exclusive work, for how long, and in which term.

A lease runs out by the store's clock unless its holder renews it, which it does while its work makes progress. Whoever
takes one begins a new term, and each write of that work makes sure of the term in its own transaction: so a process
that slept in the middle of a write, however long, cannot write when it wakes. The holder's session is named in the
lease: where the server has seen it end, nobody waits for the lease to run out.
"""

import asyncio
import os
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from time import monotonic

import structlog
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from rhumbline.gateways.postgres.failures import DATABASE_ERRORS, driver_error
from rhumbline.gateways.postgres.lease_table import (
    BEGIN,
    END_FROZEN,
    FENCE,
    FORGET_PROCESSES,
    FREE,
    READ,
    RENEW,
    SESSION,
    TAKE,
    TTL_S,
)
from rhumbline.gateways.postgres.notices import first_of, tell
from rhumbline.gateways.postgres.store_clock import StoreClock

BEAT_S = 3.0
WAITING_BEAT_S = 1.0
"""How often a process checks that waits for another's lease."""
WORK_S = 30.0
"""How long one piece of work may take before its lease is no longer renewed."""
FREED = "lease freed"
"""The topic by which a process announces that it released a lease."""
FROZEN = timedelta(seconds=TTL_S)
"""A session whose statement waits for its client so long is ended: no statement takes half of that."""
_PATIENCE_S = 5.0
_log = structlog.stdlib.get_logger(__name__)

Fence = Callable[[AsyncConnection], Awaitable[None]]
"""Checks, within the transaction of a write, that the writer may write; raises LeaseLost, and nothing is written."""


class LeaseLost(Exception):
    """Another process may have taken over the work; nothing is written."""


async def unfenced(connection: AsyncConnection) -> None:
    """Let a write pass: for a process that is alone."""


@dataclass(frozen=True, slots=True)
class LeaseState:
    """A lease in the store: its holder for ``left_s`` more seconds, 0 for none; ``still_s`` without progress.

    ``head`` and ``next_block`` are how far a chain has come, where the lease is about one.
    """

    holder: str
    left_s: float
    still_s: float
    head: int | None
    next_block: int | None


@dataclass(slots=True)
class _Held:
    """A lease of this process: trusted until ``until``, renewed while ``vouched`` for, both by its own clock."""

    term: int
    until: float
    vouched: float
    head: int | None = None
    next_block: int | None = None


@dataclass(eq=False, repr=False)
class Leases:
    """The leases of one process, over one connection of its own. ``seconds`` is a monotonic clock.

    It connects at the first question only; ``clock`` hears the store's time with each heartbeat.
    """

    engine: AsyncEngine
    clock: StoreClock | None = None
    seconds: Callable[[], float] = monotonic

    def __post_init__(self) -> None:
        self.holder = os.urandom(4).hex()
        self._connection: AsyncConnection | None = None
        self._session: Mapping[str, object] = {}
        self._turn = asyncio.Lock()
        self._held: dict[str, _Held] = {}
        self._states: Mapping[str, LeaseState] = {}
        self._read_at: float | None = None
        self._waits = False

    def holds(self, name: str) -> bool:
        """Return whether this process has a lease, as far as it knows without asking."""
        held = self._held.get(name)
        return held is not None and self.seconds() < held.until

    async def take(self, name: str, beyond: int | None = None) -> bool:
        """Take a lease if it is free; return whether it is ours. Raise a database error.

        ``beyond`` is a head that this process sees: it takes the lease of one who has long been stuck below that.
        """
        if self.holds(name):
            held, now = self._held[name], self.seconds()
            # A piece of work begins. After one that failed nothing is vouched for.
            held.vouched = now + WORK_S if now < held.vouched else held.vouched
            return True
        self._lose(name)
        self._waits = True
        if beyond is None and self._is_known_as_held(name):
            return False
        async with self._turn:
            asked_at = self.seconds()
            term = await self._asked(name, beyond)
        if term is None:
            return False
        self._held[name] = _Held(term, asked_at + TTL_S, self.seconds() + WORK_S, head=beyond)
        _log.info("lease taken", lease=name, term=term, holder=self.holder)
        return True

    def vouch(self, name: str, rest_s: float = 0.0, head: int | None = None, next_block: int | None = None) -> None:
        """Note that the work made progress and rests for so long: its lease is renewed until the next piece is due."""
        if (held := self._held.get(name)) is not None:
            held.vouched = self.seconds() + rest_s + WORK_S
            held.head, held.next_block = head, next_block

    def doubt(self, name: str) -> None:
        """Note that the work has failed: its lease is not renewed until it makes progress."""
        if (held := self._held.get(name)) is not None:
            held.vouched = self.seconds()

    def fence(self, name: str) -> Fence:
        """Return what lets a write pass only under the lease, in the term in which its work was begun."""

        async def pass_on(connection: AsyncConnection) -> None:
            held = self._held.get(name)
            term = {"lease": name, "by": self.holder, "number": None if held is None else held.term}
            if held is None or (await connection.execute(FENCE, term)).first() is None:
                self._lose(name)
                raise LeaseLost(f"the lease {name!r} is lost; nothing was written")

        return pass_on

    @property
    def is_heard(self) -> bool:
        """Whether the store answered a heartbeat within the life of a lease."""
        return self._is_fresh(TTL_S)

    def states(self) -> Mapping[str, LeaseState]:
        """Return all leases as they were at the last heartbeat, by name; none where that was long ago."""
        return self._states if self.is_heard else {}

    async def beat(self) -> None:
        """Renew what is vouched for, and read all leases and the store's time. Raise a database error."""
        async with self._turn:
            try:
                async with asyncio.timeout(_PATIENCE_S):
                    await self._beat(await self._connected())
            except BaseException:
                await self._drop()
                raise

    async def run(self, stop: asyncio.Event, bell: asyncio.Event | None = None) -> None:
        """Renew the leases until ``stop`` is set; ``bell`` rings when another process released a lease."""
        events = (stop,) if bell is None else (stop, bell)
        heard = True
        while not stop.is_set():
            if bell is not None:
                bell.clear()
            try:
                await self.beat()
                heard = True
            except DATABASE_ERRORS as error:
                if heard:
                    _log.warning("leases not renewed", reason=type(driver_error(error)).__name__)
                heard = False
            waits, self._waits = self._waits or not heard, False
            await first_of(WAITING_BEAT_S if waits else BEAT_S, *events)

    async def release(self) -> None:
        """Release all leases, and notify waiting processes."""
        async with self._turn:
            with suppress(*DATABASE_ERRORS):
                if self._held and self._connection is not None:
                    await self._connection.execute(FREE, {"by": self.holder})
                    await tell(self._connection, [FREED])
            self._held.clear()
            await self._drop()

    async def _asked(self, name: str, beyond: int | None) -> int | None:
        try:
            connection = await self._connected()
            wanted = {"lease": name, "by": self.holder, **self._session}
            term = (await connection.execute(TAKE, {**wanted, "beyond": beyond})).scalar_one_or_none()
            term = term or (await connection.execute(BEGIN, wanted)).scalar_one_or_none()
        except BaseException:
            await self._drop()
            raise
        return None if term is None else int(term)

    async def _beat(self, connection: AsyncConnection) -> None:
        now = self.seconds()
        renewed = {name: held for name, held in self._held.items() if now < held.vouched}
        if renewed:
            given = {
                "names": list(renewed),
                "terms": [held.term for held in renewed.values()],
                "heads": [held.head for held in renewed.values()],
                "nexts": [held.next_block for held in renewed.values()],
            }
            await connection.execute(RENEW, {"by": self.holder, **self._session, **given})
        if ended := (await connection.execute(END_FROZEN, {"patience": FROZEN})).all():
            _log.warning("frozen sessions ended", count=len(ended))
        asked_at = self.seconds()
        rows = (await connection.execute(READ, {"by": self.holder})).all()
        if self.clock is not None:
            self.clock.heard(rows[0].at, asked_at)
        own = {row.name: row for row in rows if row.holder == self.holder and row.left_s > 0}
        for name, held in list(self._held.items()):
            if name not in own or own[name].term != held.term:
                self._lose(name)
            else:
                held.until = asked_at + own[name].left_s
        self._read_at = asked_at
        self._states = {
            row.name: LeaseState(row.holder, row.left_s, row.still_s, row.head, row.next_block)
            for row in rows
            if row.name is not None
        }

    async def _connected(self) -> AsyncConnection:
        if self._connection is None:
            connection = await self.engine.connect()
            self._connection = await connection.execution_options(isolation_level="AUTOCOMMIT")
            await self._connection.execute(FORGET_PROCESSES)
            pid, began = (await self._connection.execute(SESSION)).one()
            self._session = {"own_pid": pid, "own_session_at": began}
        return self._connection

    async def _drop(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            await connection.invalidate()
            await connection.close()

    def _lose(self, name: str) -> None:
        if (held := self._held.pop(name, None)) is not None:
            _log.warning("lease lost", lease=name, term=held.term, holder=self.holder)

    def _is_fresh(self, seconds: float) -> bool:
        return self._read_at is not None and self.seconds() - self._read_at < seconds

    def _is_known_as_held(self, name: str) -> bool:
        """Return whether another process certainly has a lease, so that nobody need ask."""
        state = self._states.get(name)
        if state is None or self._read_at is None or state.holder == self.holder or not self._is_fresh(2 * BEAT_S):
            return False
        return self.seconds() < self._read_at + state.left_s
