"""The judge of `make load` misses nothing that grows or fails, and calls nothing growth that only jitters."""

import random
from dataclasses import replace

import pytest

from load.judge import Growth, Step, faults, growth, is_beyond, saturation, slope

CALM = Step(
    offered=100, answered=100, good=99, refused=1, unanswered=0, failed=0, late=0, quotes_ms=(600, 1200),
    reads_ms=(2, 9), cpu={"service": 0.9, "generator": 0.1}, faults={},
)  # fmt: skip


def samples(mb_a_minute: float, jitter: float, minutes: float = 10, first: float = 0.0) -> list[tuple[float, float]]:
    """Every five seconds a memory that fills by ``first`` within the first minutes, then grows, and always jitters."""
    dice, found = random.Random(7), []
    for number in range(int(minutes * 12)):
        at = number * 5.0
        filling = first * min(1.0, at / 60)
        found.append((at, 150 + filling + mb_a_minute * at / 60 + dice.uniform(-jitter, jitter)))
    return found


@pytest.mark.parametrize(
    ("mb_a_minute", "jitter", "first", "good"),
    [
        (0.0, 5.0, 0.0, True),
        (0.0, 1.0, 40.0, True),  # caches fill at first
        (0.2, 1.0, 0.0, True),
        (1.0, 1.0, 0.0, False),
        (1.0, 5.0, 40.0, False),
        (-3.0, 1.0, 0.0, True),
    ],
)
def test_growth_is_told_from_jitter_and_from_a_start(
    mb_a_minute: float, jitter: float, first: float, good: bool
) -> None:
    line = [(at, {"rss_mb": value}) for at, value in samples(mb_a_minute, jitter, first=first)]
    (found,) = growth(line)
    assert found.is_bounded is good, found
    assert found.slope == pytest.approx(mb_a_minute, abs=0.4)


def test_one_sample_that_is_off_is_no_growth() -> None:
    line = samples(0.0, 0.0)
    line[-1] = (line[-1][0], 900.0)
    assert slope(line) == 0.0
    assert slope(line[:1]) == 0.0


@pytest.mark.parametrize(("minutes", "good"), [(10, False), (1, True)])
def test_connections_may_not_grow_by_two_a_minute(minutes: int, good: bool) -> None:
    # In one minute two more are nothing that a pool would not do.
    line = [(number * 5.0, {"connections: nodes": float(number // 6)}) for number in range(12 * minutes)]
    (found,) = growth(line)
    assert found.is_bounded is good


def test_connections_that_follow_the_load_are_no_leak_and_a_stair_is() -> None:
    dice = random.Random(11)
    swinging = [(number * 5.0, {"connections: upstreams": dice.uniform(20, 60) + number / 4}) for number in range(120)]
    stairs = [(number * 5.0, {"connections: upstreams": 20.0 + 15 * (number // 30)}) for number in range(120)]
    assert [each.is_bounded for line in (swinging, stairs) for each in growth(line)] == [True, False]


def test_saturation_is_the_most_that_was_well_answered_and_the_curve_goes_beyond_it() -> None:
    steps = [replace(CALM, offered=rate, good=good) for rate, good in ((50, 50), (100, 98), (200, 120), (400, 90))]
    assert saturation(steps) == 120
    assert [is_beyond(steps[: count + 1]) for count in range(4)] == [False, False, False, True]
    assert steps[1].per_core == pytest.approx(98 / 0.9)


def test_what_is_wrong_is_told() -> None:
    grown = [Growth("rss_mb", 150, 151, 0.1, 7, 0.5, 4)]
    assert faults([CALM], grown, errors=0, broken=0) == []
    assert faults([replace(CALM, good=40, refused=60)], [], 0, 0) == []
    failing = replace(CALM, failed=0.5, faults={"prices 500: oh": 6})
    assert faults([CALM, failing], grown, errors=0, broken=0) == [
        "6 times prices 500: oh",
        "0.50 failed answers a second of 100",
    ]
    waiting = replace(CALM, unanswered=5)
    assert faults([waiting], [], 0, 0) == ["5.00 answers a second of 100 are 502"]
    assert faults([replace(waiting, good=50), replace(waiting, unanswered=0.5)], [], 0, 0) == []
    leaking = [*grown, Growth("connections: store", 3, 12, 1.9, 7, 0.5, 8)]
    assert faults([], leaking, errors=2, broken=1) == [
        "connections: store grows by 1.90 a minute",
        "2 lines of the log tell of an error",
        "1 streams ended",
    ]
