"""Time, so that tests can hold it still."""

from collections.abc import Callable
from datetime import UTC, datetime

Clock = Callable[[], datetime]
"""Returns the present in UTC, with its time zone."""


def system_clock() -> datetime:
    return datetime.now(UTC)
