"""Has leases grow old: tests do not wait."""

from datetime import timedelta

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.gateways.postgres.lease_table import TTL_S


async def run_out(engine: AsyncEngine, seconds: float = TTL_S) -> None:
    """Have the store's clock be so much later, for all leases."""
    async with engine.begin() as connection:
        earlier = "UPDATE leases SET expires_at = expires_at - CAST(:by AS interval), moved_at = moved_at - :by"
        await connection.execute(text(earlier), {"by": timedelta(seconds=seconds)})


async def still_for(engine: AsyncEngine, seconds: float) -> None:
    async with engine.begin() as connection:
        earlier = text("UPDATE leases SET moved_at = moved_at - CAST(:by AS interval)")
        await connection.execute(earlier, {"by": timedelta(seconds=seconds)})
