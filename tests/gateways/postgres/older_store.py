"""Stores as older versions left them: made by the migrations that there were."""

from datetime import UTC, datetime

from alembic.config import Config
from alembic.runtime.environment import EnvironmentContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, func, select
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.gateways.postgres.schema_upgrade import MIGRATIONS


async def migrate_to(engine: AsyncEngine, revision: str) -> None:
    """Bring an empty database to the schema of an older version."""
    scripts = ScriptDirectory(str(MIGRATIONS), version_locations=[str(MIGRATIONS)])
    steps = EnvironmentContext(Config(), scripts, fn=lambda found, _: scripts._upgrade_revs(revision, found))

    def run(synchronous: Connection) -> None:
        with steps:
            steps.configure(connection=synchronous)
            steps.run_migrations()

    async with engine.begin() as connection:
        await connection.run_sync(run)


async def store_time(engine: AsyncEngine) -> datetime:
    async with engine.connect() as connection:
        now: datetime = (await connection.execute(select(func.now()))).scalar_one()
    return now.astimezone(UTC)
