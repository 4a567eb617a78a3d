"""An upstream's call budget, the pace of calls that can wait, and its `Retry-After`."""

from collections import OrderedDict
from enum import StrEnum
from typing import NamedTuple

SHARE = 0.25
"""The largest share of a budget for each purpose that waits for its turn: quotes come first."""
MOST_STATUS_PER_S = 10.0
"""Status polls a second for an upstream without a budget."""
MOST_REQUESTERS = 2_000
"""The most requesters counted per host; the one that asked longest ago makes room."""
FORGOTTEN = 0.5
"""A requester's use is forgotten at this share of the budget's rate."""
MOST_USED = 4.0
"""The most that is counted of a requester's use, in multiples of the bucket."""


class Purpose(StrEnum):
    """The purpose of a call to an upstream."""

    QUOTE = "quote"
    BUILD = "build"
    STATUS = "status"
    PRICE = "price"


WAITING = frozenset({Purpose.STATUS, Purpose.PRICE})
"""Purposes whose calls wait for their turn; a quote fails at once without one, a build is always made."""


class Spared(StrEnum):
    """Why an upstream is not asked."""

    PAUSED = "is paused after failing several times in a row"
    RESTING = "is not asked: it limits our rate"
    USED_UP = "is not asked: its budget of calls is used up for the moment"
    PLANNED = "is not asked: it was asked for another part of this plan already"


class Turn(NamedTuple):
    """When a call may be made: in ``wait_s`` seconds, or not at all, with the reason."""

    wait_s: float
    spared: Spared | None = None


class Spending(NamedTuple):
    """One operation on a budget that several processes share.

    ``what`` is ``turn`` (of a purpose, ``rate`` turns a second), ``take`` or ``owed`` (a call from a bucket of ``size``
    that fills with ``rate``, 0 for no bucket; ``owed`` may overdraw it), or ``rest``. ``seconds`` is the patience, or a
    rest's length. ``requester`` is for whom the call is made, empty for the service's own.
    """

    what: str
    purpose: Purpose
    rate: float
    size: float
    seconds: float
    requester: str = ""


def credit_of(size: float) -> float:
    """Return how far a requester that has taken nothing recently may overdraw a bucket."""
    return max(2.0, size)


def least_left(size: float, used: float) -> float:
    """Return how many calls the bucket must hold for a requester that recently ``used`` so many.

    A requester that has taken as many as the bucket holds needs a full bucket, so that the others always find some
    calls; one that has taken none may overdraw it. A single requester therefore has the whole rate, and no more.
    """
    credit = credit_of(size)
    return 1 - credit + min(1.0, used / size) * (size + credit - 1)


def size_of(calls_per_s: float | None) -> float:
    return max(1.0, 2 * (calls_per_s or 0))


def pace_of(
    purpose: Purpose, calls_per_s: float | None, own_per_s: float | None, apart_per_s: float | None = None
) -> float | None:
    """Return the calls a second of a purpose that waits: its share of the budget, and no more than its own pace.

    What the upstream allows it ``apart`` from its budget takes the share's place.
    """
    shares = {Purpose.STATUS: MOST_STATUS_PER_S, Purpose.PRICE: None}
    share = shares.get(purpose) if calls_per_s is None else calls_per_s * SHARE
    share = share if apart_per_s is None else apart_per_s
    return min((pace for pace in (share, own_per_s) if pace is not None), default=None)


class CallBudget:
    """The budget of one upstream in one process. Times are seconds of a monotonic clock.

    The bucket fills with the rate up to its size. A waiting call is already taken, and is made when the bucket has
    filled: so there are never more calls than its size and the inflow, except overdrawn ones, and by ``credit_of`` more
    if several requesters compete. Each has a fair share, by ``least_left``.
    """

    __slots__ = ("_at", "_left", "_rate", "_size", "_turns", "_used", "rests_until")

    def __init__(self, calls_per_s: float | None, now: float) -> None:
        self._rate = calls_per_s
        self._size = size_of(calls_per_s)
        self._left, self._at = self._size, now
        self._turns: dict[Purpose, float] = {}
        self._used: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self.rests_until = now

    def turn(self, now: float, purpose: Purpose, pace: float | None, patience_s: float) -> Turn:
        """Take the next turn of a purpose at ``pace`` turns a second, within ``patience_s``."""
        if now < self.rests_until:
            return Turn(self.rests_until - now, Spared.RESTING)
        if pace is None:
            return Turn(0.0)
        turn = max(now, self._turns.get(purpose, now))
        if turn - now > patience_s:
            return Turn(turn - now, Spared.USED_UP)
        self._turns[purpose] = turn + 1 / pace
        return Turn(turn - now)

    def take(self, now: float, patience_s: float, *, may_overdraw: bool, requester: str = "") -> Turn:
        """Take one call from the bucket, or the next within ``patience_s``; ``may_overdraw`` takes it at once."""
        if now < self.rests_until:
            return Turn(self.rests_until - now, Spared.RESTING)
        rate = self._rate
        if rate is None:
            return Turn(0.0)
        left = min(self._size, self._left + (now - self._at) * rate)
        used = self._used_by(requester, now, rate) if requester else 0.0
        needed = least_left(self._size, used) if requester else 1.0
        wait_s = 0.0 if may_overdraw or left >= needed else (needed - left) / rate
        if wait_s > patience_s:
            return Turn(wait_s, Spared.USED_UP)
        self._left, self._at = left - 1, now
        if requester:
            self._used[requester] = min(used + 1, MOST_USED * self._size), now
            self._used.move_to_end(requester)
            if len(self._used) > MOST_REQUESTERS:
                self._used.popitem(last=False)
        return Turn(wait_s)

    def _used_by(self, requester: str, now: float, rate: float) -> float:
        used, at = self._used.get(requester, (0.0, now))
        return max(0.0, used - (now - at) * rate * FORGOTTEN)

    def rest(self, until: float) -> None:
        self.rests_until = max(self.rests_until, until)
