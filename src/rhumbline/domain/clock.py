"""Time as an argument, so that tests can control it."""

from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial

Clock = Callable[[], datetime]
"""Returns the present in UTC, with its time zone."""

system_clock: Clock = partial(datetime.now, UTC)
