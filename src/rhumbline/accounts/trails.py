"""Trails that wait to be written: bounded, so that a slow store costs explanations and no quotes."""

from collections import deque
from dataclasses import dataclass, field

from rhumbline.domain.account import ApiClient
from rhumbline.domain.clock import Clock
from rhumbline.domain.trail import Trail

MOST_WAITING = 2_000
"""So many trails wait for the store; further ones are dropped and counted.

With twelve offers one holds some 16 KiB until its notes are made, once a second.
"""


@dataclass(slots=True, eq=False)
class Trails:
    """Begins trails, and takes those that have ended. Neither waits for anything, nor raises."""

    clock: Clock
    dropped: int = field(default=0, init=False)
    _waiting: deque[Trail] = field(default_factory=deque, init=False)

    def begin(self, request_id: str, endpoint: str, caller: ApiClient) -> Trail:
        """Return a request's trail, which is kept once it is given to ``keep``."""
        integrator = None if caller.integrator is None else caller.integrator.name
        return Trail(request_id, endpoint, self.clock(), integrator, caller.key_id)

    def keep(self, trail: Trail) -> None:
        """Have a trail that has ended written."""
        if len(self._waiting) < MOST_WAITING:
            self._waiting.append(trail)
        else:
            self.dropped += 1

    def waiting(self) -> list[Trail]:
        """Return all that wait, which are still kept here."""
        return list(self._waiting)

    def take(self, most: int) -> list[Trail]:
        """Return at most so many, the oldest, which are not kept here any more."""
        return [self._waiting.popleft() for _ in range(min(most, len(self._waiting)))]

    def give_back(self, trails: list[Trail]) -> None:
        """Keep those that could not be written; where there is no place the oldest are dropped."""
        room = MOST_WAITING - len(self._waiting)
        self.dropped += max(0, len(trails) - room)
        self._waiting.extendleft(reversed(trails[len(trails) - room :] if len(trails) > room else trails))
