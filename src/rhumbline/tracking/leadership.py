"""Who follows a chain, when several processes could: the one that holds the chain's advisory lock in the store.

Leadership saves the nodes from being asked twice. Nothing depends on it: every write makes sure by itself that nobody
else has moved the chain's position.
"""

import asyncio
import time
from collections.abc import Callable
from hashlib import sha256

import asyncpg
from sqlalchemy import func, select
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

SURE_FOR_S = 10.0
"""So long a lead is believed in without asking the store, unless the connection is seen to be closed."""


class Leadership:
    """One database connection that holds the locks of all chains led by this process. Lost with the connection.

    ``seconds`` is a clock that never goes back.
    """

    __slots__ = ("_asked_at", "_connection", "_engine", "_held", "_seconds", "_turn")

    def __init__(self, engine: AsyncEngine, seconds: Callable[[], float] = time.monotonic) -> None:
        """Connect at the first question only."""
        self._engine = engine
        self._seconds = seconds
        self._connection: AsyncConnection | None = None
        self._held: set[int] = set()
        self._turn = asyncio.Lock()
        self._asked_at = 0.0

    def holds(self, chain_id: int) -> bool:
        """Tell whether this process led the chain when it last asked; without asking."""
        return chain_id in self._held

    async def leads(self, chain_id: int) -> bool:
        """Take the lead when it is free; tell whether it is ours. A database error is raised, and ends every lead."""
        async with self._turn:
            try:
                return await self._ask(chain_id)
            except (SQLAlchemyError, OSError):
                await self._drop()
                raise

    async def release(self) -> None:
        async with self._turn:
            await self._drop()

    async def _ask(self, chain_id: int) -> bool:
        if self._connection is None:
            connection = await self._engine.connect()
            self._connection = await connection.execution_options(isolation_level="AUTOCOMMIT")
        if chain_id in self._held:
            if self._seconds() - self._asked_at < SURE_FOR_S and not await _is_closed(self._connection):
                return True
            await self._connection.execute(select(1))
        elif (await self._connection.execute(select(func.pg_try_advisory_lock(lock_key(chain_id))))).scalar_one():
            self._held.add(chain_id)
        self._asked_at = self._seconds()
        return chain_id in self._held

    async def _drop(self) -> None:
        """End the session itself: a connection that went back to the pool would keep its locks."""
        connection, self._connection = self._connection, None
        self._held.clear()
        if connection is not None:
            await connection.invalidate()
            await connection.close()


async def _is_closed(connection: AsyncConnection) -> bool:
    driver = (await connection.get_raw_connection()).driver_connection
    return isinstance(driver, asyncpg.Connection) and driver.is_closed()


def lock_key(chain_id: int) -> int:
    """Return the chain's advisory lock: 64 bits that nothing else in the database uses by accident."""
    return int.from_bytes(sha256(f"rhumbline.tracking:{chain_id}".encode()).digest()[:8], signed=True)
