"""Counts the transfers that have not ended."""

from collections.abc import Mapping

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from rhumbline.tracking.store import transactions


async def waiting_transfers(connection: AsyncConnection) -> Mapping[str, int]:
    """Return how many transfers have not ended, by the key of their bridge. Raise a database error."""
    row = transactions.c
    waiting = row.next_bridge_check_at.is_not(None), row.terms.is_not(None)
    query = select(row.protocol, func.count()).where(*waiting).group_by(row.protocol)
    return {str(protocol): int(number) for protocol, number in (await connection.execute(query)).all()}
