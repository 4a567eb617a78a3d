"""The service's own secrets, by purpose: for transaction IDs, for cursors. The old ones stay valid for reading.

The first one is written with. A new one comes first only after ``SPREAD_S``: by then every process has read it.
"""

import secrets
from datetime import timedelta

from sqlalchemy import (
    BigInteger,
    Column,
    DateTime,
    Identity,
    LargeBinary,
    MetaData,
    Table,
    Text,
    case,
    func,
    insert,
    select,
    text,
)
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from rhumbline.gateways.postgres.failures import store_access

TRANSACTION_IDS = "transaction-ids"
CURSORS = "cursors"
SPREAD_S = 60
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
    """Return a purpose's secrets, the one to write with first; makes the first. Raise StoreUnavailable."""
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
    """Add a fresh secret for a purpose and return all. Raise StoreUnavailable."""
    with store_access():
        async with engine.begin() as connection:
            await _add_secret(connection, purpose)
            return await _secrets_of(connection, purpose)


async def _secrets_of(connection: AsyncConnection, purpose: str) -> tuple[bytes, ...]:
    """Return the secrets for a purpose: those that have spread, newest first, then the others, oldest first."""
    key, fresh = service_secrets.c.id, service_secrets.c.created_at > func.now() - timedelta(seconds=SPREAD_S)
    query = select(service_secrets.c.secret).where(service_secrets.c.purpose == purpose)
    ordered = query.order_by(fresh, case((fresh, key), else_=-key))
    return tuple(row.secret for row in await connection.execute(ordered))


async def _add_secret(connection: AsyncConnection, purpose: str) -> None:
    """Add a fresh secret."""
    await connection.execute(insert(service_secrets).values(purpose=purpose, secret=secrets.token_bytes(_BYTES)))
