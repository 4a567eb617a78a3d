"""The service's own secrets, by purpose: for transaction IDs, for cursors. The old ones stay valid for reading."""

import secrets

from sqlalchemy import (
    BigInteger,
    Column,
    DateTime,
    Identity,
    LargeBinary,
    MetaData,
    Table,
    Text,
    func,
    insert,
    select,
    text,
)
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from rhumbline.gateways.postgres.failures import store_access

_BYTES = 32

service_secrets = Table(
    "service_secrets",
    MetaData(),
    Column("id", BigInteger, Identity(always=True), primary_key=True),
    Column("purpose", Text, nullable=False),
    Column("secret", LargeBinary, nullable=False),
    Column("created_at", DateTime(timezone=True), nullable=False, server_default=func.now()),
)


async def load_keys(engine: AsyncEngine, purpose: str) -> tuple[bytes, ...]:
    """Return a purpose's secrets, newest first, the same to all processes; makes the first. Raise StoreUnavailable."""
    with store_access():
        async with engine.begin() as connection:
            found = await _secrets_of(connection, purpose)
            if found:
                return found
            # Whoever comes second waits here for the first one's commit, and then sees its secret.
            await connection.execute(text("LOCK TABLE service_secrets IN SHARE ROW EXCLUSIVE MODE"))
            found = await _secrets_of(connection, purpose)
            if not found:
                await _add_secret(connection, purpose)
                found = await _secrets_of(connection, purpose)
            return found


async def rotate_keys(engine: AsyncEngine, purpose: str) -> tuple[bytes, ...]:
    """Add a fresh secret for a purpose and return all, newest first. Running processes know those of their start."""
    with store_access():
        async with engine.begin() as connection:
            await _add_secret(connection, purpose)
            return await _secrets_of(connection, purpose)


async def _secrets_of(connection: AsyncConnection, purpose: str) -> tuple[bytes, ...]:
    """Return the secrets for a purpose, newest first."""
    query = select(service_secrets.c.secret).where(service_secrets.c.purpose == purpose)
    return tuple(row.secret for row in await connection.execute(query.order_by(service_secrets.c.id.desc())))


async def _add_secret(connection: AsyncConnection, purpose: str) -> None:
    """Add a fresh secret, which is the newest of its purpose from now on."""
    await connection.execute(insert(service_secrets).values(purpose=purpose, secret=secrets.token_bytes(_BYTES)))
