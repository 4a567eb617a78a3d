"""The range after the one that is being written, read meanwhile: a chain that is caught up waits for its store less."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from rhumbline.domain.errors import NodeUnavailable
from rhumbline.gateways.nodes.evm.rpc import RpcError
from rhumbline.tracking.evm.log_reader import LogRange, LogReader, RangeRefused
from rhumbline.tracking.evm.positions import ChainPosition, Checkpoint


@dataclass(frozen=True, slots=True)
class _Ahead:
    """What was read of the range from ``position`` to ``last``; it continues the position's checkpoint."""

    position: ChainPosition
    last: int
    found: LogRange


class ReadAhead:
    """Keeps one range at the most. It counts only where the position that it continues has been reached."""

    def __init__(self, reader: LogReader) -> None:
        self._reader = reader
        self._ahead: _Ahead | None = None

    def taken(self, position: ChainPosition, top: int) -> tuple[int, LogRange] | None:
        """Return the last block and what was read from a position on, not above ``top``; it is not kept any longer."""
        ahead, self._ahead = self._ahead, None
        fits = ahead is not None and ahead.position == position and ahead.last <= top
        return (ahead.last, ahead.found) if ahead is not None and fits else None

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
            found = await self._reader.read(position.next_block, last, position.last)
        except (RangeRefused, NodeUnavailable, RpcError):
            return
        self._ahead = _Ahead(position, last, found)
