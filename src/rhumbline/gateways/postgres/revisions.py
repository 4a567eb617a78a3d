"""The schema's revisions: the files of `migrations/`, run by Alembic.

Apart from `migrating`, for Alembic takes longer to load than a service whose store is up to date takes to start.
"""

from pathlib import Path

from alembic.config import Config
from alembic.runtime.environment import EnvironmentContext
from alembic.script import ScriptDirectory
from alembic.script.revision import ResolutionError
from alembic.util.exc import CommandError
from sqlalchemy import Connection

_MIGRATIONS = Path(__file__).with_name("migrations")


class UnknownRevision(Exception):
    """The schema is of a revision that is not among the files."""


def head() -> str | None:
    return _scripts().get_current_head()


def upgrade(connection: Connection) -> None:
    """Run every revision that the database lacks, in the connection's transaction; raise UnknownRevision."""
    scripts = _scripts()
    steps = EnvironmentContext(Config(), scripts, fn=lambda revision, _: scripts._upgrade_revs("head", revision))
    try:
        with steps:
            steps.configure(connection=connection)
            steps.run_migrations()
    except (ResolutionError, CommandError) as error:
        raise UnknownRevision(str(error)) from error


def _scripts() -> ScriptDirectory:
    return ScriptDirectory(str(_MIGRATIONS), version_locations=[str(_MIGRATIONS)])
