"""How often somebody may ask: a limit, and how much of it a window has used."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Limit:
    """At most ``requests`` in a window of ``window_s`` seconds, which begins with its first request."""

    requests: int
    window_s: int


@dataclass(frozen=True, slots=True)
class WindowCount:
    """A window after one more request: how many came in it, that one included, when it ends, and in how many ms.

    ``ends_at`` is by the clock of whoever counts; ``left_ms`` holds whatever the reader's own clock says.
    """

    count: int
    ends_at: datetime
    left_ms: int


class CountersUnavailable(Exception):
    """Counts that several processes share cannot be had now; the text says why and may be shown."""
