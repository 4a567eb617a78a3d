"""The order of refreshes: hot before unknown before cold, and within each the longest due first."""

import heapq
from collections.abc import Callable
from datetime import datetime

from rhumbline.domain.price import PriceTier
from rhumbline.pricing.entry import Entry

_RANKS = 3


class RefreshQueue:
    """Due times of entries. An entry may be put down several times; whether it is due is asked of the entry itself."""

    def __init__(self) -> None:
        self._later: list[tuple[datetime, int, Entry]] = []
        self._ready: tuple[dict[int, Entry], ...] = tuple({} for _ in range(_RANKS))
        self._count = 0

    def put(self, entry: Entry, at: datetime) -> None:
        self._count += 1
        heapq.heappush(self._later, (at, self._count, entry))

    def take(self, now: datetime, most: int, may_start: Callable[[Entry], bool]) -> list[Entry]:
        """Take out at most ``most`` due entries and start them; what is not ``may_start`` now stays where it is."""
        self._advance(now)
        started: list[Entry] = []
        for ready in self._ready:
            for name, entry in list(ready.items()):
                if len(started) >= most:
                    return started
                if entry.running or entry.removed:
                    del ready[name]
                elif may_start(entry):
                    del ready[name]
                    due = entry.due_at(now)
                    if due <= now:
                        entry.start()
                        started.append(entry)
                    else:
                        # It got cold while no source could be asked.
                        self.put(entry, due)
        return started

    def wait_s(self, now: datetime) -> float:
        """Return the seconds until something becomes due: 0 when something is, infinity when there is nothing."""
        if any(self._ready):
            return 0.0
        return max((self._later[0][0] - now).total_seconds(), 0.0) if self._later else float("inf")

    def _advance(self, now: datetime) -> None:
        while self._later and self._later[0][0] <= now:
            _, _, entry = heapq.heappop(self._later)
            if entry.running or entry.removed:
                continue
            due = entry.due_at(now)
            if due > now:
                self.put(entry, due)
            else:
                self._ready[_rank(entry, now)][id(entry)] = entry


def _rank(entry: Entry, now: datetime) -> int:
    if entry.tier(now) is PriceTier.COLD:
        return 2
    return 0 if entry.last is not None or entry.pinned else 1
