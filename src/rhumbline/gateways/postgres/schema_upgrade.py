"""Migrates a database to this version's schema; several processes may do so at once.

The revisions run inside one database transaction under an advisory lock: a process that finds it taken waits, then
finds the work done. A crash leaves the schema as it was.
"""

import asyncio
from pathlib import Path

from sqlalchemy import Connection, text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from rhumbline.gateways.postgres.engine import explained, place_of
from rhumbline.gateways.postgres.failures import DATABASE_ERRORS, StoreError

NEWEST = "trails"
"""The revision of this version, the last in `migrations/`."""
MIGRATIONS = Path(__file__).with_name("migrations")
"""The schema's revisions, run by Alembic."""
# Any number will do, as long as nothing else in the database takes it: the ASCII of "rhumb".
_LOCK = 0x7268756D62
_LOOK_AGAIN_S = 0.05


async def migrate(engine: AsyncEngine) -> None:
    """Run every revision that is lacking; StoreError for a server that cannot be used or the schema of a newer one."""
    try:
        async with engine.begin() as connection:
            await _lock(connection)
            if await _revision(connection) != NEWEST:
                await _upgrade(connection, engine)
    except DATABASE_ERRORS as error:
        raise explained(error, engine) from error


async def current(engine: AsyncEngine) -> str | None:
    """Return the revision of the database's schema, None for an empty database."""
    async with engine.connect() as connection:
        return await _revision(connection)


async def _lock(connection: AsyncConnection) -> None:
    """Hold the lock until the transaction ends. A statement that waits would run into the time limit of statements."""
    while True:
        if (await connection.execute(text(f"SELECT pg_try_advisory_xact_lock({_LOCK})"))).scalar_one():
            return
        await asyncio.sleep(_LOOK_AGAIN_S)


async def _revision(connection: AsyncConnection) -> str | None:
    """Read what Alembic has noted, in the schema that it notes it in."""
    if (await connection.execute(text("SELECT to_regclass('alembic_version')"))).scalar_one() is None:
        return None
    found: str | None = (await connection.execute(text("SELECT version_num FROM alembic_version"))).scalar_one_or_none()
    return found


async def _upgrade(connection: AsyncConnection, engine: AsyncEngine) -> None:
    """Run every revision that the database lacks, in the connection's transaction."""
    # Only where there is something to do: Alembic takes longer to load than a service whose store is up to date.
    from alembic.config import Config
    from alembic.runtime.environment import EnvironmentContext
    from alembic.script import ScriptDirectory
    from alembic.script.revision import ResolutionError
    from alembic.util.exc import CommandError

    scripts = ScriptDirectory(str(MIGRATIONS), version_locations=[str(MIGRATIONS)])
    steps = EnvironmentContext(Config(), scripts, fn=lambda revision, _: scripts._upgrade_revs("head", revision))

    def run(synchronous: Connection) -> None:
        with steps:
            steps.configure(connection=synchronous)
            steps.run_migrations()

    try:
        await connection.run_sync(run)
    except (ResolutionError, CommandError) as error:
        place = place_of(engine)
        raise StoreError(
            f"store: the schema at {place} was made by a newer version than this one; run that, or a later one"
        ) from error
