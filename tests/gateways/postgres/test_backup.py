"""A dump of the embedded server is whole or not there, and what it holds can be had back."""

import asyncio
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.gateways.postgres.backup import dump
from rhumbline.gateways.postgres.failures import StoreError
from rhumbline.gateways.postgres.installation import program

COUNT = text("SELECT count(*) FROM integrators")


async def test_what_was_dumped_comes_back(store_dsn: str, store_engine: AsyncEngine, tmp_path: Path) -> None:
    file = tmp_path / "backup.sql"
    async with store_engine.begin() as connection:
        await connection.execute(text("INSERT INTO integrators (name, created_at) VALUES ('acme', now())"))
    await dump(store_dsn, file)
    assert file.stat().st_mode & 0o777 == 0o600
    async with store_engine.begin() as connection:
        await connection.execute(text("DELETE FROM integrators"))
    words = ("--quiet", "--single-transaction", "--set", "ON_ERROR_STOP=1", "--dbname", store_dsn, "--file", file)
    loading = await asyncio.create_subprocess_exec(
        program("psql", 18), *map(str, words), stdout=asyncio.subprocess.DEVNULL
    )
    assert await loading.wait() == 0
    async with store_engine.connect() as connection:
        assert (await connection.execute(COUNT)).scalar_one() == 1


async def test_what_cannot_be_dumped_leaves_no_file(
    store_dsn: str, store_engine: AsyncEngine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(StoreError, match=r"none/backup\.sql: cannot be written"):
        await dump(store_dsn, tmp_path / "none" / "backup.sql")
    # As a pg_dump of an older version refuses.
    monkeypatch.setattr("rhumbline.gateways.postgres.backup.program", lambda name, version: "/bin/false")
    with pytest.raises(StoreError, match="pg_dump failed"):
        await dump(store_dsn, tmp_path / "backup.sql")
    assert list(tmp_path.iterdir()) == []
