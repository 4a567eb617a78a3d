"""Snapshots of several tokens that can be shown again, without looking at each, until one of them would differ."""

from asyncio import Event
from collections.abc import Sequence
from typing import NamedTuple

from rhumbline.domain.clock import Clock
from rhumbline.domain.price import PriceSnapshot
from rhumbline.pricing.entry import Entry


class Sight(NamedTuple):
    """What was shown of a token, the entry that it came from, and the entry's mark then; no entry, no second time."""

    snapshot: PriceSnapshot
    entry: Entry | None
    mark: int


class CachedAnswer:
    """What a question for several tokens was answered, in its order."""

    __slots__ = ("_clock", "_entries", "_marks", "_since", "_until", "_wakes", "_woken", "snapshots")

    def __init__(self, sights: Sequence[Sight], clock: Clock, woken: Event) -> None:
        """Remember when what was seen would be seen again; ``woken`` is set while any of it is to be refreshed."""
        self.snapshots = tuple(sight.snapshot for sight in sights)
        self._clock, self._woken = clock, woken
        # Of a token that was asked for twice the first sight counts: it was before the question made a difference.
        first = {id(entry): (entry, mark) for _, entry, mark in reversed(sights) if entry is not None}
        self._entries = tuple(entry for entry, _ in first.values())
        self._marks = [mark for _, mark in first.values()]
        self._wakes = any(snapshot.refreshing for snapshot in self.snapshots)
        # A token without an entry gets one as soon as there is room, and nothing tells when that is.
        is_whole = all(sight.entry is not None for sight in sights)
        self._since = max((entry.since for entry in self._entries), default=None) if is_whole else None
        self._until = min((entry.until for entry in self._entries), default=None)

    def holds(self) -> bool:
        """Tell whether the same question now has the same answer; if so, count as this question: it keeps tokens hot.

        Then no token is cold by now, as the first question made all of them hot, which is a change for those that were
        not; and each is marked as asked for at this moment, just as ``read`` would.
        """
        now = self._clock()
        if self._since is None or self._until is None or not self._since <= now < self._until:
            return False
        if [entry.mark for entry in self._entries] != self._marks:
            return False
        for entry in self._entries:
            entry.asked_at = now
        if self._wakes and not self._woken.is_set():
            self._woken.set()
        return True
