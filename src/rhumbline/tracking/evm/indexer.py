"""Follows one EVM chain: the Diamond's events by block range, and reorganisations.

What is kept for it: the next block to read, and checkpoints, the hashes of the last block of each range. A range is
taken in only when it continues the newest checkpoint, and records, checkpoint and position are written in one database
transaction that first makes sure that nobody else has moved the position. So a crash, a second worker or a node that
changes its mind in between leaves nothing out and nothing twice.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import structlog
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from rhumbline.catalog.chains import ChainCatalog
from rhumbline.domain.chain import Chain
from rhumbline.domain.clock import Clock
from rhumbline.domain.metrics import Metrics, NoMetrics
from rhumbline.gateways.nodes.evm.rpc import EvmRpc, RpcError, quantity
from rhumbline.gateways.postgres.leases import Fence, unfenced
from rhumbline.tracking.evm import positions
from rhumbline.tracking.evm.blocks import Block, block_of, header_call, read_block, read_blocks
from rhumbline.tracking.evm.gap_finder import GapFinder
from rhumbline.tracking.evm.log_reader import LogReader, RangeRefused
from rhumbline.tracking.evm.positions import ChainPosition, Checkpoint
from rhumbline.tracking.evm.read_ahead import ReadAhead, ReadRange
from rhumbline.tracking.evm.second_look import SecondLook
from rhumbline.tracking.sightings import ServiceKeys, SightingReader, aside
from rhumbline.tracking.store import add_records
from rhumbline.tracking.transfers import Known

_FORK_SEARCH = 32
_log = structlog.stdlib.get_logger(__name__)


class WrongChain(Exception):
    """The node is on another chain than the settings say; the message names both."""


@dataclass(frozen=True, slots=True)
class IndexingSettings:
    """``start_block`` None begins at the chain's head; ``block_range`` is the largest range of a request.

    ``checkpoints`` is how many block hashes are kept: a reorganisation deeper than they reach is read again from the
    first block.
    """

    start_block: int | None = None
    block_range: int = 2000
    checkpoints: int = 512


@dataclass(eq=False)
class Indexer:
    """Reads one chain, a range at a time. It remembers the size of the range and the position.

    The latter is a guess: every write makes sure of it, and where it is wrong it is read anew. So a chain at rest costs
    one request to its node and nothing of the store. Without a Diamond only blocks are followed; ``fence`` passes each
    write, or raises.
    """

    chain: Chain
    rpc: EvmRpc
    engine: AsyncEngine
    keys: ServiceKeys
    clock: Clock
    settings: IndexingSettings
    metrics: Metrics = field(default_factory=NoMetrics)
    known: Known | None = None
    fence: Fence = unfenced

    def __post_init__(self) -> None:
        known = self.known or Known(ChainCatalog([self.chain]))
        self.sightings = SightingReader(self.chain, self.engine, self.keys, self.clock, known)
        self._reader = LogReader(self.chain, self.rpc, self.metrics)
        self._read_ahead = ReadAhead(self._read)
        gap_finder = GapFinder(self.chain, self.engine, self._reader, self.sightings, self.fence)
        self._second_look = SecondLook(gap_finder, self.rpc, self.clock, self.settings.block_range)
        self._span = self.settings.block_range
        self._position: ChainPosition | None = None
        self._told: tuple[int, int] | None = None

    async def step(self) -> bool:
        """Do one piece of work: begin, return to a fork point, or read a range. Return whether more is waiting.

        Raise NodeUnavailable, RpcError, WrongChain or a database error; nothing is half done then.
        """
        position = self._position or await self._read_position()
        head, newest = await self._head(position)
        top = head - self.chain.confirmations
        if position is None:
            return await self._begin(top)
        if self._told != (head, position.next_block):
            self._told = head, position.next_block
            self.metrics.followed(self.chain.key, head, position.next_block)
        if not await self._continues(position, head, newest):
            self._position = None
            await self._go_back(position, head)
            return True
        ahead = self._read_ahead.taken(position, top)
        last = min(top, position.next_block + self._span - 1) if ahead is None else ahead.last
        if last >= position.next_block:
            self._position = None
            if not await self._take(position, last, top, ahead) or last < top:
                return True
        else:
            self._position = position
        newest = None if self._position is None else self._position.last
        return newest is not None and await self._second_look.step(newest)

    @property
    def head(self) -> int | None:
        return None if self._told is None else self._told[0]

    @property
    def reached(self) -> int | None:
        return None if self._position is None else self._position.next_block

    @property
    def next_block(self) -> int | None:
        return self.reached if self._told is None or self._position is not None else self._told[1]

    async def latest(self) -> int:
        return await self.rpc.block_number()

    async def _read_position(self) -> ChainPosition | None:
        async with self.engine.connect() as connection:
            return await positions.read_position(connection, self.chain.id)

    async def _head(self, position: ChainPosition | None) -> tuple[int, object]:
        """Read the latest block, and also the chain ID: another chain's blocks would look like a fork.

        In the same request for the block of the newest checkpoint, which is returned as it was answered.
        """
        last = None if position is None else position.last
        below: list[tuple[str, Sequence[object]]] = [] if last is None else [header_call(last.number)]
        asked, head_answer, *newest = await self.rpc.batch([("eth_chainId", []), ("eth_blockNumber", []), *below])
        for answer in (asked, head_answer):
            if isinstance(answer, RpcError):
                raise answer
        chain_id, head = quantity(asked), quantity(head_answer)
        if chain_id != self.chain.id:
            raise WrongChain(f"{self.chain.key}: the node is on chain {chain_id}, the settings say {self.chain.id}")
        return head, newest[0] if newest else None

    async def _begin(self, top: int) -> bool:
        """Begin below the first block to read, so that a reorganisation is noticed from there on."""
        start = self.settings.start_block
        next_block = max(top, 0) if start is None else start
        if max(next_block - 1, 0) > top:
            return False
        below = await read_block(self.rpc, max(next_block - 1, 0))
        async with self.engine.begin() as connection:
            await self.fence(connection)
            if not await positions.begin(connection, self.chain.id, next_block, self.clock()):
                return True
            await self._mark(connection, below)
        _log.info("tracking begins", chain=self.chain.key, block=next_block)
        return True

    async def _mark(self, connection: AsyncConnection, block: Block) -> None:
        await positions.add_checkpoint(connection, self.chain.id, _checkpoint(block), self.settings.checkpoints)

    async def _continues(self, position: ChainPosition, head: int, answer: object) -> bool:
        """Return whether the node still has the newest checkpoint that it can have.

        A head below our position alone proves nothing: behind a load balancer some nodes lag. ``answer`` is what the
        node said of the block of the newest one that there is.
        """
        newest = position.last
        if newest is not None and newest.number <= head:
            return block_of(self.rpc.name, newest.number, answer).hash == newest.hash
        if newest is not None:
            async with self.engine.connect() as connection:
                found = await positions.read_checkpoints(connection, self.chain.id, highest=head, limit=1)
            newest = found[0] if found else None
        return newest is None or (await read_block(self.rpc, newest.number)).hash == newest.hash

    async def _go_back(self, position: ChainPosition, head: int) -> None:
        """Withdraw what was seen above the newest checkpoint that the node still has; everything when it has none.

        Then the chain is begun anew, below the first block to read as at first: where the first range is all that is
        known, a fork inside it would find nothing below itself to go back to.
        """
        fork, oldest = await self._fork(head)
        below: Block | None = None
        if fork is not None:
            next_block = fork + 1
        else:
            next_block = oldest if self.settings.start_block is None else self.settings.start_block
            below = await read_block(self.rpc, min(max(next_block - 1, 0), head))
        async with self.engine.begin() as connection:
            await self.fence(connection)
            if await positions.read_position(connection, self.chain.id, lock=True) != position:
                return
            removed = await positions.withdraw(connection, self.chain.id, above=-1 if fork is None else fork)
            await positions.move(connection, self.chain.id, next_block, self.clock())
            if below is not None:
                await self._mark(connection, below)
                await positions.move_second_look(connection, self.chain.id, next_block)
        self._second_look.forget()
        was = position.next_block
        _log.warning("chain reorganised", chain=self.chain.key, was=was, now=next_block, removed=removed)

    async def _fork(self, head: int) -> tuple[int | None, int]:
        """Return the newest checkpoint that the node still has, None if it has none, and the oldest one checked."""
        oldest = head + 1
        while True:
            async with self.engine.connect() as connection:
                known = await positions.read_checkpoints(
                    connection, self.chain.id, highest=oldest - 1, limit=_FORK_SEARCH
                )
            if not known:
                return None, oldest
            now = await read_blocks(self.rpc, [checkpoint.number for checkpoint in known])
            for checkpoint in known:
                if now[checkpoint.number].hash == checkpoint.hash:
                    return checkpoint.number, oldest
            oldest = known[-1].number

    async def _take(self, position: ChainPosition, last: int, top: int, ahead: ReadRange | None) -> bool:
        """Add the range from the position up to ``last``, perhaps already read; return whether it was added.

        Meanwhile the range after it is read, up to ``top``.
        """
        first = position.next_block
        try:
            taken = ahead or await self._read(position, last)
        except RangeRefused as error:
            # Nodes refuse with all kinds of codes, or just answer late.
            self._span = max((last - first + 1) // 2, 1)
            _log.info("smaller block range", chain=self.chain.key, blocks=self._span, reason=str(error))
            return False
        newest = _checkpoint(taken.found.headers[last])
        reading = self._read_ahead.reading(newest, min(top, last + self._span))
        async with reading, self.engine.begin() as connection:
            await self.fence(connection)
            if await positions.read_position(connection, self.chain.id, lock=True) != position:
                self._second_look.forget()
                return False
            added, beyond = await add_records(connection, taken.records)
            await positions.add_checkpoint(connection, self.chain.id, newest, self.settings.checkpoints)
            await positions.move(connection, self.chain.id, last + 1, self.clock())
        self._position = ChainPosition(last + 1, newest)
        self._second_look.saw(taken.found.logs)
        self._span = min(self._span + self._span // 4 + 1, self.settings.block_range)
        if taken.records:
            _log.info("transactions seen", chain=self.chain.key, count=added, beyond=beyond, first=first, last=last)
        return True

    async def _read(self, position: ChainPosition, last: int) -> ReadRange:
        found = await self._reader.read(position.next_block, last, position.last)
        seen = await aside(len(found.logs), self._reader.decoded, found.logs, found.headers)
        return ReadRange(position, last, found, await self.sightings.records(seen))


def _checkpoint(block: Block) -> Checkpoint:
    return Checkpoint(block.number, block.hash, block.time)
