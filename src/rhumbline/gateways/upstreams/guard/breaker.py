"""A circuit breaker: who failed several times in a row is left alone for a while, and then tried by one call."""

from dataclasses import dataclass, replace


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
        return self.open_until is None or (now >= self.open_until and not self.trying)

    def entered(self) -> "Breaker":
        return self if self.open_until is None else replace(self, trying=True)

    def succeeded(self) -> "Breaker":
        return CLOSED

    def failed(self, now: float, most: int, pause_s: float) -> "Breaker":
        """Return the state after a failure that may pass; ``most`` in a row open it for ``pause_s``."""
        failures = self.failures + 1
        if self.open_until is not None or failures >= most:
            return Breaker(failures, now + pause_s)
        return Breaker(failures)

    def left(self) -> "Breaker":
        """Return the state after a call that told nothing: it was cancelled."""
        return replace(self, trying=False) if self.trying else self


CLOSED = Breaker()
