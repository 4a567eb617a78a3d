"""When a service is saturated, and what must not grow under a steady load."""

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

MOST_MB, MOST_MB_A_MINUTE = 4.0, 0.5
MOST_COUNT, MOST_A_MINUTE = 8.0, 0.5
"""Of open files and connections of one kind. Growth is what exceeds both, in all and a minute."""
MOST_UNANSWERED = 0.01
"""The share of 502 that may be among the answers below saturation: upstreams or nodes that did not answer in time."""
SETTLED = 1 / 3
"""The first part of a steady run does not count: caches fill, pools open, Python's arenas take their size."""
MEMORY = ("rss_mb", "pss_mb")
FAIR = 0.75
"""Of what is asked for: a step in which less is well answered is beyond saturation."""


@dataclass(frozen=True)
class Step:
    """What was answered at one rate: all figures by second; ``cpu`` is in cores, by who used it."""

    offered: float
    answered: float
    good: float
    refused: float
    unanswered: float
    failed: float
    late: float
    quotes_ms: tuple[float, float]
    reads_ms: tuple[float, float]
    cpu: Mapping[str, float]
    faults: Mapping[str, int]

    @property
    def per_core(self) -> float:
        """Return the good answers a second of the service's CPU."""
        return self.good / self.cpu["service"] if self.cpu["service"] else 0.0

    @property
    def share(self) -> float:
        """Return which part of what was asked was well answered."""
        return self.good / self.offered


def saturation(steps: Sequence[Step]) -> float:
    """Return the most good answers a second of any step."""
    return max(step.good for step in steps)


def is_beyond(steps: Sequence[Step]) -> bool:
    """Tell whether the curve has gone far enough: two steps in a row are beyond saturation."""
    return len(steps) > 1 and all(step.share < FAIR for step in steps[-2:])


def slope(samples: Sequence[tuple[float, float]]) -> float:
    """Return the growth a minute of (seconds, value), by the median of all pairs' slopes (Theil and Sen).

    A jump that stays counts by its share of the time; one sample that is off does not count at all.
    """
    pairs = [
        60 * (value - before) / (at - earlier)
        for place, (earlier, before) in enumerate(samples)
        for at, value in samples[place + 1 :]
        if at > earlier
    ]
    return statistics.median(pairs) if pairs else 0.0


@dataclass(frozen=True)
class Growth:
    """How much something grows a minute, for how long, from what to what, and how much it may, a minute and in all.

    ``returned`` is whether it was, in the last third, at least once back at what it was in the first: connections
    follow the requests in progress up and down, and what leaks does not come back.
    """

    name: str
    first: float
    last: float
    slope: float
    minutes: float
    bound: float
    most: float
    returned: bool = False

    @property
    def is_bounded(self) -> bool:
        return self.slope <= self.bound or self.slope * self.minutes <= self.most or self.returned


def growth(samples: Sequence[tuple[float, Mapping[str, float]]]) -> list[Growth]:
    """Judge each figure of a process's samples (seconds, figures) after the first part, in which it settles."""
    settled = samples[int(len(samples) * SETTLED) :]
    found = []
    for name in settled[0][1]:
        line = [(at, figures[name]) for at, figures in settled]
        bounds = (MOST_MB_A_MINUTE, MOST_MB) if name in MEMORY else (MOST_A_MINUTE, MOST_COUNT)
        values, third = [value for _, value in line], max(1, len(line) // 3)
        returned = name not in MEMORY and min(values[-third:]) <= max(values[:third])
        minutes = (line[-1][0] - line[0][0]) / 60
        found.append(Growth(name, values[0], values[-1], slope(line), minutes, *bounds, returned))
    return found


def faults(steps: Sequence[Step], grown: Sequence[Growth], errors: int, broken: int) -> list[str]:
    """Return what is wrong: answers that failed, errors in the log, streams that ended, whatever grows."""
    wrong = [f"{count} times {words}" for step in steps for words, count in step.faults.items()]
    wrong += [f"{step.failed:.2f} failed answers a second of {step.offered:.0f}" for step in steps if step.failed]
    wrong += [
        f"{step.unanswered:.2f} answers a second of {step.offered:.0f} are 502"
        for step in steps
        if step.share >= FAIR and step.unanswered > MOST_UNANSWERED * step.answered
    ]
    wrong += [f"{each.name} grows by {each.slope:.2f} a minute" for each in grown if not each.is_bounded]
    wrong += [f"{errors} lines of the log tell of an error"] if errors else []
    return [*wrong, *([f"{broken} streams ended"] if broken else [])]
