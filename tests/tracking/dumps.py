"""A dump of the store, and its restoration, as an operator has them from `pg_dump` and `psql`."""

from collections.abc import Awaitable, Callable

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

# What is stored by months is read and written as a whole.
_TABLES = text("""
    SELECT relname FROM pg_class WHERE relkind IN ('r', 'p') AND NOT relispartition
        AND relnamespace = 'public'::regnamespace AND relname NOT IN ('alembic_version', 'schema_compatible')
""")


async def dumped(engine: AsyncEngine) -> Callable[[], Awaitable[None]]:
    """Keep all rows as they are now; return what puts them in the place of those that are there then."""
    async with engine.begin() as connection:
        tables = [f'"{row.relname}"' for row in await connection.execute(_TABLES)]
        await connection.execute(text("CREATE SCHEMA dump"))
        for table in tables:
            await connection.execute(text(f"CREATE TABLE dump.{table} AS TABLE public.{table}"))

    async def restore() -> None:
        async with engine.begin() as connection:
            await connection.execute(text("SET session_replication_role = replica"))
            await connection.execute(text(f"TRUNCATE {', '.join(tables)}"))
            for table in tables:
                rows = f"INSERT INTO {table} OVERRIDING SYSTEM VALUE SELECT * FROM dump.{table}"  # noqa: S608
                await connection.execute(text(rows))
            await connection.execute(text("SET session_replication_role = DEFAULT"))
            await connection.execute(text("DROP SCHEMA dump CASCADE"))

    return restore
