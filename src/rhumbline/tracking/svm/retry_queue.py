"""Transactions that are requested again: those that no node returned, and those that were removed.

A node may be wrong for long, and right later. Nothing waits for these; each is asked for ever more seldom, for as long
as what was handed out is kept. Only what is final counts, for nobody makes sure of it afterwards.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

import structlog
from sqlalchemy import BigInteger, Column, DateTime, Integer, MetaData, Table, Text, delete, func, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from rhumbline.domain.chain import Chain
from rhumbline.domain.clock import Clock
from rhumbline.domain.errors import NodeRefused, NodeUnavailable
from rhumbline.gateways.nodes.json_rpc import UnexpectedAnswer
from rhumbline.gateways.nodes.svm.batches import AnswerOrError
from rhumbline.gateways.nodes.svm.rpc import SvmRpc
from rhumbline.gateways.nodes.svm.transactions import ExecutedTransaction, FetchedTransaction
from rhumbline.gateways.postgres.leases import Fence, unfenced
from rhumbline.tracking.issued_transactions import KEPT_FOR
from rhumbline.tracking.store import add_records
from rhumbline.tracking.svm import positions
from rhumbline.tracking.svm.positions import Seen
from rhumbline.tracking.svm.records import RecordBuilder

MOST = 100_000
"""Per chain; a node that returns nothing must not fill the disk."""
AT_ONCE = 16
_SOONEST, _LATEST = timedelta(seconds=5), timedelta(hours=6)
_LOOK_AGAIN = timedelta(seconds=30)
_TIME = DateTime(timezone=True)
_log = structlog.stdlib.get_logger(__name__)

svm_sought = Table(
    "svm_sought",
    MetaData(),
    Column("chain_id", BigInteger, primary_key=True),
    Column("signature", Text, primary_key=True),
    Column("transaction_id", Text),
    Column("place", Integer),
    Column("since", _TIME, nullable=False),
    Column("next_at", _TIME, nullable=False),
)


async def retry_withdrawn(connection: AsyncConnection, chain_id: int, seen: Iterable[Seen], now: datetime) -> None:
    """Note transactions whose records were withdrawn."""
    rows = [_row(chain_id, each.signature, now, each.transaction_id, each.place) for each in seen]
    await _add(connection, chain_id, rows)


async def retry_unshown(connection: AsyncConnection, chain_id: int, signatures: Iterable[str], now: datetime) -> None:
    """Note transactions of which a node told, and that it never showed."""
    await _add(connection, chain_id, [_row(chain_id, each, now, None, None) for each in signatures])


@dataclass(frozen=True, slots=True)
class _Due:
    signature: str
    transaction_id: str | None
    place: int | None
    since: datetime


@dataclass(slots=True, eq=False)
class RetryQueue:
    """Requests the due ones of one chain. It remembers only when to check next."""

    chain: Chain
    rpc: SvmRpc
    engine: AsyncEngine
    clock: Clock
    record_builder: RecordBuilder
    fence: Fence = unfenced
    _next_at: datetime | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        self.rpc = replace(self.rpc, commitment="finalized")

    async def step(self, keys: tuple[bytes, ...]) -> None:
        """Ask for a few; raise a database error. A node that does not answer is asked again."""
        now = self.clock()
        if self._next_at is not None and now < self._next_at:
            return
        due = await self._due(now)
        self._next_at = now + (_SOONEST if due else _LOOK_AGAIN)
        if not due:
            return
        answers = await self._transactions([each.signature for each in due])
        shown = [(each, executed) for each, executed in zip(due, answers, strict=True) if executed is not None]
        again = [
            (executed, each.transaction_id, each.place or 0)
            for each, executed in shown
            if each.transaction_id is not None
        ]
        records = await self.record_builder.records_of(again)
        records += await self.record_builder.records(
            (executed for each, executed in shown if each.transaction_id is None), keys
        )
        found = {each.signature for each, _ in shown}
        async with self.engine.begin() as connection:
            await self.fence(connection)
            await positions.lock_chain(connection, self.chain.id)
            await add_records(connection, records)
            for each in due:
                await self._settle(connection, each, now, found=each.signature in found)
        if records:
            _log.info("transactions found again", chain=self.chain.key, count=len(records))

    async def _due(self, now: datetime) -> list[_Due]:
        row = svm_sought.c
        query = select(row.signature, row.transaction_id, row.place, row.since)
        query = query.where(row.chain_id == self.chain.id, row.next_at <= now).order_by(row.next_at).limit(AT_ONCE)
        async with self.engine.connect() as connection:
            return [_Due(*found) for found in await connection.execute(query)]

    async def _transactions(self, signatures: Sequence[str]) -> Sequence[ExecutedTransaction | None]:
        try:
            return [_executed(each) for each in await self.rpc.fetch_several(signatures)]
        except (NodeRefused, NodeUnavailable):
            return [None] * len(signatures)

    async def _settle(self, connection: AsyncConnection, each: _Due, now: datetime, *, found: bool) -> None:
        row, age = svm_sought.c, now - each.since
        this = (row.chain_id == self.chain.id, row.signature == each.signature)
        if found or age > KEPT_FOR:
            await connection.execute(delete(svm_sought).where(*this))
        else:
            pause = min(max(age, _SOONEST), _LATEST)
            await connection.execute(update(svm_sought).where(*this).values(next_at=now + pause))
        if not found and age > KEPT_FOR:
            _log.error("transaction given up", chain=self.chain.key, tx=each.signature)


def _executed(found: AnswerOrError[FetchedTransaction | None]) -> ExecutedTransaction | None:
    try:
        return found.read() if isinstance(found, FetchedTransaction) else None
    except UnexpectedAnswer:
        return None


def _row(
    chain_id: int, signature: str, now: datetime, transaction_id: str | None, place: int | None
) -> dict[str, object]:
    return {
        "chain_id": chain_id, "signature": signature, "transaction_id": transaction_id, "place": place,
        "since": now, "next_at": now + _SOONEST,
    }  # fmt: skip


async def _add(connection: AsyncConnection, chain_id: int, rows: list[dict[str, object]]) -> None:
    if not rows:
        return
    counted = select(func.count()).select_from(svm_sought).where(svm_sought.c.chain_id == chain_id)
    if (await connection.execute(counted)).scalar_one() + len(rows) > MOST:
        _log.error("too many transactions are sought", chain=chain_id, count=len(rows))
        return
    await connection.execute(insert(svm_sought).on_conflict_do_nothing(), rows)
