"""Migrates a database to this version's schema; several processes may do so at once.

The revisions run inside one database transaction under an advisory lock: a process that finds it taken waits, then
finds the work done. A crash leaves the schema as it was.

Each revision names the oldest one whose processes may go on beside it (``oldest``, docs/upgrade.md). The table
`schema_compatible` lists all from there on, so that an older version can tell whether it may run on a newer schema.
"""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Connection, text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from rhumbline.gateways.postgres.engine import explained, place_of
from rhumbline.gateways.postgres.failures import DATABASE_ERRORS, StoreError

if TYPE_CHECKING:
    from alembic.script import ScriptDirectory

NEWEST = "score_callers"
"""The revision of this version, the last in `migrations/`."""
MIGRATIONS = Path(__file__).with_name("migrations")
"""The schema's revisions, run by Alembic."""
# Any number will do, as long as nothing else in the database takes it: the ASCII of "rhumb".
_LOCK = 0x7268756D62
_LOOK_AGAIN_S = 0.05
_TABLE = 'CREATE TABLE IF NOT EXISTS schema_compatible (revision text COLLATE "C" PRIMARY KEY)'


async def migrate(engine: AsyncEngine) -> str:
    """Run every revision that is lacking, and return the schema's revision then: a newer one, if it lets this run.

    StoreError for a server that cannot be used, and for the schema of a newer version that does not let this one run.
    """
    try:
        async with engine.begin() as connection:
            await _lock(connection)
            found = await _revision(connection)
            if found != NEWEST and not await _upgrade(connection, engine):
                return str(found)
            return NEWEST
    except DATABASE_ERRORS as error:
        raise explained(error, engine) from error


async def current(engine: AsyncEngine) -> str | None:
    """Return the revision of the database's schema, None for an empty database."""
    async with engine.connect() as connection:
        return await _revision(connection)


async def usable(connection: AsyncConnection) -> bool:
    """Return whether this version may work on the schema as it is: it is this version's, or lets it run."""
    return await _revision(connection) == NEWEST or NEWEST in await _compatible(connection)


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


async def _compatible(connection: AsyncConnection) -> Sequence[str]:
    """Read the revisions whose processes may work on the schema; none where nobody has noted any."""
    if (await connection.execute(text("SELECT to_regclass('schema_compatible')"))).scalar_one() is None:
        return ()
    return (await connection.execute(text("SELECT revision FROM schema_compatible"))).scalars().all()


async def _upgrade(connection: AsyncConnection, engine: AsyncEngine) -> bool:
    """Run every revision that the database lacks, in the connection's transaction.

    Return whether that could be done: not for a newer version's schema on which this one may run.
    """
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
        if NEWEST in await _compatible(connection):
            return False
        raise StoreError(
            f"store: the schema at {place_of(engine)} was made by a newer version, which does not let this one "
            f"({NEWEST}) work on it; run that, or a later one"
        ) from error
    await connection.execute(text(_TABLE))
    await connection.execute(text("DELETE FROM schema_compatible"))
    names = [{"revision": name} for name in compatible(scripts)]
    await connection.execute(text("INSERT INTO schema_compatible VALUES (:revision)"), names)
    return True


def compatible(scripts: "ScriptDirectory") -> Sequence[str]:
    """Return the revisions whose processes may work on the newest schema, newest first: none since shuts them out."""
    line = list(scripts.walk_revisions())
    place = {each.revision: number for number, each in enumerate(line)}
    last, names = len(line), []
    for number, each in enumerate(line):
        if number > last:
            break
        names.append(each.revision)
        # Without a word, it lets nobody run but its own.
        last = min(last, place[getattr(each.module, "oldest", each.revision)])
    return names
