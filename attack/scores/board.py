"""Scorecards on a store of their own: several processes write into it, and the ranking reads it as the service does."""

import itertools
import tempfile
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta
from fractions import Fraction
from functools import partial
from pathlib import Path

from sqlalchemy import delete, func, select
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.accounts.score_store import ScoreWriter, callers, counts, promises
from rhumbline.accounts.score_tally import ScoreTally
from rhumbline.domain.clock import system_clock
from rhumbline.domain.scorecard import AdapterPair, Promise
from rhumbline.domain.tracking import RecordAmount, StatusSource, TransactionRecord, TransferState
from rhumbline.gateways.postgres.embedded import embedded_postgres
from rhumbline.gateways.postgres.engine import create_engine
from rhumbline.gateways.postgres.schema_upgrade import migrate
from rhumbline.routing.ranking import handicap
from rhumbline.tracking.evm.positions import withdraw
from rhumbline.tracking.scorecards.comparison import RecordComparison
from rhumbline.tracking.scorecards.executions import executions
from rhumbline.tracking.scorecards.track_records import TrackRecords
from rhumbline.tracking.store import add_records

MOST = Fraction(5, 10_000)
"""The share of the value that a track record costs at most, as the settings have it."""
_KEPT = timedelta(days=90)
_PROCESSES = 2
_STEPS = 100


@dataclass(frozen=True)
class Trade:
    """A transaction that somebody made with an answer: ``brought`` is what arrived, in raw units."""

    sender: str
    promise: Promise
    brought: int
    after: timedelta = timedelta(seconds=5)
    source: StatusSource = StatusSource.ANALYTICS
    transaction_id: str | None = None


@dataclass
class Board:
    """The scorecards of several processes. Blocks and IDs are counted up, so that no two trades are the same."""

    engine: AsyncEngine
    numbers: Iterator[int] = field(default_factory=lambda: itertools.count(1))

    def __post_init__(self) -> None:
        """Begin with processes that know of nobody."""
        self.writers = [self._writer() for _ in range(_PROCESSES)]

    async def clear(self) -> None:
        """Forget all scorecards, as those of other days are; what processes know of callers too."""
        async with self.engine.begin() as connection:
            for table in (counts, callers, promises, executions):
                await connection.execute(delete(table))
        self.writers = [self._writer() for _ in range(_PROCESSES)]
        await self._compared()

    async def written(self) -> None:
        """Have all processes write what they have counted."""
        for writer in self.writers:
            await writer.write()

    async def traded(self, trades: Sequence[Trade]) -> int:
        """Have these transactions be answered, mined and measured; return the first one's block."""
        block, records = next(self.numbers), []
        for trade in trades:
            number = next(self.numbers)
            own = trade.transaction_id or "0x" + number.to_bytes(32).hex()
            self.writers[0].tally.promise(replace(trade.promise, transaction_id=own))
            records.append(_record(trade, own, number))
        await self.written()
        async with self.engine.begin() as connection:
            await add_records(connection, records)
        await self._compared()
        return block

    async def reorganised(self, chain_id: int, block: int) -> None:
        """Have the chain forget what was mined from a block on."""
        async with self.engine.begin() as connection:
            await withdraw(connection, chain_id, above=block - 1)
        await self._compared()

    async def costs(self) -> Mapping[AdapterPair, Fraction]:
        """Return what track records cost now in the ranking."""
        records = TrackRecords(self.engine, partial(handicap, most=MOST))
        await records.read()
        return dict(records.costs)

    async def asked(self, pair: AdapterPair) -> int:
        """Return how often an adapter is counted as asked."""
        row = counts.c
        of_pair = (row.adapter, row.origin_chain_id, row.destination_chain_id)
        wanted = [column == value for column, value in zip(of_pair, pair, strict=True)]
        async with self.engine.connect() as connection:
            return int(
                (await connection.execute(select(func.coalesce(func.sum(row.asked), 0)).where(*wanted))).scalar_one()
            )

    async def executed(self) -> int:
        """Return how many transactions stand beside what they were quoted."""
        async with self.engine.connect() as connection:
            return int((await connection.execute(select(func.count()).select_from(executions))).scalar_one())

    def _writer(self) -> ScoreWriter:
        return ScoreWriter(self.engine, ScoreTally(system_clock), system_clock, _KEPT)

    async def _compared(self) -> None:
        work = RecordComparison(self.engine, _KEPT, timedelta())
        for _ in range(_STEPS):
            if await work.step():
                return


def _record(trade: Trade, transaction_id: str, number: int) -> TransactionRecord:
    pair, at = trade.promise.pair, trade.promise.at + trade.after
    return TransactionRecord(
        id=f"score {number}",
        transaction_id=transaction_id,
        origin_chain_id=pair.origin_chain_id,
        origin_tx_hash="0x" + number.to_bytes(32).hex(),
        origin_log_index=0,
        origin_block_number=number,
        origin_block_hash="0x" + number.to_bytes(32, "little").hex(),
        origin_time=at,
        destination_chain_id=pair.destination_chain_id,
        destination_time=at + timedelta(seconds=trade.promise.seconds or 0),
        sender=trade.sender,
        integrator=None,
        protocol="attack",
        output=RecordAmount("token", trade.brought),
        status=TransferState.SUCCESS,
        status_source=trade.source,
        created_at=at,
        updated_at=at,
    )


@asynccontextmanager
async def open_board() -> AsyncIterator[Board]:
    """Open a store of its own, for as long as the context lasts."""
    with tempfile.TemporaryDirectory(prefix="attack-") as folder:
        async with embedded_postgres(Path(folder) / "store", durable=False) as dsn, board_on(dsn) as board:
            yield board


@asynccontextmanager
async def board_on(dsn: str) -> AsyncIterator[Board]:
    """The same on a server that runs already."""
    engine = create_engine(dsn)
    try:
        await migrate(engine)
        yield Board(engine)
    finally:
        await engine.dispose()
