"""A circuit breaker: after several failures in a row a host is paused, and then tried by one call."""

from collections.abc import Hashable
from dataclasses import dataclass, replace
from typing import NamedTuple


class CallOrigin(NamedTuple):
    """The requester and the question of a call: a failure may be the fault of the host or of either."""

    requester: str
    question: Hashable


@dataclass(frozen=True, slots=True)
class Breaker:
    """The state of one breaker; times in seconds of a monotonic clock.

    Closed: ``open_until`` is None. Open: until that time no call passes. Then one call is a trial; its success closes
    the breaker, its failure opens it again. ``counted`` are requesters and questions of the failures that count:
    another failure of any of them is no new evidence.
    """

    failures: int = 0
    open_until: float | None = None
    trying: bool = False
    counted: frozenset[tuple[str, Hashable]] = frozenset()

    def allows(self, now: float) -> bool:
        return self.open_until is None or (now >= self.open_until and not self.trying)

    def entered(self) -> "Breaker":
        return self if self.open_until is None else replace(self, trying=True)

    def failed(self, now: float, most: int, pause_s: float, origin: CallOrigin | None = None) -> "Breaker":
        """Return the state after a temporary failure; ``most`` in a row open it for ``pause_s``.

        With ``origin`` it counts once for each requester and question: no single requester can open a breaker, or keep
        it open. Without, it always counts: the call is the service's own, or no requester can have caused the failure.
        """
        counted = self.counted
        if origin is not None:
            new = {("requester", origin.requester), ("question", origin.question)}
            if counted & new:
                return self.left()
            counted |= new
        failures = self.failures + 1
        if self.open_until is None and failures < most:
            return Breaker(failures, counted=counted)
        # Once it is open, those who opened it may keep it open once.
        return Breaker(failures, now + pause_s, counted=counted if self.open_until is not None else frozenset())

    def left(self) -> "Breaker":
        """Return the state after a cancelled call, which shows nothing."""
        return replace(self, trying=False) if self.trying else self


CLOSED = Breaker()
"""Also the state after a success."""
