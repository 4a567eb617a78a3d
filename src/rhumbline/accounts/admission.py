"""Bounds the quotes, routes and streams in progress: as many as can end in time, shared fairly among requesters.

Beyond what a process can do, each more makes all others later, until none is in time. So there is a bound; who comes
beyond it waits for a moment, or is refused at once.
"""

import asyncio
from collections import Counter
from dataclasses import dataclass, field

from rhumbline.domain.errors import Overloaded

FIRST, LEAST, MOST = 64, 8, 512
WAIT_S = 0.25
LATE_S = 0.01
_LESS, _MORE, _BACK = 0.9, 1.1, 0.05


@dataclass(slots=True, eq=False)
class _Waiter:
    requester: str
    turn: "asyncio.Future[None]"


@dataclass(slots=True, eq=False)
class Place:
    """What one request occupies while it is in progress; released at the end of its ``with`` block."""

    _admission: "Admission"
    _requester: str

    def __enter__(self) -> None:
        return

    def __exit__(self, *_: object) -> None:
        self._admission.leave(self._requester)


@dataclass(slots=True, eq=False)
class Admission:
    """Bounds the requests in progress. ``at_once`` is the bound; None: it adapts to the event loop's delay.

    A free place goes to whoever waits and has the fewest; an eighth of the bound may wait, for ``WAIT_S`` seconds.
    """

    at_once: int | None = None
    admitted: int = field(default=0, init=False)
    refused: int = field(default=0, init=False)
    _bound: float = field(default=FIRST, init=False)
    _is_wanted: bool = field(default=False, init=False)
    _has: Counter[str] = field(default_factory=Counter, init=False)
    _waiters: list[_Waiter] = field(default_factory=list, init=False)

    @property
    def bound(self) -> int:
        return int(self._bound) if self.at_once is None else self.at_once

    @property
    def in_progress(self) -> int:
        return self._has.total()

    @property
    def waiting(self) -> int:
        return len(self._waiters)

    async def enter(self, requester: str) -> Place:
        """Return a slot for a requester's request; raise Overloaded when none becomes free in time."""
        if self.in_progress >= self.bound:
            self._is_wanted = True
            await self._wait(requester)
        else:
            self._has[requester] += 1
        self.admitted += 1
        return Place(self, requester)

    def leave(self, requester: str) -> None:
        """Give a place back."""
        self._has[requester] -= 1
        if not self._has[requester]:
            del self._has[requester]
        self._give()

    def adapt(self, late_s: float) -> None:
        """Set the bound by the least lateness of the loop in the last half second.

        A loop that is late all the time has too much in hand; one that is not may take more, where more is wanted.
        Otherwise the bound goes back to where it began.
        """
        if late_s > LATE_S:
            self._bound = max(min(self._bound, self.in_progress) * _LESS, LEAST)
        elif self._is_wanted:
            self._bound = min(self._bound * _MORE, MOST)
        else:
            self._bound += (FIRST - self._bound) * _BACK
        self._is_wanted = False
        self._give()

    async def _wait(self, requester: str) -> None:
        if len(self._waiters) >= max(self.bound // 8, 1):
            self._make_room(requester)
        loop = asyncio.get_running_loop()
        waiter = _Waiter(requester, loop.create_future())
        self._waiters.append(waiter)
        timer = loop.call_later(WAIT_S, self._refuse, waiter)
        try:
            await waiter.turn
        except asyncio.CancelledError:
            if waiter in self._waiters:
                self._waiters.remove(waiter)
            elif not waiter.turn.cancelled() and waiter.turn.exception() is None:
                self.leave(requester)
            raise
        finally:
            timer.cancel()

    def _make_room(self, requester: str) -> None:
        """Refuse the newest waiting request of the requester with the most; raise Overloaded if it is this one."""
        wanted = self._has + Counter(waiter.requester for waiter in self._waiters)
        last = max(reversed(self._waiters), key=lambda waiter: wanted[waiter.requester])
        if wanted[last.requester] <= wanted[requester] + 1:
            self.refused += 1
            raise _overloaded()
        self._refuse(last)

    def _refuse(self, waiter: _Waiter) -> None:
        if waiter in self._waiters:
            self._waiters.remove(waiter)
            self.refused += 1
            waiter.turn.set_exception(_overloaded())

    def _give(self) -> None:
        while self._waiters and self.in_progress < self.bound:
            waiter = min(self._waiters, key=lambda waiter: self._has[waiter.requester])
            self._waiters.remove(waiter)
            self._has[waiter.requester] += 1
            waiter.turn.set_result(None)


def _overloaded() -> Overloaded:
    return Overloaded("The service is overloaded: try again shortly")
