"""The schema comes into being once, whoever asks, and is what the tables of the code say."""

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta

import pytest
from alembic.script import ScriptDirectory
from pydantic import SecretStr
from sqlalchemy import Connection, inspect, text
from sqlalchemy.engine.interfaces import ReflectedColumn
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.accounts.audit_log import audit_log
from rhumbline.accounts.integrator_store import integrators
from rhumbline.accounts.invitation_store import invitations
from rhumbline.accounts.key_store import api_keys
from rhumbline.accounts.members import members
from rhumbline.accounts.request_store import failures, hours, minutes
from rhumbline.accounts.service_keys import service_secrets
from rhumbline.accounts.sessions import nonces, sessions
from rhumbline.app.sections import StoreSettings
from rhumbline.app.settings import Settings
from rhumbline.app.store import opened_store
from rhumbline.gateways.postgres.engine import create_engine
from rhumbline.gateways.postgres.failures import StoreError
from rhumbline.gateways.postgres.schema_upgrade import MIGRATIONS, NEWEST, current, migrate, usable
from rhumbline.steering.store import pauses, steering
from tests.gateways.postgres.older_store import migrate_to
from tests.postgres_fixture import Databases

TABLES = (
    integrators,
    api_keys,
    service_secrets,
    members,
    invitations,
    audit_log,
    nonces,
    sessions,
    minutes,
    hours,
    failures,
    steering,
    pauses,
)
INDEXES = "SELECT indexname FROM pg_indexes WHERE tablename = 'transactions'"


@pytest.fixture
async def empty_dsn(postgres_databases: Databases) -> AsyncIterator[str]:
    dsn = postgres_databases.create("template0")
    yield dsn
    postgres_databases.drop(dsn)


@pytest.fixture
async def empty(empty_dsn: str) -> AsyncIterator[AsyncEngine]:
    engine = create_engine(empty_dsn)
    yield engine
    await engine.dispose()


async def tables(engine: AsyncEngine) -> set[str]:
    async with engine.connect() as connection:
        names = await connection.run_sync(lambda sync: inspect(sync).get_table_names())
    return set(names)


async def test_an_empty_database_gets_everything(empty: AsyncEngine) -> None:
    assert await current(empty) is None
    await migrate(empty)
    assert await current(empty) == NEWEST
    async with empty.connect() as connection:
        this_month = (await connection.execute(text("SELECT date_trunc('month', now(), 'UTC')"))).scalar_one()
    assert await tables(empty) == {
        *("integrators", "api_keys", "service_secrets", "blocks", "cursors", "transactions", "alembic_version"),
        *("token_lists", "prices", "portal_nonces", "portal_sessions", "portal_members", "builds", "evidence"),
        *("direct_cursors", "proofs", "svm_cursors", "svm_positions", "svm_finals", "svm_sought", "free_steps"),
        "awaited",
        "schema_compatible",
        "pools",
        "leases",
        *("portal_invitations", "audit_log", "request_minutes", "request_hours", "request_failures"),
        "events",
        "event_cursors",
        "webhooks",
        "webhook_deliveries",
        *("steering", "pauses"),
        "trails",
        *("score_counts", "score_callers", "score_promises", "score_executions"),
        *("price_checks", "record_keys", "transactions_before", "transactions_other"),
        *(f"transactions_{month:%Y_%m}" for month in (this_month, this_month + timedelta(days=32))),
    }


def test_the_newest_revision_is_the_last_of_the_files() -> None:
    assert ScriptDirectory(str(MIGRATIONS), version_locations=[str(MIGRATIONS)]).get_current_head() == NEWEST


async def test_once_is_enough(empty: AsyncEngine) -> None:
    await migrate(empty)
    async with empty.begin() as connection:
        await connection.execute(text("INSERT INTO integrators (name, created_at) VALUES ('acme', now())"))
    await migrate(empty)
    async with empty.connect() as connection:
        assert (await connection.execute(text("SELECT count(*) FROM integrators"))).scalar_one() == 1


async def test_many_at_once_do_it_once(empty_dsn: str) -> None:
    engines = [create_engine(empty_dsn) for _ in range(8)]
    await asyncio.gather(*map(migrate, engines))
    assert await current(engines[0]) == NEWEST
    for engine in engines:
        await engine.dispose()


async def test_a_failure_half_way_leaves_nothing(empty: AsyncEngine) -> None:
    """A table is in the way of a late one; the early ones are not left behind."""
    async with empty.begin() as connection:
        await connection.execute(text("CREATE TABLE transactions (id int)"))
    with pytest.raises(StoreError):
        await migrate(empty)
    assert await tables(empty) == {"transactions"}
    assert await current(empty) is None


async def test_a_newer_schema_is_left_alone_and_used_if_it_lets_this_version_run(
    empty_dsn: str, empty: AsyncEngine
) -> None:
    """And what the newer version has noted about others stays."""
    await migrate(empty)
    async with empty.begin() as connection:
        assert await usable(connection)
        await connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
        await connection.execute(text("INSERT INTO schema_compatible VALUES ('9999')"))
        assert await usable(connection)
    assert await migrate(empty) == "9999"
    async with opened_store(Settings(store=StoreSettings(dsn=SecretStr(empty_dsn)))) as engine:
        assert await current(engine) == "9999"
    async with empty.begin() as connection:
        await connection.execute(text("DELETE FROM schema_compatible WHERE revision <> '9999'"))
        assert not await usable(connection)
    with pytest.raises(StoreError, match=rf"does not let this one \({NEWEST}\) work on it; run that, or a later one"):
        await migrate(empty)
    assert await current(empty) == "9999"


async def test_the_database_may_be_gone() -> None:
    engine = create_engine("postgresql://u@/db?host=/nowhere")
    with pytest.raises(StoreError, match="is not running"):
        await migrate(engine)


def described(columns: list[ReflectedColumn]) -> dict[str, tuple[type, bool]]:
    return {column["name"]: (type(column["type"].as_generic()), column["nullable"]) for column in columns}


async def test_the_code_s_tables_are_the_database_s(store_engine: AsyncEngine) -> None:
    def differences(connection: Connection) -> list[str]:
        return [
            f"{table.name}: {there} is not {ours}"
            for table in TABLES
            if (there := described(inspect(connection).get_columns(table.name)))
            != (
                ours := {
                    column.name: (type(column.type.as_generic()), bool(column.nullable)) for column in table.columns
                }
            )
        ]

    async with store_engine.connect() as connection:
        assert await connection.run_sync(differences) == []


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO integrators (name, created_at) VALUES ('ACME', now())",
        "INSERT INTO integrators (name, created_at) VALUES ('', now())",
        "INSERT INTO integrators (name, created_at) VALUES (repeat('x', 32), now())",
        "INSERT INTO integrators (name, service_share, created_at) VALUES ('b', 0.1, now())",
        "INSERT INTO integrators (name, created_at, service_share, largest_integrator_share) VALUES ('b', now(), 1, 0)",
        "INSERT INTO integrators (name, created_at, service_share, largest_integrator_share) VALUES ('b', now(), 0, 1)",
        "INSERT INTO api_keys (integrator, digest, prefix, created_at) VALUES ('x', sha256(''), 'p', now())",
        "INSERT INTO api_keys (integrator, digest, prefix, created_at) VALUES ('acme', 'text', 'p', now())",
        "DELETE FROM integrators",
    ],
)
async def test_the_database_itself_refuses_nonsense(store_engine: AsyncEngine, statement: str) -> None:
    async with store_engine.begin() as connection:
        await connection.execute(text("INSERT INTO integrators (name, created_at) VALUES ('acme', now())"))
        await connection.execute(
            text(
                "INSERT INTO api_keys (integrator, digest, prefix, created_at) "
                "VALUES ('acme', sha256('a key'), 'rl_live_abcd', now())"
            )
        )
    with pytest.raises(IntegrityError):
        async with store_engine.begin() as connection:
            await connection.execute(text(statement))


async def test_an_older_store_gets_the_indexes_of_its_pages(empty_dsn: str, empty: AsyncEngine) -> None:
    """The records that are there stay, and those indexes go that nothing walks any more."""
    await migrate_to(empty, "proofs")
    async with empty.begin() as connection:
        await connection.execute(
            text(
                "INSERT INTO transactions (id, source_chain_id, source_tx_hash, source_log_index, source_block_number,"
                " source_block_hash, source_time, sender, integrator, protocol, route_type, status, status_source)"
                " VALUES ('a', 1, '0x', 0, 1, '', now(), '0x', 'acme', 'X', 'swap', 'success', 'analytics')"
            )
        )
    settings = Settings(store=StoreSettings(dsn=SecretStr(empty_dsn)))
    async with opened_store(settings) as engine, engine.connect() as connection:
        found = set((await connection.execute(text(INDEXES))).scalars())
        assert len([name for name in found if name.startswith("transactions_by_route")]) == 8
        assert not [name for name in found if name.endswith("_feed") and name != "transactions_feed"]
        assert (await connection.execute(text("SELECT id FROM transactions"))).scalars().all() == ["a"]
