"""How late this process's event loop is, so that its own delays are not held against others."""

import asyncio
from collections import deque
from collections.abc import Callable
from time import monotonic
from weakref import WeakKeyDictionary

TICK_S = 0.05
TURN_S = 0.5
HELD_UP_S = 0.1
"""A tick that is later than this means that the loop was blocked."""
_SHARE, _ENOUGH_S = 0.2, 1.0
_MOST_KEPT = 1000


class LoopWatch:
    """Ticks on the running loop. ``on_delay`` is called every half second with the smallest delay, in seconds.

    The smallest, because a loop with time to spare is sometimes on time: if even the best tick was late, work is queued
    all the time (as CoDel detects it, RFC 8289, 3.1). ``now`` is in seconds.
    """

    def __init__(self, on_delay: Callable[[float], None] | None = None, now: Callable[[], float] = monotonic) -> None:
        self._on_delay = on_delay
        self._now = now
        self._due: float | None = None
        self._held_up: deque[tuple[float, float]] = deque(maxlen=_MOST_KEPT)
        self.late_s = 0.0
        """The smallest delay of the last half second."""
        self.held_up_s = 0.0
        """How long the loop was blocked in all."""

    async def run(self) -> None:
        """Tick until cancelled."""
        _WATCHES[asyncio.get_running_loop()] = self
        ticks: list[float] = []
        ends_at = self._now() + TURN_S
        try:
            while True:
                self._due = self._now() + TICK_S
                await asyncio.sleep(TICK_S)
                now = self._now()
                late_s = max(now - self._due, 0.0)
                ticks.append(late_s)
                if late_s > HELD_UP_S:
                    self._held_up.append((now, late_s))
                    self.held_up_s += late_s
                if now >= ends_at:
                    self.late_s, ends_at = min(ticks), now + TURN_S
                    ticks.clear()
                    if self._on_delay is not None:
                        self._on_delay(self.late_s)
        finally:
            self._due = None

    def was_held_up(self, since: float) -> bool:
        """Return whether a fifth, or a second, of the time ``since`` was lost here, so that delays are our own."""
        now = self._now()
        lost_s = sum(min(late_s, at - since) for at, late_s in self._held_up if at > since)
        if self._due is not None and now - self._due > HELD_UP_S:
            lost_s += now - max(self._due, since)
        return lost_s > 0 and lost_s >= min(_SHARE * (now - since), _ENOUGH_S)


_WATCHES: "WeakKeyDictionary[asyncio.AbstractEventLoop, LoopWatch]" = WeakKeyDictionary()


def was_held_up(since: float) -> bool:
    """Ask the running loop's watch; False without one. ``since`` is by ``time.monotonic``."""
    watch = _WATCHES.get(asyncio.get_running_loop())
    return watch is not None and watch.was_held_up(since)
