"""Fixtures for tests that need the store; a plugin of `tests/conftest.py`.

One embedded server a test process (so one a worker under pytest-xdist); each test that asks gets a database of its own,
copied from a migrated template. To copy one and to drop it takes longer than most tests: one into which a test only
wrote rows is emptied and given on to another login. A connection to each is kept for that, as a new one costs more than
all that is asked. The server runs beside a loop on a thread of its own: tests may use whatever event loop they like.
"""

import asyncio
import itertools
import re
import shutil
import threading
from collections.abc import AsyncIterator, Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TypeVar

import asyncpg
import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.gateways.postgres.embedded import embedded_postgres
from rhumbline.gateways.postgres.engine import create_engine
from rhumbline.gateways.postgres.schema_upgrade import migrate

__all__ = ["postgres_databases", "postgres_dsn", "store_dsn", "store_engine"]

T = TypeVar("T")
TEMPLATE = "migrated"
_BYTES_MORE = 1024 * 1024
"""How much a database may have grown and still be like a new one."""
_STATE = """
SELECT (SELECT sum(pg_relation_size(oid)) FROM pg_class WHERE relkind IN ('r', 't')
        AND relnamespace IN ('public'::regnamespace, 'pg_toast'::regnamespace)),
    (SELECT sum(pg_stat_get_tuples_inserted(oid) + pg_stat_get_tuples_updated(oid) + pg_stat_get_tuples_deleted(oid))
        FROM pg_class WHERE relkind = 'r' AND (relname IN ('alembic_version', 'schema_compatible')
            OR relnamespace = 'pg_catalog'::regnamespace AND NOT relisshared AND relname <> 'pg_statistic'))
        + (SELECT count(*) FROM pg_db_role_setting)
"""
"""Size, and how many rows of schema and settings were written: none in a new copy, whose statistics are new."""
_LEFT_ALONE = """
SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()
"""
_CLEAN = """
DO $$ DECLARE name text; BEGIN
    SET LOCAL session_replication_role = replica;
    FOR name IN SELECT oid::regclass FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
        AND relname NOT IN ('alembic_version', 'schema_compatible') AND pg_relation_size(oid) > 0
    LOOP EXECUTE 'DELETE FROM ' || name; END LOOP;
    PERFORM setval(oid::regclass, 1, false) FROM pg_class WHERE relkind = 'S';
END $$
"""


@contextmanager
def loop_on_a_thread() -> Iterator[asyncio.AbstractEventLoop]:
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    yield loop
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    loop.close()


@dataclass
class Databases:
    """Makes and drops databases on the test process's server; may be called from any thread and loop."""

    dsn: str
    loop: asyncio.AbstractEventLoop
    numbers: Iterator[int] = field(default_factory=itertools.count)
    spare: list[str] = field(default_factory=list)
    """DSNs of databases as good as new copies of the template, with logins that nobody has used."""
    kept: dict[str, "asyncpg.Connection[asyncpg.Record]"] = field(default_factory=dict)
    """A connection to each database that was emptied, by its name."""
    size: int = 0
    """Of the template."""
    alone: asyncio.Lock = field(default_factory=asyncio.Lock)
    administration: "asyncpg.Connection[asyncpg.Record] | None" = None
    """Where databases are made, renamed and dropped, one statement after another."""

    def named(self, name: str, login: str = "rhumbline") -> str:
        return self.dsn.replace("//rhumbline@/rhumbline?", f"//{login}@/{name}?")

    def run(self, work: Coroutine[object, object, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self.loop).result()

    def create(self, template: str = TEMPLATE) -> str:
        """The DSN of a new database, a copy of the template: `migrated`, or `template0` for one without any table."""
        if template == TEMPLATE and self.spare:
            return self.spare.pop()
        name = f"test_{next(self.numbers)}"
        self.run(self._execute(f"CREATE DATABASE {name} TEMPLATE {template}"))
        if template != TEMPLATE:
            return self.named(name)
        self.run(self._execute(f"CREATE ROLE {name} LOGIN SUPERUSER"))
        return self.named(name, name)

    def drop(self, dsn: str) -> None:
        login, name = re.findall(r"//(\w+)@/(\w+)\?", dsn)[0]
        # A copy of `template0` belongs to the server's login, and is none of `migrated`.
        spare = f"test_{next(self.numbers)}"
        if login != "rhumbline" and self.run(self._emptied(login, name, spare)):
            self.spare.append(self.named(name, spare))
        else:
            self.run(self._dropped(name))

    async def _emptied(self, login: str, name: str, new_login: str) -> bool:
        """Make a database like a new copy of the template for a new login, or tell that it is none any more."""
        try:
            connection = self.kept.get(name)
            if connection is None or connection.is_closed():
                self.kept[name] = connection = await asyncpg.connect(self.named(name))
            # Whoever should still write into it can not any more.
            await connection.execute(f"ALTER ROLE {login} RENAME TO {new_login}")
            await connection.execute(_LEFT_ALONE)
            size, written = await _state(connection)
            if written or size > self.size + _BYTES_MORE:
                return False
            await connection.execute(_CLEAN)
        except (asyncpg.PostgresError, asyncpg.InterfaceError):
            return False
        return True

    async def _dropped(self, name: str) -> None:
        if name in self.kept:
            await self.kept.pop(name).close()
        await self._execute(f"DROP DATABASE {name} WITH (FORCE)")

    async def _execute(self, statement: str) -> None:
        async with self.alone:
            if self.administration is None or self.administration.is_closed():
                self.administration = await asyncpg.connect(self.dsn)
            await self.administration.execute(statement)

    async def close(self) -> None:
        for connection in self.kept.values():
            await connection.close()
        if self.administration is not None:
            await self.administration.close()

    async def make_template(self) -> None:
        # What is emptied or dropped within seconds needs no cleaning, which looks at each database in turn.
        await self._execute("ALTER SYSTEM SET autovacuum = off")
        await self._execute("SELECT pg_reload_conf()")
        await self._execute(f"CREATE DATABASE {TEMPLATE}")
        engine = create_engine(self.named(TEMPLATE))
        await migrate(engine)
        await engine.dispose()
        connection = await asyncpg.connect(self.named(TEMPLATE))
        self.size, _ = await _state(connection)
        await connection.close()


async def _state(connection: "asyncpg.Connection[asyncpg.Record]") -> tuple[int, int]:
    row = await connection.fetchrow(_STATE)
    assert row is not None
    return int(row[0]), int(row[1])


@pytest.fixture(scope="session")
def postgres_databases(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Databases]:
    with loop_on_a_thread() as loop:
        folder = tmp_path_factory.mktemp("store")
        running = embedded_postgres(folder, durable=False)

        async def start() -> str:
            return await running.__aenter__()

        async def stop() -> None:
            await running.__aexit__(None, None, None)

        databases = Databases(asyncio.run_coroutine_threadsafe(start(), loop).result(), loop)
        try:
            databases.run(databases.make_template())
            yield databases
        finally:
            databases.run(databases.close())
            databases.run(stop())
            # A cluster takes 40 MB and more, and pytest keeps what its last three runs have written.
            shutil.rmtree(folder)


@pytest.fixture(scope="session")
def postgres_dsn(postgres_databases: Databases) -> str:
    """The server's own database: `rhumbline`, empty, shared by all tests of the process."""
    return postgres_databases.dsn


@pytest.fixture
def store_dsn(postgres_databases: Databases) -> Iterator[str]:
    """A database with the schema and nothing in it, for this test alone."""
    dsn = postgres_databases.create()
    yield dsn
    postgres_databases.drop(dsn)


@pytest.fixture
async def store_engine(store_dsn: str) -> AsyncIterator[AsyncEngine]:
    """An engine on a database with the schema and nothing in it, for this test alone."""
    engine = create_engine(store_dsn)
    yield engine
    await engine.dispose()
