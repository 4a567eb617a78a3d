"""Keeps one slow or failing upstream from harming the others: a circuit breaker and a bound for calls at once."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from time import monotonic
from typing import TypeVar

from rhumbline.domain.errors import AdapterError, UpstreamFailed
from rhumbline.domain.metrics import Metrics, NoMetrics

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class BreakerRules:
    """``failures`` in a row open the breaker for ``pause_s`` seconds; at most ``at_once`` calls run at a time."""

    failures: int = 5
    pause_s: float = 15.0
    at_once: int = 32


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
        return replace(self, trying=self.open_until is not None)

    def succeeded(self) -> "Breaker":
        """Return the state after a success."""
        return Breaker()

    def failed(self, now: float, rules: BreakerRules) -> "Breaker":
        """Return the state after a failure that may pass."""
        failures = self.failures + 1
        if self.open_until is not None or failures >= rules.failures:
            return Breaker(failures, now + rules.pause_s)
        return Breaker(failures)

    def left(self) -> "Breaker":
        """Return the state after a call that told nothing: it was cancelled."""
        return replace(self, trying=False)


class Guard:
    """What stands before one adapter; ``metrics`` is told how its calls end, by whoever makes them."""

    __slots__ = ("_breaker", "_now", "_places", "_rules", "metrics")

    def __init__(
        self, rules: BreakerRules, now: Callable[[], float] = monotonic, metrics: Metrics | None = None
    ) -> None:
        """Begin closed and empty."""
        self.metrics: Metrics = metrics or NoMetrics()
        self._rules = rules
        self._now = now
        self._breaker = Breaker()
        self._places = asyncio.Semaphore(rules.at_once)

    async def run(self, work: Callable[[], Awaitable[T]]) -> T:
        """Do the work when there is a place, and learn from how it ends.

        Raise what the work raises; UpstreamFailed, without doing the work, while the breaker is open.
        """
        async with self._places:
            if not self._breaker.allows(self._now()):
                raise UpstreamFailed("is paused after failing several times in a row")
            self._breaker = self._breaker.entered()
            try:
                result = await work()
            except asyncio.CancelledError:
                self._breaker = self._breaker.left()
                raise
            except Exception as error:
                self._settle(ok=isinstance(error, AdapterError) and not isinstance(error, UpstreamFailed))
                raise
            self._settle(ok=True)
            return result

    def overdue(self) -> None:
        """Note that a call was given up because it was too late: a failure."""
        self._settle(ok=False)

    def _settle(self, *, ok: bool) -> None:
        """Count only failures that may pass: an upstream that says no works."""
        breaker = self._breaker
        self._breaker = breaker.succeeded() if ok else breaker.failed(self._now(), self._rules)


class Guards:
    """One guard an adapter, made when it is first asked for."""

    __slots__ = ("_guards", "_metrics", "_rules")

    def __init__(self, rules: BreakerRules | None = None, metrics: Metrics | None = None) -> None:
        """Use the same rules, and the same metrics, for all."""
        self._metrics = metrics
        self._rules = rules or BreakerRules()
        self._guards: dict[str, Guard] = {}

    def of(self, key: str) -> Guard:
        """Return the guard of an adapter."""
        return self._guards.setdefault(key, Guard(self._rules, metrics=self._metrics))
