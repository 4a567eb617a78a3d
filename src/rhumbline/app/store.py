"""Opens the store that the settings name, or the embedded one, and brings it to this version's schema."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.app.settings import Settings
from rhumbline.gateways.postgres.embedded import embedded_postgres
from rhumbline.gateways.postgres.engine import check, create_engine
from rhumbline.gateways.postgres.migrating import migrate


@asynccontextmanager
async def opened_store(settings: Settings) -> AsyncIterator[AsyncEngine]:
    """Yield an engine on a store that is up to date; raise StoreError when there is none to be had."""
    async with AsyncExitStack() as stack:
        if settings.store.dsn is not None:
            dsn = settings.store.dsn.get_secret_value()
        else:
            dsn = await stack.enter_async_context(embedded_postgres(settings.store.data_dir))
        engine = create_engine(dsn)
        stack.push_async_callback(engine.dispose)
        await check(engine)
        await migrate(engine)
        yield engine
