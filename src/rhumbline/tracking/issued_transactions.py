"""Transfers as they were issued, stored to compare events with what was promised."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ColumnElement,
    DateTime,
    Executable,
    LargeBinary,
    MetaData,
    Table,
    Text,
    and_,
    delete,
    func,
    select,
)
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from rhumbline.domain.transfer import IssuedTransaction
from rhumbline.gateways.postgres.failures import store_access
from rhumbline.gateways.postgres.leases import Fence, unfenced
from rhumbline.gateways.postgres.one_of import one_of
from rhumbline.tracking.columns import CHARGES, DEPOSIT, DESTINATION_CALL, WholeNumber

LATEST = timedelta(minutes=30)
"""A wallet's own call may be mined so long after it expired: nothing on the chain prevents it."""
EARLIEST = timedelta(hours=1)
"""How far a chain's clock may be behind ours: a call may be in a block that seems older than its quote."""
KEPT_FOR = timedelta(days=30)
MOST_KEPT = 2_000_000
"""If there are more, those that expire first are deleted early: a flood of quotes must not fill the disk."""
FORGOTTEN_AT_ONCE = 5_000
_TIME = DateTime(timezone=True)
_AMOUNT = WholeNumber()

builds = Table(
    "builds",
    MetaData(),
    Column("transaction_id", Text, primary_key=True),
    Column("adapter", Text, nullable=False),
    Column("direct", Boolean, key="wallet_call", nullable=False),
    Column("origin_chain_id", BigInteger, nullable=False),
    Column("destination_chain_id", BigInteger, nullable=False),
    Column("sender", Text, nullable=False),
    Column("receiver", Text, nullable=False),
    Column("integrator", Text, nullable=False),
    Column("entry", Text, key="to", nullable=False),
    Column("value", _AMOUNT, nullable=False),
    Column("data", LargeBinary, nullable=False),
    Column("input_token", Text, nullable=False),
    Column("input_amount", _AMOUNT, nullable=False),
    Column("sent_amount", _AMOUNT, nullable=False),
    Column("output_token", Text, nullable=False),
    Column("expected_output", _AMOUNT, nullable=False),
    Column("min_output", _AMOUNT, nullable=False),
    Column("reference", Text),
    Column("created_at", _TIME, nullable=False),
    Column("expires_at", _TIME, nullable=False),
    Column("deposit", DEPOSIT),
    Column("charges", CHARGES, nullable=False),
    Column("sent_token", Text),
    Column("destination_call", DESTINATION_CALL),
    Column("parts", LargeBinary, nullable=False),
    Column("refund_to", Text),
)
_FIELDS = tuple(builds.c.keys())


@dataclass(frozen=True, slots=True)
class IssuedTransactions:
    """Stores issued transactions, about ``most`` of them; a transfer that cannot be stored must not be answered."""

    engine: AsyncEngine
    most: int = MOST_KEPT

    async def keep(self, issued: IssuedTransaction) -> None:
        """Keep a transfer; raise StoreUnavailable when it is not kept."""
        kept = issued if issued.wallet_call else replace(issued, data=b"", charges=(), parts=b"")
        with store_access():
            async with self.engine.begin() as connection:
                await connection.execute(insert(builds), {name: getattr(kept, name) for name in _FIELDS})

    async def forget(self, fence: Fence = unfenced) -> bool:
        """Delete some that are long expired or too many, never one that may be mined; return whether there may be more.

        What has expired is judged by the store's clock; ``fence`` passes the write, or raises.
        """
        async with self.engine.begin() as connection:
            await fence(connection)
            row, now = builds.c, (await connection.execute(select(func.clock_timestamp()))).scalar_one()
            beyond = select(row.expires_at).order_by(row.expires_at.desc()).offset(self.most).limit(1)
            full = (await connection.execute(beyond)).scalar_one_or_none()
            until = now - KEPT_FOR if full is None else max(now - KEPT_FOR, min(full, now - LATEST))
            some = select(row.transaction_id).where(row.expires_at < until).order_by(row.expires_at)
            some = some.limit(FORGOTTEN_AT_ONCE)
            removed = await connection.execute(delete(builds).where(row.transaction_id.in_(some.scalar_subquery())))
        return removed.rowcount == FORGOTTEN_AT_ONCE


async def find_builds(connection: AsyncConnection, identifiers: Iterable[str]) -> Mapping[str, IssuedTransaction]:
    wanted = sorted(set(identifiers))
    found = await _read(connection, select(builds).where(one_of(builds.c.transaction_id, wanted))) if wanted else ()
    return {issued.transaction_id: issued for issued in found}


@dataclass(frozen=True, slots=True)
class Window:
    """The calls that may be in the blocks of one chain between two times, both included."""

    chain_id: int
    first: datetime
    last: datetime


async def oldest_wallet_call(connection: AsyncConnection, window: Window) -> datetime | None:
    """Return when the oldest call that may be in the window was issued; None if there is none."""
    query = select(builds.c.created_at).where(_live(window)).order_by(builds.c.created_at).limit(1)
    return (await connection.execute(query)).scalar_one_or_none()


async def wallet_call_senders(connection: AsyncConnection, window: Window, most: int) -> frozenset[str]:
    """Return at most so many wallets (canonical addresses) that may have made a call in the window."""
    query = select(builds.c.sender).where(_live(window)).distinct().limit(most)
    return frozenset((await connection.execute(query)).scalars())


async def wallet_calls(
    connection: AsyncConnection, window: Window, senders: Iterable[str]
) -> tuple[IssuedTransaction, ...]:
    """Return what these wallets (canonical addresses) may have called themselves in the window, oldest first."""
    query = select(builds).where(_live(window), one_of(builds.c.sender, sorted(set(senders))))
    return await _read(connection, query.order_by(builds.c.created_at, builds.c.transaction_id))


async def long_wallet_calls(
    connection: AsyncConnection, window: Window, size: int, most: int
) -> tuple[IssuedTransaction, ...]:
    """Return at most so many calls of the window that are known by more than ``size`` bytes, oldest first."""
    query = select(builds).where(_live(window), func.octet_length(builds.c.data) > size)
    return await _read(connection, query.order_by(builds.c.created_at, builds.c.transaction_id).limit(most))


def _live(window: Window) -> ColumnElement[bool]:
    row = builds.c
    return and_(
        row.wallet_call,
        row.origin_chain_id == window.chain_id,
        row.expires_at > window.first - LATEST,
        row.created_at <= window.last + EARLIEST,
    )


async def _read(connection: AsyncConnection, query: Executable) -> tuple[IssuedTransaction, ...]:
    rows = await connection.execute(query)
    return tuple(IssuedTransaction(**dict(zip(_FIELDS, row, strict=True))) for row in rows)
