"""How often an adapter's quote came to nothing when its turn came."""

from collections import deque
from collections.abc import Callable, Sequence
from fractions import Fraction
from time import monotonic

from rhumbline.domain.quote import Refusal

MEMORY_S = 3600.0
MOST = 50
"""So many of an adapter's last tries count, none older than ``MEMORY_S``."""
_FEWEST = 10
"""Fewer tries count as so many: one failure alone says little."""


class Failures:
    """Remembers of each adapter the last quotes that were to be built.

    One failed when it could not be built, or its run did not do what was promised for no reason of the wallet's or of a
    node or price source of the service's.
    """

    __slots__ = ("_now", "_tries")

    def __init__(self, now: Callable[[], float] = monotonic) -> None:
        self._now = now
        self._tries: dict[str, deque[tuple[float, bool]]] = {}

    def note_try(self, adapter: str, refusals: Sequence[Refusal], *, failed: bool) -> None:
        """Note how a try ended, the last refusal says why; an outage of ours counts for nothing."""
        last = next((each for each in reversed(refusals) if each.adapter == adapter), None)
        if not (failed and last is not None and last.ours):
            self.note(adapter, failed=failed)

    def note(self, adapter: str, *, failed: bool) -> None:
        self._tries.setdefault(adapter, deque(maxlen=MOST)).append((self._now(), failed))

    def share(self, adapter: str) -> Fraction:
        """Return the share of an adapter's tries that failed: 0 to 1."""
        since = self._now() - MEMORY_S
        recent = [failed for at, failed in self._tries.get(adapter, ()) if at >= since]
        return Fraction(sum(recent), max(len(recent), _FEWEST))
