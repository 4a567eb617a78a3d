"""Reads blocks again and adds missing records.

Whoever does it, beside those who follow the chain and without any lease: it adds what is not there and changes nothing,
and it writes only while a block above the range, which the answering node has, is one that the chain was read by. So
what it adds a reorganisation withdraws like all else.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.domain.chain import Chain
from rhumbline.gateways.nodes.evm.rpc import EvmRpc
from rhumbline.gateways.postgres.leases import Fence, unfenced
from rhumbline.tracking.evm import positions
from rhumbline.tracking.evm.log_reader import LogReader
from rhumbline.tracking.evm.logs import EvmLog
from rhumbline.tracking.evm.positions import Checkpoint
from rhumbline.tracking.sightings import SightingReader
from rhumbline.tracking.store import add_records

_MOST_SEEN = 50_000
AgainFrom = Callable[[datetime], int | None]
"""Returns, for the time of a range's last block, from which block on to read again; None to stay where it is."""


def _nowhere(_: datetime) -> None:
    return None


@dataclass(frozen=True, slots=True)
class Found:
    """Records of unknown events, how many of them were added, and from where to read again."""

    found: int
    added: int
    second_look: int | None = None


@dataclass(eq=False)
class GapFinder:
    """Reads ranges of one chain again and adds missing records. Events in ``seen`` are skipped."""

    chain: Chain
    engine: AsyncEngine
    reader: LogReader
    sightings: SightingReader
    fence: Fence = unfenced

    def __post_init__(self) -> None:
        self._seen: set[tuple[int, str, int]] = set()

    def saw(self, logs: Iterable[EvmLog]) -> None:
        """Note events whose records were written."""
        if len(self._seen) > _MOST_SEEN:
            self._seen.clear()
        self._seen.update((log.block_number, log.block_hash, log.log_index) for log in logs)

    def forget(self, below: int | None = None) -> None:
        """Forget what was seen below a block, else all: after a reorganisation it may come back."""
        self._seen = set() if below is None else {each for each in self._seen if each[0] >= below}

    async def read(
        self, rpc: EvmRpc, first: int, last: int, top: Checkpoint, again_from: AgainFrom = _nowhere
    ) -> Found | None:
        """Read a range up to ``top``; None if the followed branch no longer has that block.

        Raise RangeRefused, NodeUnavailable, RpcError or a database error; nothing is half done then.
        """
        logs, time = await self.reader.again(rpc, first, last, top)
        new = {log.block_number for log in logs if (log.block_number, log.block_hash, log.log_index) not in self._seen}
        part = [log for log in logs if log.block_number in new]
        headers = await self.reader.headers(rpc, part, top)
        records = await self.sightings.records(self.reader.decoded(part, headers))
        added, second_look = 0, again_from(time)
        if records or second_look is not None:
            async with self.engine.begin() as connection:
                await self.fence(connection)
                await positions.read_position(connection, self.chain.id, lock=True)
                if not await positions.has_checkpoint(connection, self.chain.id, top):
                    return None
                added = (await add_records(connection, records)).added
                if second_look is not None:
                    await positions.move_second_look(connection, self.chain.id, second_look)
        self.saw(part)
        return Found(len(records), added, second_look)
