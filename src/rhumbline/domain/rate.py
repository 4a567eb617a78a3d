"""A rate limit, and how much of it a window has used."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Limit:
    """At most ``requests`` in a window of ``window_s`` seconds, which begins with its first request."""

    requests: int
    window_s: int


@dataclass(frozen=True, slots=True)
class WindowCount:
    """A window after one more request: the number of requests in it including this one, its end, and the ms until then.

    ``ends_at`` is by the counter's clock; ``left_ms`` is independent of the reader's clock.
    """

    count: int
    ends_at: datetime
    left_ms: int


class CountersUnavailable(Exception):
    """The shared counts cannot be reached; the text says why and may be shown."""
