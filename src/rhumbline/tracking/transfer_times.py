"""Which transfer has most likely ended since its last poll: if polls are scarce, it comes first.

How long transfers take is taken as log-logistic: half of them take the usual time or less, and few many times as long.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

USUAL_S = 60.0
"""The assumed duration of transfers on a route without any arrival yet."""
_SHAPE = 2.0
"""At three times the usual duration, one in ten is still in progress."""
_WEIGHT = 0.2


class Route(NamedTuple):
    """A route whose transfers take about the same time."""

    adapter: str
    origin_chain_id: int
    destination_chain_id: int | None


@dataclass(frozen=True, slots=True)
class TransferTimes:
    """Stores the recent duration of each route's transfers in seconds, as a moving geometric mean."""

    _usual_s: dict[Route, float] = field(default_factory=dict)

    @property
    def usual_s(self) -> Mapping[Route, float]:
        return self._usual_s

    def arrived(self, route: Route, seconds: float) -> None:
        """Note what a transfer took; chains' clocks may differ, so one of no time takes a second."""
        took_s = max(seconds, 1.0)
        self._usual_s[route] = self._usual_s.get(route, took_s) ** (1 - _WEIGHT) * took_s**_WEIGHT

    def note_unfinished(self, route: Route, seconds: float) -> None:
        """Note that a transfer has not ended after so long, which matters if it is longer than usual."""
        usual_s = self._usual_s.get(route, USUAL_S)
        if seconds > usual_s:
            self._usual_s[route] = usual_s ** (1 - _WEIGHT) * seconds**_WEIGHT

    def likelihood(self, route: Route, started: datetime, asked: datetime | None, now: datetime) -> float:
        """Return how likely a transfer has ended by ``now`` that had not when it was ``asked`` about, from 0 to 1.

        It nears 1 for what was not asked about for much longer than before, so nobody waits without an end.
        """
        usual_s = self._usual_s.get(route, USUAL_S)
        age_s, then_s = (max((at - started).total_seconds(), 0.0) for at in (now, asked or started))
        return 1 - (1 + math.pow(then_s / usual_s, _SHAPE)) / (1 + math.pow(age_s / usual_s, _SHAPE))
