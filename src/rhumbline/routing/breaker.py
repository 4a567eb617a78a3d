"""Keeps one slow or failing upstream from harming the others, and us from harming an upstream.

A circuit breaker, a bound for calls at once, a budget of calls a second, and obedience to ``Retry-After``.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from time import monotonic
from typing import Any, TypeVar

from rhumbline.domain.errors import AdapterError, UpstreamFailed
from rhumbline.domain.metrics import Metrics, NoMetrics
from rhumbline.routing.call_log import CallLog, log_call

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class BreakerRules:
    """``failures`` in a row open the breaker for ``pause_s`` seconds; at most ``at_once`` calls run at a time.

    ``calls_per_s`` is the upstream's budget, of which two seconds' worth (at least one call) may be used at once; None
    for no bound.
    """

    failures: int = 5
    pause_s: float = 15.0
    at_once: int = 32
    calls_per_s: float | None = None


@dataclass(frozen=True, slots=True)
class Budget:
    """A bucket of calls: ``left`` at the time ``at``; it fills with the rate up to its size."""

    left: float
    at: float

    @staticmethod
    def size(rate: float) -> float:
        """Return how many calls may be made at once."""
        return max(1.0, 2 * rate)

    def spent(self, now: float, rate: float, *, owed: bool = False) -> "Budget | None":
        """Return the bucket after one call, None when there is none left; a call that is ``owed`` may overdraw it."""
        left = min(self.size(rate), self.left + (now - self.at) * rate)
        return Budget(left - 1, now) if left >= 1 or owed else None


@dataclass(frozen=True, slots=True)
class Breaker:
    """The state of one breaker; times in seconds of any clock that only goes forward.

    Closed: ``open_until`` is None. Open: until that time nobody passes. Then one call is let through as a trial; its
    success closes the breaker, its failure opens it again.
    """

    failures: int = 0
    open_until: float | None = None
    trying: bool = False

    def allows(self, now: float) -> bool:
        """Tell whether a call may pass."""
        return self.open_until is None or (now >= self.open_until and not self.trying)

    def entered(self) -> "Breaker":
        """Return the state while a call that was allowed runs."""
        return self if self.open_until is None else replace(self, trying=True)

    def succeeded(self) -> "Breaker":
        """Return the state after a success."""
        return _CLOSED

    def failed(self, now: float, rules: BreakerRules) -> "Breaker":
        """Return the state after a failure that may pass."""
        failures = self.failures + 1
        if self.open_until is not None or failures >= rules.failures:
            return Breaker(failures, now + rules.pause_s)
        return Breaker(failures)

    def left(self) -> "Breaker":
        """Return the state after a call that told nothing: it was cancelled."""
        return replace(self, trying=False)


_CLOSED = Breaker()


class Places:
    """So many at a time, in the order in which they come. One event loop."""

    __slots__ = ("_free", "_waiting")

    def __init__(self, number: int) -> None:
        """Begin with all of them free."""
        self._free = number
        self._waiting: deque[asyncio.Future[None]] = deque()

    def take(self) -> bool:
        """Take a place if one is free."""
        if not self._free:
            return False
        self._free -= 1
        return True

    async def turn(self) -> None:
        """Wait for a place and take it; who is cancelled while waiting has none."""
        waiting = asyncio.get_running_loop().create_future()
        self._waiting.append(waiting)
        try:
            await waiting
        except asyncio.CancelledError:
            if waiting.done() and not waiting.cancelled():
                self.leave()
            raise

    def leave(self) -> None:
        """Give a place back: to who waits longest, so that nobody who comes now is before him."""
        while self._waiting:
            waiting = self._waiting.popleft()
            if not waiting.done():
                waiting.set_result(None)
                return
        self._free += 1


class Guard:
    """What stands before one adapter; ``metrics`` and ``log`` are told how its calls end, by whoever makes them."""

    __slots__ = ("_asking", "_breaker", "_budget", "_now", "_places", "_rest_until", "_rules", "log", "metrics")

    def __init__(
        self,
        rules: BreakerRules,
        now: Callable[[], float] = monotonic,
        metrics: Metrics | None = None,
        log: CallLog = log_call,
    ) -> None:
        """Begin closed and empty."""
        self.metrics: Metrics = metrics or NoMetrics()
        self.log = log
        self._rules = rules
        self._now = now
        self._breaker = _CLOSED
        self._rest_until = now()
        self._budget = Budget(Budget.size(rules.calls_per_s or 0), now())
        self._places = Places(rules.at_once)
        # By identity: a call that held its own task would keep all it had in hand once it is cancelled.
        self._asking: set[int] = set()

    async def run(self, work: Callable[[], Awaitable[T]], *, owed: bool = False) -> T:
        """Do the work when there is a place, and learn from how it ends.

        ``owed`` is what follows from an answer that was within the budget: it is paid for later, by answers that are
        not asked for. Raise what the work raises; UpstreamFailed, without doing the work, while the breaker is open or
        the budget is used up.
        """
        if not self._places.take():
            await self._places.turn()
        try:
            now = self._now()
            if not self._breaker.allows(now):
                raise UpstreamFailed("is paused after failing several times in a row")
            self._spend(now, owed=owed)
            self._breaker = self._breaker.entered()
            self._asking.add(task := id(asyncio.current_task()))
            try:
                result = await work()
            except asyncio.CancelledError:
                self._breaker = self._breaker.left()
                raise
            except Exception as error:
                self._settle(ok=isinstance(error, AdapterError) and not isinstance(error, UpstreamFailed))
                if isinstance(error, UpstreamFailed) and error.retry_after_s:
                    self._rest_until = max(self._rest_until, self._now() + error.retry_after_s)
                raise
            else:
                self._settle(ok=True)
                return result
            finally:
                self._asking.discard(task)
        finally:
            self._places.leave()

    def _spend(self, now: float, *, owed: bool) -> None:
        """Take one call from the budget; nobody is asked before the end of the rest that he asked for."""
        if now < self._rest_until:
            raise UpstreamFailed("is not asked: it wants to be left alone for a while")
        if self._rules.calls_per_s is None:
            return
        budget = self._budget.spent(now, self._rules.calls_per_s, owed=owed)
        if budget is None:
            raise UpstreamFailed("is not asked: its budget of calls is used up for the moment")
        self._budget = budget

    def is_asking(self, task: asyncio.Task[Any]) -> bool:
        """Tell whether the call of a task has begun; until then it waits for a place, and nobody was asked."""
        return id(task) in self._asking

    def overdue(self) -> None:
        """Note that a call was given up because it was too late: a failure."""
        self._settle(ok=False)

    def _settle(self, *, ok: bool) -> None:
        """Count only failures that may pass: an upstream that says no works."""
        breaker = self._breaker
        self._breaker = breaker.succeeded() if ok else breaker.failed(self._now(), self._rules)


class Guards:
    """One guard an adapter, made when it is first asked for."""

    __slots__ = ("_guards", "_log", "_metrics", "_now", "_own", "_rules")

    def __init__(
        self,
        rules: BreakerRules | None = None,
        metrics: Metrics | None = None,
        own: Mapping[str, BreakerRules] | None = None,
        now: Callable[[], float] = monotonic,
        log: CallLog = log_call,
    ) -> None:
        """Use the same metrics and log for all, and the same rules for all that have none of their ``own``, by key."""
        self._metrics = metrics
        self._log = log
        self._rules = rules or BreakerRules()
        self._own = own or {}
        self._now = now
        self._guards: dict[str, Guard] = {}

    def of(self, key: str) -> Guard:
        """Return the guard of an adapter."""
        guard = self._guards.get(key)
        if guard is None:
            rules = self._own.get(key, self._rules)
            guard = self._guards[key] = Guard(rules, self._now, self._metrics, self._log)
        return guard
