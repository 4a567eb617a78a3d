"""A store that was dumped while it was written to, and restored: whole, and no number of an event is given again."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.accounts.service import Accounts
from rhumbline.domain.clock import system_clock
from rhumbline.domain.operator import Operator
from rhumbline.gateways.postgres.engine import create_engine
from rhumbline.gateways.postgres.installation import program
from rhumbline.steering.changes import SteeringChanges
from rhumbline.tracking.record_events import restored_store as module
from rhumbline.tracking.record_events.event_id import seal_event_id
from rhumbline.tracking.record_events.restored_store import APART, notice_restoration
from rhumbline.tracking.webhooks.endpoints import Webhooks
from tests.api.record_streams import KEYS, running_streams
from tests.postgres_fixture import Databases
from tests.tracking.record_events.test_store import FINAL, SEEN, added, done, kinds, read
from tests.tracking.test_listing import row

Restore = Callable[[], Awaitable[AsyncEngine]]
KEPT = ("integrators", "api_keys", "webhooks", "pauses", "audit_log", "steering")


async def ran(name: str, *words: str | Path) -> None:
    process = await asyncio.create_subprocess_exec(program(name, 18), *map(str, words))
    assert await process.wait() == 0


@pytest.fixture
async def restored(postgres_databases: Databases, tmp_path: Path) -> AsyncIterator[Restore]:
    """Load the dump `file` in the test's folder into a new database, by the lines of docs/backup.md."""
    dsn = postgres_databases.create("template0")
    engine = create_engine(dsn)

    async def restore() -> AsyncEngine:
        await ran("pg_restore", "--no-owner", "--single-transaction", "--dbname", dsn, tmp_path / "file")
        return engine

    yield restore
    await engine.dispose()
    postgres_databases.drop(dsn)


async def rows(engine: AsyncEngine, table: str) -> list[str]:
    async with engine.connect() as connection:
        return [str(each) for each in await connection.execute(text(f"TABLE {table} ORDER BY 1"))]


async def test_a_dump_while_records_come_in_is_whole_and_no_number_is_given_again(
    store_engine: AsyncEngine, store_dsn: str, restored: Restore, tmp_path: Path
) -> None:
    accounts = Accounts(store_engine, system_clock)
    await accounts.create_integrator("acme", "0x" + "ac" * 20, None)
    _, key = await accounts.create_key("acme")
    await Webhooks(store_engine, system_clock).add("acme", "https://example.com/hook")
    await SteeringChanges(store_engine, Operator("test", "why")).pause("ACROSS", None, "ACROSS")
    assert await notice_restoration(store_engine) is None, "it was seen for the first time"
    assert await notice_restoration(store_engine) is None
    await done(store_engine, added(row(0)))
    dumping = asyncio.create_task(ran("pg_dump", "--format=custom", "--file", tmp_path / "file", store_dsn))
    count = 1
    while not dumping.done():
        await done(store_engine, added(row(count)))
        count += 1
    await done(store_engine, added(row(count)))
    lost = await read(store_engine)
    assert kinds(lost) == [(row(number).id, kind) for number in range(count + 1) for kind in (SEEN, FINAL)]

    engine = await restored()
    for table in KEPT:
        assert await rows(engine, table) == await rows(store_engine, table) != [], table
    assert (await Accounts(engine, system_clock).caller(key)).integrator is not None
    kept = await read(engine)
    # Each record with its key and both of its events, or nothing of it.
    assert 0 < len(kept) < len(lost)
    assert kept == lost[: len(kept)]
    assert len(await rows(engine, "transactions")) == len(await rows(engine, "record_keys")) == len(kept) // 2

    assert await notice_restoration(engine) == APART
    assert await notice_restoration(engine) is None
    assert await notice_restoration(store_engine) is None, "the one that was dumped is as before"
    async with running_streams(engine) as streams:
        # One reader had read all that is lost now, another one had not read all that is kept.
        for number, missed in ((lost[-1].number, 0), (kept[-1].number - 1, 1)):
            async with streams.read(last=seal_event_id(KEYS[0], "acme", number)) as reader:
                assert [name for name, _, _ in await reader.several(2)] == ["ready", "gap"]
                assert [data["number"] for _, _, data in await reader.several(missed)] == [kept[-1].number] * missed
        async with streams.read(last=seal_event_id(KEYS[0], "acme", lost[-1].number)) as reader:
            await reader.several(2)
            # A rescan finds again what came after the dump.
            await done(engine, *(added(row(number)) for number in range(count + 1)))
            again = await reader.several(len(lost) - len(kept))
    assert [data["data"]["id"] for _, _, data in again] == [event.record_id for event in lost[len(kept) :]]
    assert [data["number"] for _, _, data in again] == list(range(APART + 1, APART + 1 + len(again)))


async def test_a_server_that_goes_on_in_another_timeline_is_another_store(
    store_engine: AsyncEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As one that was restored from a base backup and its log, or a stand-by that has taken over."""
    await notice_restoration(store_engine)
    await done(store_engine, added(row(0)))
    for turn in range(1, 3):
        other = text(str(module._IDENTITY).replace("pg_walfile_name(pg_current_wal_lsn())", f"'0000000{turn + 1}'"))
        monkeypatch.setattr(module, "_IDENTITY", other)
        assert await asyncio.gather(*(notice_restoration(store_engine) for _ in range(3))) in (
            [turn * APART, None, None], [None, turn * APART, None], [None, None, turn * APART],
        )  # fmt: skip
        await done(store_engine, added(row(turn)))
        monkeypatch.undo()
    monkeypatch.setattr(module, "_IDENTITY", text("SELECT pg_sleep('x')"))
    assert await notice_restoration(store_engine) is None, "a server that does not say which it is"
    found = [event.number for event in await read(store_engine)]
    assert found == [1, 2, APART + 1, APART + 2, 2 * APART + 1, 2 * APART + 2]
