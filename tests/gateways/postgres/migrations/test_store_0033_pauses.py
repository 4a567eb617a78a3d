"""A store of the version before goes on: nothing is paused, and its audit log is as it was."""

from collections.abc import AsyncIterator

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.accounts.audit_log import AuditLog
from rhumbline.gateways.postgres.engine import create_engine
from rhumbline.gateways.postgres.schema_upgrade import NEWEST, current, migrate
from rhumbline.steering.changes import steering_now
from rhumbline.steering.store import Steered
from tests.gateways.postgres.older_store import migrate_to
from tests.postgres_fixture import Databases

_ENTRY = "INSERT INTO audit_log (at, integrator, actor, action, detail) VALUES (now(), 'acme', 'operator', :action, '')"


@pytest.fixture
async def older(postgres_databases: Databases) -> AsyncIterator[AsyncEngine]:
    dsn = postgres_databases.create("template0")
    engine = create_engine(dsn)
    await migrate_to(engine, "wallets")
    yield engine
    await engine.dispose()
    postgres_databases.drop(dsn)


async def test_what_was_there_goes_on(older: AsyncEngine) -> None:
    async with older.begin() as connection:
        await connection.execute(text(_ENTRY), {"action": "before"})
    await migrate(older)
    assert await current(older) == NEWEST
    # A process of the version before writes its entries as it did.
    async with older.begin() as connection:
        await connection.execute(text(_ENTRY), {"action": "beside"})
    entries = await AuditLog(older).entries("acme", 10)
    assert [(each.action, each.operator, each.reason) for each in entries] == [
        ("beside", None, None),
        ("before", None, None),
    ]
    assert await steering_now(older) == Steered()
