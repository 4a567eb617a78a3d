"""Cached answers of several prices, valid until one of their snapshots would differ."""

from asyncio import Event
from collections.abc import Sequence
from typing import NamedTuple

from rhumbline.domain.clock import Clock
from rhumbline.domain.price import PriceSnapshot
from rhumbline.pricing.entry import Entry


class Sight(NamedTuple):
    """A token's snapshot in an answer, its entry, and the entry's version; without an entry it cannot be reused."""

    snapshot: PriceSnapshot
    entry: Entry | None
    mark: int


class CachedAnswer:
    """The answer to a request for several tokens, in its order."""

    __slots__ = ("_clock", "_entries", "_marks", "_since", "_until", "_wakes", "_woken", "snapshots")

    def __init__(self, sights: Sequence[Sight], clock: Clock, woken: Event) -> None:
        """Compute until when the answer stays the same; ``woken`` is set while any of it is to be refreshed."""
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
        """Return whether the answer is still valid; if so, count as a request, which keeps tokens hot.

        A valid answer has no cold token, because the first request made all of them hot, which changed the entries of
        those that were not; and each is marked as requested now, as by ``read``.
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
