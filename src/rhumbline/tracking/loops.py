"""Loops of work that never end: at their own pace, or when a bell rings, whatever fails meanwhile."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from typing import Any, Protocol

import structlog

from rhumbline.gateways.nodes.endpoints import reading
from rhumbline.gateways.postgres.failures import driver_error
from rhumbline.gateways.postgres.leases import Leases
from rhumbline.gateways.postgres.notices import Notices, first_of

LONGEST_REST_S = 20.0
"""The longest sleep of loops that wait for notices: one may be lost, and a worker of another version may send none.

So what nobody told of is listed within 30 s.
"""
FIRST_PAUSE_S = 0.5
_LONGEST_PAUSE_S = 30.0
_log = structlog.stdlib.get_logger(__name__)


class LeasedWork(Protocol):
    """Work that one of several processes does at a time."""

    async def run(self, leases: Leases, stop: asyncio.Event, notices: Notices | None = None) -> None:
        """Work until ``stop`` is set."""
        ...


def doubted(leases: Leases, name: str, work: Callable[[], Awaitable[float]]) -> Callable[[], Awaitable[float]]:
    """Return work that no longer has its lease renewed once it has failed."""

    async def go() -> float:
        try:
            return await work()
        except Exception:
            leases.doubt(name)
            raise

    return go


def bell_of(notices: Notices | None, concerns: Callable[[str], bool]) -> asyncio.Event:
    return asyncio.Event() if notices is None else notices.bell(concerns)


def ringing(bell: asyncio.Event) -> Callable[[], asyncio.Event]:
    return lambda: bell


def no_bell() -> None:
    return None


def longest_rest_s(notices: Notices | None, poll_s: float) -> float:
    """Return how long to rest at the most: without notices nobody tells when something is new."""
    return LONGEST_REST_S if notices is not None and notices.hears else poll_s


async def keep_on(
    work: Callable[[], Awaitable[float]],
    stop: asyncio.Event,
    next_bell: Callable[[], asyncio.Event | None],
    trouble: str,
    deaf_s: float = 0.0,
    **about: str,
) -> None:
    """Do work again and again until ``stop`` is set, after as many seconds as it says, or when the bell rings.

    Which bell that is ``next_bell`` says, before and after the work. Each time a chain is read from one endpoint, as
    long as that answers.

    For ``deaf_s`` of a pause the bell waits. Whatever the work raises is logged as ``trouble``, and is tried again
    after a pause that doubles up to 30 s, and is short again after work that went well for longer than that.
    """
    failures, now = 0, asyncio.get_running_loop().time
    while not stop.is_set():
        if (bell := next_bell()) is not None:
            bell.clear()
        began = now()
        try:
            with reading():
                pause = await work()
        except Exception as error:
            failures = 0 if now() - began > _LONGEST_PAUSE_S else failures
            pause, events = min(FIRST_PAUSE_S * 2**failures, _LONGEST_PAUSE_S), [stop]
            failures = min(failures + 1, 10)
            _log.warning(trouble, **about, reason=_reason(error), retry_in_s=pause)
        else:
            failures, events = 0, [event for event in (stop, next_bell()) if event is not None]
        if deaf := min(pause, deaf_s):
            await _sleep(deaf, [stop])
        if pause > deaf or not pause:
            await _sleep(pause - deaf, events)


def _reason(error: Exception) -> str:
    """Put a failure into one line; a database error's own text would carry whole statements."""
    cause = driver_error(error)
    return f"{type(cause).__name__}: {cause}".splitlines()[0][:300]


async def _sleep(seconds: float, events: Sequence[asyncio.Event]) -> None:
    """Sleep, but not beyond any of the events; with 0 seconds only give others a turn."""
    if seconds == 0:
        await asyncio.sleep(0)
    else:
        await first_of(seconds, *events)


async def unless(stop: asyncio.Event, work: Coroutine[Any, Any, None]) -> None:
    """Do work to its end, or until ``stop`` is set: then it is cancelled, and awaited. What it raises is raised."""
    working, stopping = asyncio.ensure_future(work), asyncio.ensure_future(stop.wait())
    try:
        await asyncio.wait((working, stopping), return_when=asyncio.FIRST_COMPLETED)
        if working.done():
            await working
    finally:
        working.cancel()
        stopping.cancel()
        await asyncio.gather(working, stopping, return_exceptions=True)
