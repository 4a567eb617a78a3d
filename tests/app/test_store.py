"""A store that cannot be had is said in one line, without its password."""

import socket
from pathlib import Path

import pytest
from pydantic import SecretStr
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine
from structlog.testing import capture_logs

from rhumbline.app.sections import StoreSettings
from rhumbline.app.settings import Settings
from rhumbline.app.store import opened_store
from tests.app.test_cli import failed, rhumbline


@pytest.mark.parametrize("command", [["serve"], ["keys", "create", "--integrator", "acme"]])
def test_a_wrong_dsn(tmp_path: Path, command: list[str]) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        port = closed.getsockname()[1]
        dsn = f"postgresql://user:hidden-word@127.0.0.1:{port}/none"
        result = rhumbline(tmp_path, *command, RHUMBLINE_STORE__DSN=dsn, RHUMBLINE_SERVER__PORT="0")
    failed(result, 1)
    assert len(result.err.strip().splitlines()) == 1, result.err
    assert "hidden-word" not in result.err


async def test_a_store_that_was_restored_or_is_newer_is_told(store_dsn: str, store_engine: AsyncEngine) -> None:
    settings = Settings(store=StoreSettings(dsn=SecretStr(store_dsn)))
    changes = (
        "SELECT 1",
        "UPDATE event_cursors SET name = 'store of another server' WHERE name LIKE 'store %'",
        "UPDATE alembic_version SET version_num = 'newer'",
    )
    told = []
    for change in changes:
        async with store_engine.begin() as connection:
            await connection.execute(text(change))
        with capture_logs() as logs:
            async with opened_store(settings, logs=True):
                told.append([entry["event"] for entry in logs])
    assert told == [[], ["store_was_restored"], ["store_of_newer_version"]]
