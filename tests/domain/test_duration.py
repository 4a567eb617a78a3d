"""Durations in words."""

import pytest

from rhumbline.domain.duration import in_largest_unit


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
