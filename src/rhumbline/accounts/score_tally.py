"""Counts what adapters did in requests, in memory; a writer takes the counts away every second.

A request costs a few additions here, and nothing else; what waits is bounded, and so is what one caller adds: nobody
makes an adapter look busy, or refusing, by asking again and again. Here the bound is kept as far as this process knows;
the writer keeps it for all processes together, and tells what they know.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import NamedTuple

from rhumbline.domain.clock import Clock
from rhumbline.domain.scorecard import AdapterPair, Counted, Promise

MOST_OF_CALLER = 100
"""So many requests of one caller are counted a day for a pair of chains, by all processes together."""
MOST_CALLERS = 50_000
"""The callers and pairs that a process tells apart a day; requests of further ones are not counted."""
MOST_REQUESTS = 20_000
MOST_PROMISES = 20_000
"""So many requests and promises wait while the store is away; further ones are lost."""
_MOST_KEYS = 50_000

Key = tuple[AdapterPair, Counted]


class CallerPair(NamedTuple):
    """Who asks, on a pair of chains."""

    requester: str
    origin_chain_id: int
    destination_chain_id: int


class CallersRequest(NamedTuple):
    """What one request of a caller counts for."""

    caller: CallerPair
    counted: tuple[Key, ...]


class Scores(NamedTuple):
    """The requests of callers, by days, and what was promised."""

    requests: Mapping[date, list[CallersRequest]]
    promises: list[Promise]


@dataclass(slots=True, eq=False)
class ScoreTally:
    """Takes requests and promises; neither waits for anything, nor raises. ``clock`` is the store's.

    What an answer leaves to be noted is noted when all of it is taken, and not while its caller waits. ``uncounted``
    are the requests beyond what their callers may add.
    """

    clock: Clock
    lost: int = field(default=0, init=False)
    uncounted: int = field(default=0, init=False)
    _running: list[CallersRequest] = field(default_factory=list, init=False)
    _kept: dict[date, list[CallersRequest]] = field(default_factory=dict, init=False)
    _promises: deque[Promise] = field(default_factory=deque, init=False)
    _left: deque[Callable[[ScoreTally], None]] = field(default_factory=deque, init=False)
    _callers: Counter[CallerPair] = field(default_factory=Counter, init=False)
    _keys: dict[Key, Key] = field(default_factory=dict, init=False)
    _day: date | None = field(default=None, init=False)

    def add(self, caller: CallerPair, counted: Iterable[Key]) -> None:
        """Count one request of a caller, unless it is known to have had its part today."""
        known = self._callers.get(caller)
        if len(self._callers) >= MOST_CALLERS if known is None else known >= MOST_OF_CALLER:
            self.uncounted += 1
        elif self._waiting() >= MOST_REQUESTS:
            self.lost += 1
        else:
            self._callers[caller] += 1
            # Requests wait one by one until it is known how many of a caller's count, so they share what they name.
            if len(self._keys) > _MOST_KEYS:
                self._keys = {}
            self._running.append(CallersRequest(caller, tuple(self._keys.setdefault(key, key) for key in counted)))

    def promise(self, promise: Promise) -> None:
        if len(self._promises) < MOST_PROMISES:
            self._promises.append(promise)
        else:
            self.lost += 1

    def later(self, note: Callable[[ScoreTally], None]) -> None:
        """Have something noted at the next ``take``."""
        if len(self._left) < MOST_PROMISES:
            self._left.append(note)
        else:
            self.lost += 1

    def take(self) -> Scores:
        """Return everything since the last call, counted for this day, with what was given back, and forget it."""
        while self._left:
            self._left.popleft()(self)
        today = self.clock().date()
        if today != self._day:
            self._day, self._callers = today, Counter()
        requests, self._kept = self._kept, {}
        if self._running:
            requests.setdefault(today, []).extend(self._running)
        promises = list(self._promises)
        self._running = []
        self._promises.clear()
        return Scores(requests, promises)

    def learn(self, day: date, counted: Mapping[CallerPair, int], refused: int) -> None:
        """Take over how many requests all processes have counted of callers on a day; ``refused`` were beyond."""
        self.uncounted += refused
        if day == self._day:
            for caller, number in counted.items():
                self._callers[caller] = max(self._callers[caller], number)

    def give_back(self, scores: Scores) -> None:
        """Keep what could not be written for the next time, as far as there is room."""
        for day, requests in scores.requests.items():
            room = max(MOST_REQUESTS - self._waiting(), 0)
            self._kept.setdefault(day, []).extend(requests[:room])
            self.lost += max(len(requests) - room, 0)
        room = MOST_PROMISES - len(self._promises)
        self.lost += max(0, len(scores.promises) - room)
        self._promises.extendleft(reversed(scores.promises[max(0, len(scores.promises) - room) :]))

    def _waiting(self) -> int:
        return len(self._running) + sum(len(requests) for requests in self._kept.values())
