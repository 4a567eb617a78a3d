"""The version after this one: this package with one more migration, made in a folder and run from there."""

import os
import re
import shutil
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from rhumbline.gateways.postgres.schema_upgrade import NEWEST
from tests.deploy.files import ROOT

PACKAGE = ROOT / "src" / "rhumbline"
STORE = "gateways/postgres"
REVISION = "of_the_next_version"
MORE = (
    "CREATE TABLE notes (id bigint PRIMARY KEY, said text NOT NULL)",
    "ALTER TABLE transactions ADD COLUMN note text",
    "ALTER TABLE integrators ADD COLUMN note text NOT NULL DEFAULT ''",
    "ALTER TABLE builds ADD COLUMN note text",
    "CREATE INDEX transactions_note ON transactions (note) WHERE note IS NOT NULL",
)
"""What a migration may do (docs/upgrade.md): to tables that are read and written all the time."""
_MIGRATION = '''
"""A note on everything."""

from alembic import op

revision = {revision!r}
down_revision = {before!r}
oldest = {oldest!r}


def upgrade() -> None:
    for statement in {statements!r}:
        op.execute(statement)
'''


def next_version(folder: Path, statements: Sequence[str] = MORE, oldest: str = NEWEST) -> Mapping[str, str]:
    """Make it in a folder; return the environment in which ``python -m rhumbline`` is it.

    All that it shares with this version is linked, compiled modules too.
    """
    made = folder / "rhumbline"
    made.mkdir()
    _link(PACKAGE, made, "gateways")
    _link(PACKAGE / "gateways", made / "gateways", "postgres")
    _link(PACKAGE / STORE, made / STORE, "migrations", "schema_upgrade.py", "__pycache__")
    _link(PACKAGE / STORE / "migrations", made / STORE / "migrations", "__pycache__")
    shutil.copy(PACKAGE / STORE / "schema_upgrade.py", made / STORE)
    add_migration(made, statements, oldest)
    return {**os.environ, "PYTHONPATH": str(folder)}


def add_migration(package: Path, statements: Sequence[str] = MORE, oldest: str = NEWEST) -> None:
    """Make a package the next version."""
    file = package / STORE / "schema_upgrade.py"
    text, count = re.subn(rf'^NEWEST = "{NEWEST}"$', f'NEWEST = "{REVISION}"', file.read_text("utf-8"), flags=re.M)
    assert count == 1
    file.write_text(text, "utf-8")
    written = _MIGRATION.format(revision=REVISION, before=NEWEST, oldest=oldest, statements=tuple(statements))
    (package / STORE / "migrations" / "store_9999_next.py").write_text(written, "utf-8")


def _link(source: Path, target: Path, *apart: str) -> None:
    target.mkdir(exist_ok=True)
    for each in source.iterdir():
        if each.name not in apart:
            (target / each.name).symlink_to(each)


COMMAND = (sys.executable, "-c", "from rhumbline.app.cli import main; main()")
"""Either version, by the environment."""
