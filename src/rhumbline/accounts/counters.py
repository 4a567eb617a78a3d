"""Counting requests in windows: in this process, or in a store that several processes share.

When the shared store is gone the process goes on by itself, from the last counts that it saw, and asks again now and
then; when it is back its counts hold again.
"""

from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from time import monotonic
from typing import Protocol

import structlog

from rhumbline.accounts.rate_limits import (
    RateScope,
    Tiers,
    Verdict,
    address_of,
    is_free,
    is_in_browsers,
    judge,
    requester_of,
)
from rhumbline.domain.account import ApiClient
from rhumbline.domain.clock import Clock
from rhumbline.domain.rate import CountersUnavailable, Limit, WindowCount

MOST_REQUESTERS = 100_000
PAUSE_S = 1.0
_MILLISECOND = timedelta(milliseconds=1)


@dataclass(slots=True)
class _Window:
    """The number of requests in a window, and its end."""

    count: int
    ends_at: datetime


@dataclass(frozen=True, slots=True)
class Room:
    """A window of this process with room for one more request of at most ``most``; valid for this moment only.

    ``_beside`` is another one in which it counts as well.
    """

    most: int
    _window: _Window
    _beside: "Room | None" = None

    @property
    def ends_at(self) -> datetime:
        return self._window.ends_at

    def take(self) -> int:
        """Count the request; return how many more may pass."""
        self._window.count += 1
        if self._beside is not None:
            self._beside.take()
        return self.most - self._window.count


class LocalCounters:
    """Counts in this process; stores at most ``size`` windows per length, the oldest make room for new ones.

    Windows of one length end in the order in which they begin, so that those that are over are found at the front and
    no request pays for more than a few of them.
    """

    def __init__(self, clock: Clock, size: int = MOST_REQUESTERS) -> None:
        self._clock = clock
        self._size = size
        self._windows: dict[int, OrderedDict[str, _Window]] = {}

    def take(self, key: str, window_s: int) -> WindowCount:
        now = self._clock()
        windows = self._windows.setdefault(window_s, OrderedDict())
        window = windows.get(key)
        if window is None or window.ends_at <= now:
            window = self._begin(windows, key, now, now + timedelta(seconds=window_s), 0)
        window.count += 1
        return WindowCount(window.count, window.ends_at, -((now - window.ends_at) // _MILLISECOND))

    def room(self, key: str, window_s: int, most: int) -> "Room | None":
        """Return the open window of ``key`` if it has fewer than ``most`` requests, to count one in it."""
        now = self._clock()
        windows = self._windows.get(window_s)
        window = None if windows is None else windows.get(key)
        return None if window is None or window.ends_at <= now or window.count >= most else Room(most, window)

    def peek(self, key: str, window_s: int) -> WindowCount | None:
        now = self._clock()
        window = self._windows.get(window_s, OrderedDict[str, _Window]()).get(key)
        if window is None or window.ends_at <= now:
            return None
        return WindowCount(window.count, window.ends_at, -((now - window.ends_at) // _MILLISECOND))

    def adopt(self, key: str, window_s: int, seen: WindowCount) -> None:
        """Take over a count made elsewhere, to continue from it."""
        windows = self._windows.setdefault(window_s, OrderedDict())
        window = windows.get(key)
        now = self._clock()
        # By this process's own clock, which is the one that will be asked.
        ends_at = now + seen.left_ms * _MILLISECOND
        if window is None:
            self._begin(windows, key, now, ends_at, seen.count)
        else:
            window.count, window.ends_at = seen.count, ends_at

    def _begin(
        self, windows: OrderedDict[str, _Window], key: str, now: datetime, ends_at: datetime, count: int
    ) -> _Window:
        windows.pop(key, None)
        for _ in range(2):
            if windows and (len(windows) >= self._size or next(iter(windows.values())).ends_at <= now):
                windows.popitem(last=False)
        window = windows[key] = _Window(count, ends_at)
        return window

    def __len__(self) -> int:
        return sum(len(windows) for windows in self._windows.values())


class SharedCounters(Protocol):
    """Counts that several processes share, each request atomically; raises CountersUnavailable."""

    async def take(self, key: str, window_s: int, /) -> WindowCount:
        """Count one more request of ``key``; begin a window if it has none that is open."""
        ...

    async def peek(self, key: str, /) -> WindowCount | None:
        """Return the open window of ``key`` without counting; None if there is none."""
        ...

    async def ping(self) -> None:
        """Make sure that the store answers."""
        ...


@dataclass(slots=True, eq=False, repr=False)
class Limiter:
    """Decides whether requests may pass, by ``shared`` counters if they answer; ``now`` is in seconds."""

    tiers: Tiers
    local: LocalCounters
    shared: SharedCounters | None = None
    now: Callable[[], float] = monotonic
    _lost: bool = field(default=False, init=False)
    _retry_at: float = field(default=0.0, init=False)

    async def take(self, caller: ApiClient, host: str | None, scope: RateScope) -> Verdict:
        """Count a request, of a caller that connects from ``host``, and judge it; never raises."""
        if is_in_browsers(caller):
            # First: whoever has had its part counts nothing more for all.
            part = await self._judged(_visitor(caller, host, scope), self.tiers.limit_for_visitor(caller, scope))
            if not part.allowed:
                return part
        limit = self.tiers.limit_for(caller, scope)
        verdict = await self._judged(f"{scope}:{requester_of(caller, host)}", limit)
        if verdict.allowed and is_free(caller):
            # Wallets cost nothing: however many owners there are, one address has so many of their limits.
            beside = await self._judged(_beside(host, scope), self.tiers.limit_beside())
            return verdict if beside.allowed else beside
        return verdict

    def room(self, caller: ApiClient, host: str | None, scope: RateScope) -> Room | None:
        """Return where to count at once; None for ``take``: counts are shared, no window is open, or it is full."""
        if self.shared is not None:
            return None
        limit = self.tiers.limit_for(caller, scope)
        room = self.local.room(f"{scope}:{requester_of(caller, host)}", limit.window_s, limit.requests)
        if room is not None and is_free(caller):
            room = self._within(room, _beside(host, scope), self.tiers.limit_beside())
        if room is not None and is_in_browsers(caller):
            room = self._within(room, _visitor(caller, host, scope), self.tiers.limit_for_visitor(caller, scope))
        return room

    def _within(self, room: Room, key: str, limit: Limit) -> Room | None:
        """Return the room where it is also in another window, which has room as well."""
        beside = self.local.room(key, limit.window_s, limit.requests)
        return None if beside is None else replace(room, _beside=replace(beside, _beside=room._beside))

    async def look(self, caller: ApiClient, scope: RateScope) -> tuple[Limit, WindowCount | None]:
        """Return a key's limit and its window, None before it begins; counts nothing, never raises."""
        limit = self.tiers.limit_for(caller, scope)
        key = f"{scope}:{requester_of(caller, None)}"
        if self.shared is not None and not self._lost:
            with suppress(CountersUnavailable):
                return limit, await self.shared.peek(key)
        return limit, self.local.peek(key, limit.window_s)

    @property
    def is_lost(self) -> bool:
        """Whether the shared store did not answer the last call."""
        return self._lost

    async def shared_state(self) -> str | None:
        """Say how the shared store is: ``ok``, or ``degraded`` and why; None without one."""
        if self.shared is None:
            return None
        try:
            await self.shared.ping()
        except CountersUnavailable as error:
            return f"degraded: {error}; each process counts by itself"
        return "ok"

    async def _judged(self, key: str, limit: Limit) -> Verdict:
        if self.shared is None:
            return judge(limit, self.local.take(key, limit.window_s))
        return judge(limit, await self._take(self.shared, key, limit.window_s))

    async def _take(self, shared: SharedCounters, key: str, window_s: int) -> WindowCount:
        if self._lost:
            if self.now() < self._retry_at:
                return self.local.take(key, window_s)
            # One request tries; those that come meanwhile do not wait for it.
            self._retry_at = self.now() + PAUSE_S
        try:
            seen = await shared.take(key, window_s)
        except CountersUnavailable as error:
            if not self._lost:
                structlog.get_logger().warning("rate limits are counted in this process", reason=str(error))
            self._lost = True
            self._retry_at = self.now() + PAUSE_S
            return self.local.take(key, window_s)
        if self._lost:
            self._lost = False
            structlog.get_logger().info("rate limits are shared again")
        self.local.adopt(key, window_s, seen)
        return seen


def _beside(host: str | None, scope: RateScope) -> str:
    """Name what is counted for all keys of owners that one address uses."""
    return f"{scope}:owners:{address_of(host)}"


def _visitor(caller: ApiClient, host: str | None, scope: RateScope) -> str:
    """Name what is counted for one address that uses a key for browsers."""
    return f"{scope}:{requester_of(caller, host)}:{address_of(host)}"
