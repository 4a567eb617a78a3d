"""Fixtures for tests that need the store; a plugin of `tests/conftest.py`.

One embedded server a test process (so one a worker under pytest-xdist); each test that asks gets a database of its own,
copied from a migrated template. The server runs beside a loop on a thread of its own: tests may use whatever event loop
they like.
"""

import asyncio
import itertools
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
from rhumbline.gateways.postgres.migrating import migrate

__all__ = ["postgres_databases", "postgres_dsn", "store_dsn", "store_engine"]

T = TypeVar("T")
TEMPLATE = "migrated"


@contextmanager
def loop_on_a_thread() -> Iterator[asyncio.AbstractEventLoop]:
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    yield loop
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    loop.close()


@dataclass(frozen=True)
class Databases:
    """Makes and drops databases on the test process's server; may be called from any thread and loop."""

    dsn: str
    loop: asyncio.AbstractEventLoop
    numbers: Iterator[int] = field(default_factory=itertools.count)

    def named(self, name: str) -> str:
        return self.dsn.replace("@/rhumbline?", f"@/{name}?")

    def run(self, work: Coroutine[object, object, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self.loop).result()

    def create(self, template: str = TEMPLATE) -> str:
        """The DSN of a new database, a copy of the template: `migrated`, or `template0` for one without any table."""
        name = f"test_{next(self.numbers)}"
        self.run(self._execute(f"CREATE DATABASE {name} TEMPLATE {template}"))
        return self.named(name)

    def drop(self, dsn: str) -> None:
        name = dsn.partition("@/")[2].partition("?")[0]
        self.run(self._execute(f"DROP DATABASE {name} WITH (FORCE)"))

    async def _execute(self, statement: str) -> None:
        connection = await asyncpg.connect(self.dsn)
        try:
            await connection.execute(statement)
        finally:
            await connection.close()

    async def make_template(self) -> None:
        await self._execute(f"CREATE DATABASE {TEMPLATE}")
        engine = create_engine(self.named(TEMPLATE))
        await migrate(engine)
        await engine.dispose()


@pytest.fixture(scope="session")
def postgres_databases(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Databases]:
    with loop_on_a_thread() as loop:
        folder = tmp_path_factory.mktemp("store")
        running = embedded_postgres(folder)

        async def start() -> str:
            return await running.__aenter__()

        async def stop() -> None:
            await running.__aexit__(None, None, None)

        databases = Databases(asyncio.run_coroutine_threadsafe(start(), loop).result(), loop)
        try:
            databases.run(databases.make_template())
            yield databases
        finally:
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
