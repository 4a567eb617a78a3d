"""The service's own secrets, by purpose: for transaction IDs, for cursors. The old ones stay valid for reading."""

import secrets

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.accounts import store
from rhumbline.gateways.postgres.failures import store_access

_BYTES = 32


async def load_keys(engine: AsyncEngine, purpose: str) -> tuple[bytes, ...]:
    """Return a purpose's secrets, newest first, the same to all processes; makes the first. Raise StoreUnavailable."""
    with store_access():
        async with engine.begin() as connection:
            found = await store.secrets_of(connection, purpose)
            if found:
                return found
            # Whoever comes second waits here for the first one's commit, and then sees its secret.
            await connection.execute(text("LOCK TABLE service_secrets IN SHARE ROW EXCLUSIVE MODE"))
            found = await store.secrets_of(connection, purpose)
            if not found:
                await store.add_secret(connection, purpose, secrets.token_bytes(_BYTES))
                found = await store.secrets_of(connection, purpose)
            return found


async def rotate_keys(engine: AsyncEngine, purpose: str) -> tuple[bytes, ...]:
    """Add a fresh secret for a purpose and return all, newest first. Running processes know those of their start."""
    with store_access():
        async with engine.begin() as connection:
            await store.add_secret(connection, purpose, secrets.token_bytes(_BYTES))
            return await store.secrets_of(connection, purpose)
