"""A circuit breaker: who failed several times in a row is left alone for a while, and then tried by one call."""

from collections.abc import Hashable
from dataclasses import dataclass, replace
from typing import NamedTuple


class CallOrigin(NamedTuple):
    """By whom a host was asked, and what: a failure may be of the host, of who asks, or of what is asked."""

    requester: str
    question: Hashable


@dataclass(frozen=True, slots=True)
class Breaker:
    """The state of one breaker; times in seconds of any clock that only goes forward.

    Closed: ``open_until`` is None. Open: until that time nobody passes. Then one call is let through as a trial; its
    success closes the breaker, its failure opens it again. ``counted`` are requesters and questions of failures that
    count: another one of any of them tells nothing new.
    """

    failures: int = 0
    open_until: float | None = None
    trying: bool = False
    counted: frozenset[tuple[str, Hashable]] = frozenset()

    def allows(self, now: float) -> bool:
        return self.open_until is None or (now >= self.open_until and not self.trying)

    def entered(self) -> "Breaker":
        return self if self.open_until is None else replace(self, trying=True)

    def succeeded(self) -> "Breaker":
        return CLOSED

    def failed(self, now: float, most: int, pause_s: float, asking: CallOrigin | None = None) -> "Breaker":
        """Return the state after a failure that may pass; ``most`` in a row open it for ``pause_s``.

        With ``asking`` it counts once a requester and once a question: nobody opens a breaker alone, and nobody keeps
        one open. Without, it counts in any case: it is the service's own, or no caller can have brought it about.
        """
        counted = self.counted
        if asking is not None:
            new = {("requester", asking.requester), ("question", asking.question)}
            if counted & new:
                return self.left()
            counted |= new
        failures = self.failures + 1
        if self.open_until is None and failures < most:
            return Breaker(failures, counted=counted)
        # Once it is open, who has opened it may keep it open once.
        return Breaker(failures, now + pause_s, counted=counted if self.open_until is not None else frozenset())

    def left(self) -> "Breaker":
        """Return the state after a call that told nothing: it was cancelled."""
        return replace(self, trying=False) if self.trying else self


CLOSED = Breaker()
