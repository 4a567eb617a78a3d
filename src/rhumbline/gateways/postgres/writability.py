"""Whether a database that answers also takes what is written to it."""

from collections.abc import Callable
from time import monotonic

import asyncpg
from sqlalchemy import event
from sqlalchemy.engine import ExceptionContext
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.gateways.postgres.failures import driver_error

HELD_S = 45.0
"""How long a refusal counts: what goes on writing tries again within 30 seconds, and is then refused again."""
# https://www.postgresql.org/docs/current/errcodes-appendix.html (read 2026-11): disk full, I/O error, read-only.
_REFUSALS = frozenset({"53100", "58030", "25006"})


class Refusals:
    """Notes when statements on an engine, whoever makes them, are refused because the server does not write."""

    __slots__ = ("_at", "_name", "_now")

    def __init__(self, engine: AsyncEngine, now: Callable[[], float] = monotonic) -> None:
        """Listen from now on; ``now`` is in seconds."""
        self._now = now
        self._at = 0.0
        self._name: str | None = None
        event.listen(engine.sync_engine, "handle_error", self._note)

    def last(self) -> str | None:
        """Return what the server said last, by the name of its error; None when that was long ago, or never."""
        return self._name if self._now() - self._at < HELD_S else None

    def _note(self, context: ExceptionContext) -> None:
        cause = driver_error(context.sqlalchemy_exception or context.original_exception)
        if isinstance(cause, asyncpg.PostgresError) and cause.sqlstate in _REFUSALS:
            self._at, self._name = self._now(), type(cause).__name__
