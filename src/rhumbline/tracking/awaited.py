"""Until when an issued transaction may be mined on a chain: until then the chain is polled often.

It is in the store, so that a process that has just begun, or has just taken over, knows it as well; whoever follows the
chain is told when it becomes later.
"""

import asyncio
from datetime import UTC, datetime, timedelta

import structlog
from sqlalchemy import BigInteger, Column, DateTime, MetaData, Table, func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.gateways.postgres.failures import DATABASE_ERRORS, driver_error
from rhumbline.gateways.postgres.notices import tell
from rhumbline.tracking.issued_transactions import LATEST
from rhumbline.tracking.topics import handed_out

SPARE = timedelta(minutes=2)
"""Added to the expiry of a transaction, so that a process writes less often for the same chain."""
_PATIENCE_S = 1.0
_NEVER = datetime.min.replace(tzinfo=UTC)
_log = structlog.stdlib.get_logger(__name__)

awaited = Table(
    "awaited",
    MetaData(),
    Column("chain_id", BigInteger, primary_key=True),
    Column("until", DateTime(timezone=True), nullable=False),
)


class Awaited:
    """Records until when transactions may be mined, by the store's clock."""

    __slots__ = ("_engine", "_noted", "_writing")

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._noted: dict[int, datetime] = {}
        self._writing: set[asyncio.Task[None]] = set()

    def note(self, chain_id: int, expires_at: datetime, wallet_call: bool) -> None:
        """Note a transaction issued now. Nobody waits for the store: a failed write is included in the next one."""
        until = expires_at + LATEST if wallet_call else expires_at
        if until > self._noted.get(chain_id, _NEVER):
            self._noted[chain_id] = until + SPARE
            task = asyncio.get_running_loop().create_task(self._write(chain_id, until + SPARE))
            self._writing.add(task)
            task.add_done_callback(self._writing.discard)

    async def left_s(self, chain_id: int) -> float:
        """Return for how many seconds a transaction may yet be mined, 0 where none may; raise a database error."""
        left = func.extract("epoch", awaited.c.until - func.clock_timestamp())
        async with self._engine.connect() as connection:
            found = (await connection.execute(select(left).where(awaited.c.chain_id == chain_id))).scalar_one_or_none()
        return max(float(found or 0), 0.0)

    async def close(self) -> None:
        """End what is being written, after a second."""
        if writing := set(self._writing):
            await asyncio.wait(writing, timeout=_PATIENCE_S)
            for task in writing:
                task.cancel()
            await asyncio.gather(*writing, return_exceptions=True)

    async def _write(self, chain_id: int, until: datetime) -> None:
        row = insert(awaited).values(chain_id=chain_id, until=until)
        later = func.greatest(awaited.c.until, row.excluded.until)
        try:
            async with self._engine.begin() as connection:
                await connection.execute(row.on_conflict_do_update(index_elements=["chain_id"], set_={"until": later}))
                await tell(connection, [handed_out(chain_id)])
        except DATABASE_ERRORS as error:
            self._noted.pop(chain_id, None)
            _log.warning("not noted what was handed out", chain=chain_id, reason=type(driver_error(error)).__name__)
