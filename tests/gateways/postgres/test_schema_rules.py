"""Processes of the version before go on during an upgrade: each migration says which may, and keeps what they need."""

from collections.abc import AsyncIterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from alembic.script import ScriptDirectory
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.gateways.postgres.engine import create_engine
from rhumbline.gateways.postgres.schema_upgrade import MIGRATIONS, compatible
from tests.gateways.postgres.older_store import migrate_to
from tests.gateways.postgres.schema_rules import catalog, objections
from tests.house.rules import hold
from tests.postgres_fixture import Databases

FIRST = "pauses"
"""From here on each revision says which is the oldest whose processes may go on."""
REMEDY = (
    "only add (docs/upgrade.md, Migrations): what nobody uses any more goes in a later version; "
    "or name a later `oldest` in the migration, and say in the changelog that old processes stop"
)


@pytest.fixture
def scripts() -> ScriptDirectory:
    return ScriptDirectory(str(MIGRATIONS), version_locations=[str(MIGRATIONS)])


@pytest.fixture
async def older(postgres_databases: Databases, scripts: ScriptDirectory) -> AsyncIterator[AsyncEngine]:
    """A store of the oldest version whose processes may work on this one's schema."""
    dsn = postgres_databases.create("template0")
    engine = create_engine(dsn)
    await migrate_to(engine, compatible(scripts)[-1])
    yield engine
    await engine.dispose()
    postgres_databases.drop(dsn)


def test_each_migration_says_whose_processes_may_go_on(scripts: ScriptDirectory) -> None:
    line = list(scripts.walk_revisions())
    names = [each.revision for each in line]
    said = line[: names.index(FIRST) + 1]
    assert len(compatible(scripts)) > 1, "else nothing here is compared"
    hold(
        "each migration names the oldest revision whose processes may go on beside it",
        [
            f"{Path(str(each.path)).name}: {getattr(each.module, 'oldest', 'none is named')}"
            for place, each in enumerate(said)
            if getattr(each.module, "oldest", None) not in names[place:]
        ],
        "write oldest = the revision before, if its processes may go on; else the migration's own",
    )


async def test_processes_that_may_go_on_find_all_that_they_need(
    older: AsyncEngine, store_engine: AsyncEngine, scripts: ScriptDirectory
) -> None:
    async with older.connect() as before, store_engine.connect() as now:
        found = objections(await catalog(before), await catalog(now))
    hold(f"processes of {compatible(scripts)[-1]} may work on the schema of this version", found, REMEDY)


async def test_what_would_stop_them_is_found(store_engine: AsyncEngine) -> None:
    harmless = (
        "ALTER TABLE integrators ADD COLUMN more text",
        "ALTER TABLE integrators ADD COLUMN more text NOT NULL DEFAULT ''",
        "CREATE TABLE more (id int PRIMARY KEY, name text NOT NULL UNIQUE CHECK (name <> ''))",
        "CREATE INDEX more ON transactions (sender)",
        "CREATE VIEW more AS SELECT name FROM integrators",
        "SELECT make_record_month('2040-01-01')",
    )
    harmful = {
        "DROP TABLE prices": "table prices is gone",
        "DROP VIEW portal_owners": "table portal_owners is gone",
        "ALTER TABLE integrators RENAME COLUMN evm_wallet TO wallet": "column integrators.evm_wallet is gone",
        "ALTER TABLE event_cursors ALTER COLUMN number TYPE numeric": "has another type, numeric",
        "ALTER TABLE integrators ADD COLUMN more text NOT NULL": "integrators.more has to be given a value, and",
        "ALTER TABLE integrators ALTER COLUMN evm_wallet SET NOT NULL": "integrators.evm_wallet has to be given",
        "ALTER TABLE api_keys ALTER COLUMN digest DROP NOT NULL": "column api_keys.digest may be null",
        "ALTER TABLE record_keys DROP CONSTRAINT record_keys_use": "record_keys is not unique by btree (transaction_id",
        "CREATE UNIQUE INDEX more ON webhooks (url)": "webhooks has a new rule that writers do not know: btree (url)",
        "ALTER TABLE events ADD CHECK (number > 0)": "events has a new rule that writers do not know: CHECK",
        "DROP FUNCTION settled_events()": "function settled_events() is gone",
    }
    async with store_engine.connect() as connection:
        before = await catalog(connection)
        await connection.rollback()
        for statement, words in {**dict.fromkeys(harmless), **harmful}.items():
            await connection.execute(text(statement))
            found = objections(before, await catalog(connection))
            await connection.rollback()
            assert found == [] if words is None else words in "; ".join(found), (statement, found)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        # From the newest to the oldest, each with the oldest that it lets go on.
        ([("c", "b"), ("b", "a"), ("a", None)], ["c", "b"]),
        ([("c", "a"), ("b", "a"), ("a", None)], ["c", "b", "a"]),
        ([("c", "a"), ("b", "b"), ("a", None)], ["c", "b"]),
        ([("c", "c"), ("b", "a"), ("a", None)], ["c"]),
        ([("c", None), ("b", "a"), ("a", None)], ["c"]),
        ([("d", "a"), ("c", "b"), ("b", "a"), ("a", None)], ["d", "c", "b"]),
    ],
)
def test_who_may_work_on_the_newest_schema(line: list[tuple[str, str | None]], expected: list[str]) -> None:
    revisions = [
        SimpleNamespace(revision=name, module=SimpleNamespace(**({} if oldest is None else {"oldest": oldest})))
        for name, oldest in line
    ]
    scripts = cast("Any", SimpleNamespace(walk_revisions=lambda: iter(revisions)))
    assert compatible(scripts) == expected
