"""Counts requests by key, endpoint, status and latency, in memory; a writer takes the counts away every few seconds.

A request costs a look-up and a few additions here, and nothing else; what there are counts of is bounded.
"""

from bisect import bisect_left
from collections import deque
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

from rhumbline.domain.account import ApiClient
from rhumbline.domain.clock import Clock

BOUNDS_MS = (5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10000)
"""The upper bounds of all classes of latency but the last, which has none."""
CLASSES = len(BOUNDS_MS) + 1
MOST_COUNTS = 20_000
"""So many counts are kept while the store is away; further ones are lost."""
MOST_FAILURES = 20
"""So many failed requests of one integrator are kept from one writing to the next: the latest."""
_MOST_FAILING = 500
_BOUNDS_S = tuple(bound / 1000 for bound in BOUNDS_MS)
_FAILED = 400
_LONGEST = 64


class CountKey(NamedTuple):
    """What is counted together within a minute."""

    integrator: str
    start: datetime
    key_id: int
    endpoint: str
    status: int


@dataclass(slots=True)
class Count:
    """Requests, the slowest of them, and how many there are of each class of latency."""

    requests: int = 0
    slowest_s: float = 0.0
    latencies: list[int] = field(default_factory=lambda: [0] * CLASSES)

    def add(self, seconds: float) -> None:
        self.requests += 1
        if seconds > self.slowest_s:
            self.slowest_s = seconds
        self.latencies[bisect_left(_BOUNDS_S, seconds)] += 1

    def include(self, other: "Count") -> None:
        self.requests += other.requests
        self.slowest_s = max(self.slowest_s, other.slowest_s)
        self.latencies = [one + more for one, more in zip(self.latencies, other.latencies, strict=True)]

    @property
    def slowest_ms(self) -> int:
        return min(round(self.slowest_s * 1000), 2**31 - 1)


class FailedRequest(NamedTuple):
    """A request that had an error for an answer; ``code`` is the error's, ``request_id`` names it in the log."""

    integrator: str
    at: datetime
    key_id: int
    endpoint: str
    status: int
    code: str
    request_id: str
    ms: int


class Tallied(NamedTuple):
    """What was counted, and the failures among it."""

    counts: dict[CountKey, Count]
    failures: list[FailedRequest]


@dataclass(slots=True, eq=False)
class RequestTally:
    """Counts requests that come with a key, valid or refused by its terms."""

    clock: Clock
    lost: int = field(default=0, init=False)
    _running: dict[tuple[int, str, int], tuple[str, Count]] = field(default_factory=dict, init=False)
    _failing: dict[str, deque[FailedRequest]] = field(default_factory=dict, init=False)
    _kept: dict[CountKey, Count] = field(default_factory=dict, init=False)

    def add(
        self, caller: ApiClient, endpoint: str, status: int, seconds: float, code: str = "", request_id: str = ""
    ) -> None:
        """Count a request by its route template; one without a key counts nowhere. Never raises."""
        if caller.key_id is None or caller.integrator is None:
            return
        key = caller.key_id, endpoint, status
        found = self._running.get(key)
        if found is None:
            if len(self._running) >= MOST_COUNTS:
                self.lost += 1
                return
            found = self._running[key] = caller.integrator.name, Count()
        found[1].add(seconds)
        if status >= _FAILED:
            self._keep_failure(caller.integrator.name, caller.key_id, endpoint, status, seconds, code, request_id)

    def take(self) -> Tallied:
        """Return everything counted since the last call, by this minute, with what was given back, and forget it."""
        start = self.clock().replace(second=0, microsecond=0)
        counts, self._kept = self._kept, {}
        for (key_id, endpoint, status), (integrator, count) in self._running.items():
            self._include(counts, CountKey(integrator, start, key_id, endpoint, status), count)
        failures = [failed for each in self._failing.values() for failed in each]
        self._running, self._failing = {}, {}
        return Tallied(counts, failures)

    def give_back(self, counts: dict[CountKey, Count]) -> None:
        """Keep what could not be written for the next time; failures are not worth it."""
        for key, count in counts.items():
            self._include(self._kept, key, count)

    def _include(self, counts: dict[CountKey, Count], key: CountKey, count: Count) -> None:
        found = counts.get(key)
        if found is not None:
            found.include(count)
        elif len(counts) < MOST_COUNTS:
            counts[key] = count
        else:
            self.lost += count.requests

    def _keep_failure(
        self, integrator: str, key_id: int, endpoint: str, status: int, seconds: float, code: str, request_id: str
    ) -> None:
        latest = self._failing.get(integrator)
        if latest is None:
            if len(self._failing) >= _MOST_FAILING:
                return
            latest = self._failing[integrator] = deque(maxlen=MOST_FAILURES)
        ms = min(round(seconds * 1000), 2**31 - 1)
        latest.append(
            FailedRequest(
                integrator, self.clock(), key_id, endpoint, status, code[:_LONGEST], request_id[:_LONGEST], ms
            )
        )


def start_of_hour(start: datetime) -> datetime:
    return start.replace(minute=0)


def by_hour(counts: dict[CountKey, Count]) -> dict[CountKey, Count]:
    """Return the same counts by hours."""
    hours: dict[CountKey, Count] = {}
    for key, count in counts.items():
        hours.setdefault(key._replace(start=start_of_hour(key.start)), Count()).include(count)
    return hours
