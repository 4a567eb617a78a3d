"""What the tests' own store gives to one test after another: always as good as new."""

import asyncpg
import pytest

from tests.postgres_fixture import Databases

ADD = "INSERT INTO service_secrets (purpose, secret) VALUES ('tests', sha256('x')) RETURNING id"


async def test_a_used_one_comes_back_empty_for_another_login(postgres_databases: Databases) -> None:
    first = postgres_databases.create()
    left_open = await asyncpg.connect(first)
    assert [await left_open.fetchval(ADD) for _ in range(2)] == [1, 2]
    postgres_databases.drop(first)
    with pytest.raises(asyncpg.PostgresConnectionError):
        await left_open.fetchval(ADD)
    with pytest.raises(asyncpg.InvalidAuthorizationSpecificationError):
        await asyncpg.connect(first)
    again = postgres_databases.create()
    assert again != first
    connection = await asyncpg.connect(again)
    assert await connection.fetchval("SELECT count(*) FROM service_secrets") == 0
    assert await connection.fetchval(ADD) == 1
    assert await connection.fetchval("SELECT count(*) FROM alembic_version") == 1
    await connection.close()
    postgres_databases.drop(again)


@pytest.mark.parametrize("change", [
    "ALTER TABLE prices ADD COLUMN more int",
    "ALTER TABLE prices RENAME TO costs",
    "CREATE INDEX more ON prices (chain_id)",
    "CREATE TABLE more (number int)",
    "CREATE SCHEMA more",
    "CREATE FUNCTION more() RETURNS int LANGUAGE sql AS 'SELECT 1'",
    "DROP TABLE proofs",
    "UPDATE alembic_version SET version_num = 'another'",
    "DO $$ BEGIN EXECUTE 'ALTER DATABASE ' || current_database() || ' SET work_mem = 64'; END $$",
    "INSERT INTO service_secrets (purpose, secret) SELECT 'tests', sha256('x') FROM generate_series(1, 20000)",
])  # fmt: skip
async def test_one_with_another_schema_or_much_in_it_does_not(postgres_databases: Databases, change: str) -> None:
    dsn = postgres_databases.create()
    connection = await asyncpg.connect(dsn)
    await connection.execute(change)
    await connection.close()
    spare = list(postgres_databases.spare)
    postgres_databases.drop(dsn)
    assert postgres_databases.spare == spare
    name = dsn.partition("@/")[2].partition("?")[0]
    with pytest.raises(asyncpg.InvalidCatalogNameError):
        await asyncpg.connect(postgres_databases.named(name))
