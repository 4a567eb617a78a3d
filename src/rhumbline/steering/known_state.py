"""What a process knows of the operator's will: read before it is ready, and then once a second."""

import asyncio
from collections.abc import Callable
from datetime import datetime
from time import monotonic

import structlog
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.domain.pauses import Pause, Pauses
from rhumbline.gateways.postgres.failures import DATABASE_ERRORS, driver_error
from rhumbline.steering.store import Steered, read_steering

READ_EVERY_S = 1.0
_PATIENCE_S = 5.0
_log = structlog.stdlib.get_logger(__name__)


class Steering:
    """Pauses and the log level. While the store cannot be reached, what was read last holds.

    ``seconds`` is a clock that never jumps.
    """

    def __init__(self, engine: AsyncEngine, seconds: Callable[[], float] = monotonic) -> None:
        # One round trip: each statement sees what was committed before it.
        self._engine = engine.execution_options(isolation_level="AUTOCOMMIT")
        self._seconds = seconds
        self._changed_at: datetime | None = None
        self._is_first = True
        self._level: str | None = None
        self._level_until: float | None = None
        self._applied: str | None = None
        self._apply: Callable[[str | None], None] | None = None
        self._is_read = True
        self.pauses = Pauses()

    @property
    def log_level(self) -> str | None:
        """The level that the operator has set and that has not ended; None for that of the settings."""
        ended = self._level_until is not None and self._seconds() >= self._level_until
        return None if ended else self._level

    async def read(self) -> None:
        """Read once; raise a database error, or TimeoutError, and change nothing."""
        asked_at = self._seconds()
        async with asyncio.timeout(_PATIENCE_S), self._engine.connect() as connection:
            found = await read_steering(connection)
        if self._is_first or found.changed_at != self._changed_at:
            self._take_over(found, asked_at)
        self._apply_log_level()

    async def run(self) -> None:
        """Read once a second until cancelled."""
        while True:
            await asyncio.sleep(READ_EVERY_S)
            try:
                await self.read()
                self._is_read = True
            except (TimeoutError, *DATABASE_ERRORS) as error:
                if self._is_read:
                    _log.warning("steering_not_read", reason=type(driver_error(error)).__name__, holds=self._in_words())
                self._is_read = False
                self._apply_log_level()

    def follow_log_level(self, apply: Callable[[str | None], None]) -> None:
        """Have ``apply`` called with each level that comes into force, None for that of the settings."""
        self._apply = apply
        self._apply_log_level()

    def _apply_log_level(self) -> None:
        if self._apply is not None and (level := self.log_level) != self._applied:
            self._applied = level
            self._apply(level)

    def _take_over(self, found: Steered, asked_at: float) -> None:
        is_first, self._is_first = self._is_first, False
        self._changed_at, self.pauses = found.changed_at, found.pauses
        self._level = found.log_level
        self._level_until = None if found.level_left_s is None else asked_at + found.level_left_s
        fields = {"paused": self._in_words(), "log_level": self.log_level or "settings"}
        if not is_first:
            _log.info("steering_changed", **fields, after_ms=round(1000 * found.age_s))
        elif found.pauses.each or found.log_level is not None:
            _log.info("steered", **fields)

    def _in_words(self) -> list[str]:
        return [place_of(pause) for pause in self.pauses.each]


def place_of(pause: Pause) -> str:
    """Name what a pause is about, for a log line, its chain by ID."""
    if pause.adapter is None:
        return "quoting" if pause.chain is None else f"chain {pause.chain}"
    return pause.adapter if pause.chain is None else f"{pause.adapter} on chain {pause.chain}"
