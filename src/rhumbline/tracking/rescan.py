"""Reads a part of a chain again, beside the service and without its leases, and adds missing records.

It is safe without a lease: it takes the lock under which the chain's leader writes, moves no position forward, adds
records by IDs that the chain gives them, and leaves those that are there as they are.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVar

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from rhumbline.domain.errors import NodeRefused, NodeUnavailable

TRIES = 5
_PAUSE_S = 1.0
_REGISTERED = text("""
    UPDATE transactions SET integrator = NULL FROM integrators
    WHERE transactions.source_chain_id = :chain_id AND transactions.source_block_number BETWEEN :first AND :last
        AND transactions.created_at >= :since AND integrators.name = transactions.integrator
        AND transactions.source_time < integrators.created_at - interval '5 minutes'
""")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Rescanned:
    """The result of a rescan: records that are ours, how many were added, and what remains unknown.

    ``unknown`` are transactions that name the service and that nothing which is kept vouches for; ``unread`` those that
    no node shows.
    """

    first: int
    last: int
    found: int = 0
    added: int = 0
    unknown: int = 0
    unread: int = 0


async def disown(connection: AsyncConnection, chain_id: int, first: int, last: int, since: object) -> None:
    """Take records that were made ``since`` from names that were registered after they had been executed.

    Who registers a name has nothing of what was executed under it before.
    """
    await connection.execute(_REGISTERED, {"chain_id": chain_id, "first": first, "last": last, "since": since})


async def insisted(work: Callable[[], Awaitable[T]]) -> T:
    """Do work that asks a node, up to five times, a second apart. Raise NodeUnavailable or NodeRefused at last."""
    for _ in range(TRIES - 1):
        try:
            return await work()
        except (NodeUnavailable, NodeRefused):
            await asyncio.sleep(_PAUSE_S)
    return await work()
