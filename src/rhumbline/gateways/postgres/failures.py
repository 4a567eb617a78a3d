"""Failures of the database: which are temporary, and their words for a person.

And whether a database that answers also takes what is written to it.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic

import asyncpg
from sqlalchemy import event
from sqlalchemy.engine import ExceptionContext
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolExhausted
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.domain.errors import StoreUnavailable
from rhumbline.domain.sentence import Sentence

# https://www.postgresql.org/docs/current/errcodes-appendix.html (read 2026-11): connection exception, invalid
# authorization, invalid catalog name, insufficient resources, system error.
_PASSING_CLASSES = frozenset({"08", "28", "3D", "53", "58"})
# A statement that took too long, administrator's and crash shutdown, cannot connect now, idle session; a read-only
# server (a fail-over in progress).
_PASSING_STATES = frozenset({"57014", "57P01", "57P02", "57P03", "57P05", "25006"})
# All that a statement, or a connection in the making, can raise.
DATABASE_ERRORS = (
    SQLAlchemyError,
    asyncpg.PostgresError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
    OSError,
)


class StoreError(Exception):
    """The store cannot be used as configured. One line for a person, with the remedy; never carries a password."""


def unavailable(error: BaseException) -> bool:
    """Return whether an error means that the database cannot serve now, rather than a fault in a query."""
    if isinstance(error, PoolExhausted) or (isinstance(error, DBAPIError) and error.connection_invalidated):
        return True
    cause = driver_error(error)
    if isinstance(cause, asyncpg.InvalidCachedStatementError):
        # A migration has changed a table since the statement was prepared; it is prepared anew the next time.
        return True
    if isinstance(cause, asyncpg.PostgresError):
        state = cause.sqlstate or ""
        return state[:2] in _PASSING_CLASSES or state in _PASSING_STATES
    if isinstance(cause, asyncpg.InterfaceError):
        return "closed" in str(cause) or "released" in str(cause)
    if isinstance(cause, asyncpg.InternalClientError):
        # What the driver says when a server's last words, or a stranger's, come at a moment it did not expect them.
        return not isinstance(cause, asyncpg.OutdatedSchemaCacheError)
    return isinstance(cause, OSError)


@contextmanager
def store_access() -> Iterator[None]:
    """Wrap the statements of one question to the store: when it cannot be reached, raise StoreUnavailable."""
    try:
        yield
    except DATABASE_ERRORS as error:
        if unavailable(error):
            raise StoreUnavailable(Sentence("The store is not available at the moment; try again shortly")) from error
        raise


def explain(error: BaseException, place: str, user: str | None) -> StoreError:
    """Say in one line why the server at `place` cannot be used by `user`, and what to do."""
    cause = driver_error(error)
    state = (cause.sqlstate or "") if isinstance(cause, asyncpg.PostgresError) else ""
    if state[:2] == "28":
        text = f"refuses user {user!r}; correct user or password, or the server's pg_hba.conf"
    elif state[:2] == "3D":
        text = "has no such database; create it with createdb, or correct the name"
    elif state == "42501":
        text = f"does not let user {user!r} create tables; make it the owner of the database"
    elif state == "53300":
        text = "has no connection left; raise max_connections, or run fewer processes"
    elif isinstance(cause, TimeoutError | PoolExhausted):
        text = "does not answer in time; look whether the address is right and nothing in between drops packets"
    elif isinstance(cause, ConnectionRefusedError | FileNotFoundError):
        text = "is not running: nothing listens there; start it, or correct host and port"
    elif isinstance(cause, OSError) and not isinstance(cause, ConnectionError):
        text = f"cannot be reached ({cause.strerror or type(cause).__name__}); correct the host"
    elif isinstance(cause, asyncpg.ClientConfigurationError):
        text = "cannot be asked so: a parameter of the DSN is not understood; see the parameters of asyncpg.connect"
    else:
        text = f"cannot be used ({type(cause).__name__}{f', SQLSTATE {state}' if state else ''}); see its log"
    return StoreError(f"store.dsn: the PostgreSQL server at {place} {text}")


def driver_error(error: BaseException) -> BaseException:
    """Return what asyncpg raised below SQLAlchemy's wrappings, or the error itself."""
    adapted = error.orig if isinstance(error, DBAPIError) else None
    return error if adapted is None else adapted.__cause__ or adapted


HELD_S = 45.0
"""How long a refusal counts: writers retry within 30 seconds and are refused again."""
# https://www.postgresql.org/docs/current/errcodes-appendix.html (read 2026-11): disk full, I/O error, read-only.
_REFUSALS = frozenset({"53100", "58030", "25006"})


class Refusals:
    """Notes refusals because the server does not write, for all statements of an engine."""

    def __init__(self, engine: AsyncEngine, now: Callable[[], float] = monotonic) -> None:
        """Listen from now on; ``now`` is in seconds."""
        self._now = now
        self._at = 0.0
        self._name: str | None = None
        event.listen(engine.sync_engine, "handle_error", self._note)

    def last(self) -> str | None:
        """Return the server's last refusal, by the name of its error; None if that was long ago, or never."""
        return self._name if self._now() - self._at < HELD_S else None

    def _note(self, context: ExceptionContext) -> None:
        cause = driver_error(context.sqlalchemy_exception or context.original_exception)
        if isinstance(cause, asyncpg.PostgresError) and cause.sqlstate in _REFUSALS:
            self._at, self._name = self._now(), type(cause).__name__
