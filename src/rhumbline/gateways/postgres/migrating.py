"""Brings a database to this version's schema; several processes may do so at once.

The revisions are the files of `migrations/`, run by Alembic inside one database transaction under an advisory lock: a
process that finds it taken waits, then finds the work done. A crash leaves the schema as it was.
"""

import asyncio
from pathlib import Path

from alembic.config import Config
from alembic.runtime.environment import EnvironmentContext
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.script.revision import ResolutionError
from alembic.util.exc import CommandError
from sqlalchemy import Connection, text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from rhumbline.gateways.postgres.engine import explained, place_of
from rhumbline.gateways.postgres.failures import DATABASE_ERRORS, StoreError

_MIGRATIONS = Path(__file__).with_name("migrations")
# Any number will do, as long as nothing else in the database takes it: the ASCII of "rhumb".
_LOCK = 0x7268756D62
_LOOK_AGAIN_S = 0.05


async def migrate(engine: AsyncEngine) -> None:
    """Run every revision that the database lacks; without one, do nothing.

    Raises StoreError: the server cannot be used, or the schema is of a newer version than this.
    """
    try:
        async with engine.begin() as connection:
            await _lock(connection)
            await connection.run_sync(_upgrade)
    except (ResolutionError, CommandError) as error:
        raise _too_new(engine) from error
    except DATABASE_ERRORS as error:
        raise explained(error, engine) from error


async def _lock(connection: AsyncConnection) -> None:
    """Hold the lock until the transaction ends. A statement that waits would run into the time limit of statements."""
    while True:
        if (await connection.execute(text(f"SELECT pg_try_advisory_xact_lock({_LOCK})"))).scalar_one():
            return
        await asyncio.sleep(_LOOK_AGAIN_S)


async def current(engine: AsyncEngine) -> str | None:
    """Return the revision of the database's schema, None for an empty database."""
    async with engine.connect() as connection:
        return await connection.run_sync(_revision)


def newest() -> str:
    """Return the revision that this version works with."""
    head = _scripts().get_current_head()
    if head is None:
        raise StoreError("the installation lacks its migrations; install it again")
    return head


def _scripts() -> ScriptDirectory:
    return ScriptDirectory(str(_MIGRATIONS), version_locations=[str(_MIGRATIONS)])


def _revision(connection: Connection) -> str | None:
    return MigrationContext.configure(connection).get_current_revision()


def _upgrade(connection: Connection) -> None:
    scripts = _scripts()
    steps = EnvironmentContext(Config(), scripts, fn=lambda revision, _: scripts._upgrade_revs("head", revision))
    with steps:
        steps.configure(connection=connection)
        steps.run_migrations()


def _too_new(engine: AsyncEngine) -> StoreError:
    return StoreError(
        f"store: the schema at {place_of(engine)} was made by a newer version than this one; run that, or a later one"
    )
