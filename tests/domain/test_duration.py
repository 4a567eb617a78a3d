"""Durations in words."""

import pytest

from rhumbline.domain.duration import in_largest_unit, read_seconds


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0, "0 s"),
        (119.9, "119 s"),
        (120, "2 min"),
        (7199, "119 min"),
        (7200, "2 h"),
        (2 * 86_400, "2 d"),
        (1e8, "1,157 d"),
    ],
)
def test_the_largest_unit_of_which_there_are_two(seconds: float, words: str) -> None:
    assert in_largest_unit(seconds) == words


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("90s", 90), (" 10M ", 600), ("2h", 7200), ("7d", 604_800), ("0s", 0)]
    + [(text, None) for text in ("", "m", "10", "1.5h", "-1m", "10 m", "1w", "\u0661m", "9" * 10 + "s")],
)
def test_a_duration_as_people_write_it(text: str, seconds: int | None) -> None:
    assert read_seconds(text) == seconds
