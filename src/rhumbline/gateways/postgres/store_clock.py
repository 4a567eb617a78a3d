"""The store's time: the one clock that all processes share.

It is asked for with each heartbeat of the leases and goes on by a clock that never jumps in between. A process's own
clock decides nothing that is shared; how far it is off is known at any moment, and said.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from time import monotonic

import structlog
from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.domain.clock import Clock, system_clock
from rhumbline.domain.errors import ClockOff

MOST_OFF_S = 5.0
"""A process whose clock is further off the store's issues no transactions and deletes none."""
_UNSURE_S = 1.0
"""An answer that took longer than twice this is less exact than the present estimate."""
_log = structlog.stdlib.get_logger(__name__)


class StoreClock:
    """The store's time. Until the first answer of the store it is the process's own.

    ``system`` is the process's own clock, ``seconds`` one that never jumps.
    """

    def __init__(self, system: Clock = system_clock, seconds: Callable[[], float] = monotonic) -> None:
        self._system = system
        self._seconds = seconds
        self._base: tuple[datetime, float] | None = None
        self._unsure_s = 0.0
        self._off = False

    def __call__(self) -> datetime:
        if self._base is None:
            return self._system()
        there, at = self._base
        return there + timedelta(seconds=self._seconds() - at)

    async def measure(self, engine: AsyncEngine) -> None:
        """Ask the store; raise a database error."""
        async with engine.connect() as connection:
            asked_at = self._seconds()
            there = (await connection.execute(select(func.clock_timestamp()))).scalar_one()
            self.heard(there, asked_at)

    def heard(self, there: datetime, asked_at: float) -> None:
        """Take over what the store has just answered to a question of ``asked_at`` (by ``seconds``).

        It was so somewhere between question and answer: half of that time is how far this may be wrong.
        """
        now = self._seconds()
        unsure_s = (now - asked_at) / 2
        if self._base is None or unsure_s <= _UNSURE_S:
            self._base = there + timedelta(seconds=unsure_s), now
            self._unsure_s = unsure_s
        self._say()

    @property
    def off_s(self) -> float:
        """How far the process's own clock is ahead of the store's now; negative where it is behind."""
        return (self._system() - self()).total_seconds()

    @property
    def is_off(self) -> bool:
        """Return whether the process's own clock is certainly off by more than allowed."""
        return abs(self.off_s) - self._unsure_s > MOST_OFF_S

    def require(self) -> None:
        """Raise ClockOff where the process's own clock is too far off to hand out what is bound to a time."""
        if self.is_off:
            raise ClockOff(f"This process's clock is {in_words(self.off_s)} the store's; ask again shortly")

    def _say(self) -> None:
        if self.is_off == self._off:
            return
        self._off = not self._off
        if self._off:
            remedy = "set this machine's clock, or the store's: meanwhile nothing is handed out and nothing forgotten"
            _log.error("clock_off", own_is=f"{in_words(self.off_s)} the store's", remedy=remedy)
        else:
            _log.info("clock_right_again")


def in_words(off_s: float) -> str:
    """Say how far a clock is from another: ``12 s ahead of``."""
    return f"{abs(off_s):.0f} s {'ahead of' if off_s > 0 else 'behind'}"
