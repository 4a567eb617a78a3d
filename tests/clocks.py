"""Clocks that stand still until a test moves them."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import count


@dataclass
class Clock:
    """What time it is."""

    now: datetime

    def __call__(self) -> datetime:
        return self.now

    def move(self, **by: float) -> None:
        self.now += timedelta(**by)


@dataclass
class Seconds:
    """A process's own clock, which never jumps."""

    now: float = 100.0

    def __call__(self) -> float:
        return self.now


def leaping() -> Callable[[], float]:
    """Return a process's clock by which each look at it is far from the one before, so that nothing is kept."""
    return count(0, 1000).__next__
