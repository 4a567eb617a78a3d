"""When a request that changes nothing is repeated, and after how long."""

import random
from dataclasses import dataclass

from rhumbline_client.errors import AdapterInternal, RhumblineError, ServiceError, Unreachable

PASSING = frozenset({429, 503})
JITTER = 0.2


@dataclass(frozen=True, slots=True, kw_only=True)
class Retries:
    """How often a read is tried in all, the first pause, and the longest single pause, in seconds.

    A service that asks for a longer pause than ``longest`` gets no other request: its error is raised at once, with
    ``retry_after``. ``Retries(attempts=1)`` repeats nothing.
    """

    attempts: int = 4
    first: float = 0.5
    longest: float = 30.0

    def pause(self, attempt: int, error: RhumblineError) -> float | None:
        """Return the seconds to wait after an attempt, counted from 1; None if there is no other."""
        if attempt >= self.attempts or not passes(error):
            return None
        wait: float = self.first * 2.0 ** (attempt - 1)
        asked = error.retry_after if isinstance(error, ServiceError) else None
        if asked is not None:
            if asked > self.longest:
                return None
            wait = max(wait, asked)
        # Clients that were refused together do not come back together.
        return min(wait, self.longest) * random.uniform(1.0, 1.0 + JITTER)


def passes(error: RhumblineError) -> bool:
    """Tell whether a failure is one that passes by itself."""
    if isinstance(error, ServiceError):
        return error.status in PASSING or isinstance(error, AdapterInternal)
    return isinstance(error, Unreachable)
