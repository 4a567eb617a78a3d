"""When keys were last used, to the minute: not every request is worth a write.

A use is a request that was asked of the store who owns its key; of one key that happens twice a second at most.
"""

from contextlib import suppress
from datetime import datetime, timedelta

from sqlalchemy import func, select, update
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.accounts.key_store import api_keys
from rhumbline.domain.errors import StoreUnavailable
from rhumbline.gateways.postgres.failures import store_access

_NOTED = timedelta(minutes=1)
"""A use is written only if it is this much later than the last written one."""


def is_due(noted: datetime | None, now: datetime) -> bool:
    return noted is None or now - noted >= _NOTED


async def note_use(engine: AsyncEngine, key_digest: bytes, now: datetime) -> None:
    """Note that a key is used. Where nothing can be written, or its row is just being changed, it is left undone."""
    row = api_keys.c
    free = select(row.id).where(row.digest == key_digest).with_for_update(skip_locked=True).scalar_subquery()
    noted = update(api_keys).where(row.id == free).values(last_used_at=func.greatest(row.last_used_at, now))
    with suppress(StoreUnavailable), store_access():
        async with engine.begin() as connection:
            await connection.execute(noted)
