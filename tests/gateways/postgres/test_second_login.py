"""Two logins work on one store, as while its password is replaced (docs/rotation.md): what one makes is both's."""

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta

import asyncpg
import pytest
from sqlalchemy import text

from rhumbline.gateways.postgres.engine import APPLICATION, create_engine
from rhumbline.gateways.postgres.leases import Leases
from rhumbline.gateways.postgres.schema_upgrade import migrate
from tests.postgres_fixture import Databases

LOGINS = """
CREATE ROLE keeper LOGIN;
CREATE ROLE keeper_2 LOGIN IN ROLE keeper;
ALTER ROLE keeper_2 SET role = keeper;
GRANT pg_signal_backend, pg_read_all_stats TO keeper;
"""


@pytest.fixture
async def dsn(postgres_databases: Databases) -> AsyncIterator[str]:
    made = postgres_databases.create("template0")
    database = made.partition("@/")[2].partition("?")[0]
    admin = await asyncpg.connect(postgres_databases.dsn)
    await admin.execute(f"{LOGINS} ALTER DATABASE {database} OWNER TO keeper")
    yield made
    postgres_databases.drop(made)
    await admin.execute("DROP ROLE keeper_2; DROP ROLE keeper")
    await admin.close()


async def test_a_second_login_is_as_good_as_the_first(dsn: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rhumbline.gateways.postgres.leases.FROZEN", timedelta(seconds=0.2))
    logins = [dsn.replace("//rhumbline@", f"//{name}@") for name in ("keeper_2", "keeper")]
    first, second = map(create_engine, logins)
    # The new one migrates and makes a month, which the old one drops.
    await migrate(first)
    month = "SELECT make_record_month('2040-01-01')", "DROP TABLE transactions_2040_01"
    for engine, statement in zip((first, second), month, strict=True):
        async with engine.begin() as connection:
            await connection.execute(text(statement))
    async with second.connect() as connection:
        owners = await connection.execute(text("SELECT DISTINCT tableowner FROM pg_tables WHERE schemaname = 'public'"))
        assert owners.scalars().all() == ["keeper"]
    # Each ends a session of the other that is frozen within a statement.
    for engine, other in ((first, logins[1]), (second, logins[0])):
        frozen = await asyncpg.connect(other, server_settings={"application_name": APPLICATION})
        await frozen.execute("BEGIN")
        await frozen.prepare("SELECT name FROM leases")
        leases = Leases(engine)
        assert await leases.take("a")
        async with asyncio.timeout(60):
            while not frozen.is_closed():
                await leases.beat()
                await asyncio.sleep(0.05)
        await leases.release()
        await engine.dispose()
