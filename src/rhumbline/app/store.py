"""Opens the configured store, or the embedded one, and migrates it to this version's schema."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TypeVar

import structlog
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.app.console import notices
from rhumbline.app.run import run
from rhumbline.app.settings import Settings
from rhumbline.gateways.postgres.embedded import embedded_postgres
from rhumbline.gateways.postgres.engine import check, create_engine, explained
from rhumbline.gateways.postgres.failures import DATABASE_ERRORS
from rhumbline.gateways.postgres.schema_upgrade import NEWEST, current, migrate
from rhumbline.tracking.record_events.restored_store import notice_restoration

T = TypeVar("T")
_MIGRATION_S = 6 * 3600.0
"""The longest time of one statement of a migration: it may build an index over millions of records."""


@asynccontextmanager
async def opened_store(settings: Settings, *, logs: bool = False) -> AsyncIterator[AsyncEngine]:
    """Yield an engine on a store that is up to date; raise StoreError when there is none to be had.

    Warnings go to the log with ``logs``, else to standard error in words.
    """
    warn = _log if logs else _print
    async with AsyncExitStack() as stack:
        if settings.store.dsn is not None:
            dsn = settings.store.dsn.get_secret_value()
        else:
            dsn = await stack.enter_async_context(embedded_postgres(settings.store.data_dir))
        engine = create_engine(dsn)
        stack.push_async_callback(engine.dispose)
        await check(engine)
        found = await _bring_up_to_date(engine, dsn)
        if found != NEWEST:
            remedy = "it lets this version run; replace this process by one of the newer version"
            warn("store_of_newer_version", remedy, schema=found, own=NEWEST)
        try:
            begin = await notice_restoration(engine)
        except DATABASE_ERRORS as error:
            raise explained(error, engine) from error
        if begin is not None:
            warn("store_was_restored", "see docs/backup.md for what to do now", events_after=begin)
        yield engine


def in_store(settings: Settings, work: Callable[[AsyncEngine], Awaitable[T]]) -> T:
    """Run a command's work on the opened store to its end; raise what ``opened_store`` and the work raise."""

    async def go() -> T:
        async with opened_store(settings) as engine:
            return await work(engine)

    return run(go())


async def _bring_up_to_date(engine: AsyncEngine, dsn: str) -> str:
    """Return the schema's revision then."""
    if await current(engine) == NEWEST:
        return NEWEST
    patient = create_engine(dsn, pool_size=2, statement_timeout_s=_MIGRATION_S)
    try:
        return await migrate(patient)
    finally:
        await patient.dispose()


def _log(event: str, remedy: str, **told: object) -> None:
    structlog.get_logger().warning(event, **told, remedy=remedy)


def _print(event: str, remedy: str, **told: object) -> None:
    facts = "".join(f", {name} {value}" for name, value in told.items())
    notices().print(f"{event.replace('_', ' ')}{facts}: {remedy}")
