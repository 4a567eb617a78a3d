"""Counts what adapters did in requests, in memory; a writer takes the counts away every second.

A request costs a few additions here, and nothing else; what there are counts of is bounded, and so is what one caller
adds to them: nobody makes an adapter look busy, or refusing, by asking again and again.
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
"""So many requests of one caller are counted a day for a pair of chains, by each process."""
MOST_CALLERS = 50_000
"""The callers and pairs that a process tells apart a day; requests of further ones are not counted."""
MOST_COUNTS = 50_000
MOST_PROMISES = 20_000
"""So many counts and promises wait while the store is away; further ones are lost."""

Key = tuple[AdapterPair, Counted]


class Scores(NamedTuple):
    """What was counted of a day, by days, and promised."""

    counts: Mapping[date, Counter[Key]]
    promises: list[Promise]


@dataclass(slots=True, eq=False)
class ScoreTally:
    """Takes counts and promises; neither waits for anything, nor raises. ``clock`` is the store's.

    What an answer leaves to be noted is noted when all of it is taken, and not while its caller waits.
    """

    clock: Clock
    lost: int = field(default=0, init=False)
    uncounted: int = field(default=0, init=False)
    _running: Counter[Key] = field(default_factory=Counter, init=False)
    _kept: dict[date, Counter[Key]] = field(default_factory=dict, init=False)
    _promises: deque[Promise] = field(default_factory=deque, init=False)
    _left: deque[Callable[[ScoreTally], None]] = field(default_factory=deque, init=False)
    _callers: Counter[tuple[str, int, int]] = field(default_factory=Counter, init=False)
    _day: date | None = field(default=None, init=False)

    def admits(self, requester: str, origin_chain_id: int, destination_chain_id: int) -> bool:
        """Return whether one more request of a caller is counted today; those beyond are ``uncounted``."""
        caller = requester, origin_chain_id, destination_chain_id
        if self._callers[caller] < MOST_OF_CALLER and (caller in self._callers or len(self._callers) < MOST_CALLERS):
            self._callers[caller] += 1
            return True
        self.uncounted += 1
        return False

    def add(self, counted: Iterable[Key]) -> None:
        for key in counted:
            if key in self._running or len(self._running) < MOST_COUNTS:
                self._running[key] += 1
            else:
                self.lost += 1

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
        counts, self._kept = self._kept, {}
        if self._running:
            counts.setdefault(today, Counter()).update(self._running)
        promises = list(self._promises)
        self._running = Counter()
        self._promises.clear()
        return Scores(counts, promises)

    def give_back(self, scores: Scores) -> None:
        """Keep what could not be written for the next time, as far as there is room."""
        for day, counts in scores.counts.items():
            kept = self._kept.setdefault(day, Counter())
            for key, number in counts.items():
                if key in kept or len(kept) < MOST_COUNTS:
                    kept[key] += number
                else:
                    self.lost += number
        room = MOST_PROMISES - len(self._promises)
        self.lost += max(0, len(scores.promises) - room)
        self._promises.extendleft(reversed(scores.promises[max(0, len(scores.promises) - room) :]))
