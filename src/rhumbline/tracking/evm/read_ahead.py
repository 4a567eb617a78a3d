"""Reads the next range while the present one is written, so that catching up waits less for the store."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

from rhumbline.domain.errors import NodeUnavailable
from rhumbline.domain.tracking import TransactionRecord
from rhumbline.gateways.nodes.evm.rpc import RpcError
from rhumbline.gateways.postgres.failures import DATABASE_ERRORS
from rhumbline.tracking.evm.log_reader import LogRange, RangeRefused
from rhumbline.tracking.evm.positions import ChainPosition, Checkpoint


@dataclass(frozen=True, slots=True)
class ReadRange:
    """The range read from ``position`` to ``last``, and its records."""

    position: ChainPosition
    last: int
    found: LogRange
    records: list[TransactionRecord]


RangeReader = Callable[[ChainPosition, int], Awaitable[ReadRange]]
"""Reads from a position, continuing its checkpoint, up to a block."""


class ReadAhead:
    """Holds one range at most. It is used only if the position that it continues has been reached."""

    def __init__(self, read: RangeReader) -> None:
        self._read_range = read
        self._ahead: ReadRange | None = None

    def taken(self, position: ChainPosition, top: int) -> ReadRange | None:
        """Return and drop what was read from a position on, not above ``top``."""
        ahead, self._ahead = self._ahead, None
        return ahead if ahead is not None and ahead.position == position and ahead.last <= top else None

    @asynccontextmanager
    async def reading(self, below: Checkpoint, last: int) -> AsyncIterator[None]:
        """Read from the block after ``below`` up to ``last`` while the body runs; nothing where ``last`` is below it.

        What fails is read again in its own turn. When the body raises, or is cancelled, so is the reading.
        """
        if last <= below.number:
            yield
            return
        position = ChainPosition(below.number + 1, below)
        reading = asyncio.create_task(self._read(position, last))
        try:
            yield
            await reading
        finally:
            reading.cancel()

    async def _read(self, position: ChainPosition, last: int) -> None:
        try:
            self._ahead = await self._read_range(position, last)
        except (RangeRefused, NodeUnavailable, RpcError, *DATABASE_ERRORS):
            return
