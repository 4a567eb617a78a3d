"""Transfers as they were handed out, kept so that what an event claims can be held against what was promised."""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ColumnElement,
    DateTime,
    LargeBinary,
    MetaData,
    Numeric,
    RowMapping,
    Table,
    Text,
    and_,
    delete,
    exists,
    select,
)
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from rhumbline.domain.transfer import StoredBuild
from rhumbline.gateways.postgres.failures import store_access

LATEST = timedelta(minutes=30)
"""A call that a wallet makes itself may be mined so long after its end: nothing on the chain stops it."""
KEPT_FOR = timedelta(days=30)
_TIME = DateTime(timezone=True)
_AMOUNT = Numeric(78)

builds = Table(
    "builds",
    MetaData(),
    Column("transaction_id", Text, primary_key=True),
    Column("adapter", Text, nullable=False),
    Column("direct", Boolean, nullable=False),
    Column("origin_chain_id", BigInteger, nullable=False),
    Column("destination_chain_id", BigInteger, nullable=False),
    Column("sender", Text, nullable=False),
    Column("receiver", Text, nullable=False),
    Column("integrator", Text, nullable=False),
    Column("entry", Text, nullable=False),
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
)


class Builds:
    """Keeps what is handed out; a transfer that cannot be kept must not be."""

    __slots__ = ("_engine",)

    def __init__(self, engine: AsyncEngine) -> None:
        """Use an opened store."""
        self._engine = engine

    async def keep(self, build: StoredBuild) -> None:
        """Keep a transfer; raise StoreUnavailable when it is not kept."""
        row = {
            "transaction_id": build.transaction_id,
            "adapter": build.adapter,
            "direct": build.direct,
            "origin_chain_id": build.origin_chain_id,
            "destination_chain_id": build.destination_chain_id,
            "sender": build.sender,
            "receiver": build.receiver,
            "integrator": build.integrator,
            "entry": build.to,
            "value": build.value,
            "data": build.data if build.direct else b"",
            "input_token": build.input_token,
            "input_amount": build.input_amount,
            "sent_amount": build.sent_amount,
            "output_token": build.output_token,
            "expected_output": build.expected_output,
            "min_output": build.min_output,
            "reference": build.reference,
            "created_at": build.created_at,
            "expires_at": datetime.fromtimestamp(build.expires_at, UTC),
        }
        with store_access():
            async with self._engine.begin() as connection:
                await connection.execute(insert(builds), row)

    async def forget(self, now: datetime) -> int:
        """Remove what has long expired; return how many. Records hold what they need of their builds themselves."""
        async with self._engine.begin() as connection:
            removed = await connection.execute(delete(builds).where(builds.c.expires_at < now - KEPT_FOR))
        return removed.rowcount


async def find_builds(connection: AsyncConnection, identifiers: Iterable[str]) -> Mapping[str, StoredBuild]:
    """Return the builds of these transaction IDs, by ID."""
    wanted = sorted(set(identifiers))
    if not wanted:
        return {}
    rows = (await connection.execute(select(builds).where(builds.c.transaction_id.in_(wanted)))).mappings()
    return {row["transaction_id"]: _build(row) for row in rows}


async def any_direct(connection: AsyncConnection, chain_id: int, since: datetime) -> bool:
    """Tell whether a wallet may have called a bridge itself on this chain after ``since``."""
    return bool((await connection.execute(select(exists().where(_live(chain_id, since))))).scalar_one())


async def direct_builds(
    connection: AsyncConnection, chain_id: int, since: datetime, senders: Iterable[str]
) -> tuple[StoredBuild, ...]:
    """Return what these wallets (canonical addresses) may have called themselves after ``since``, oldest first."""
    wanted = sorted(set(senders))
    live = _live(chain_id, since)
    rows = (
        await connection.execute(select(builds).where(live, builds.c.sender.in_(wanted)).order_by(builds.c.created_at))
    ).mappings()
    return tuple(_build(row) for row in rows)


def _live(chain_id: int, since: datetime) -> ColumnElement[bool]:
    row = builds.c
    return and_(row.direct, row.origin_chain_id == chain_id, row.expires_at > since - LATEST)


def _build(row: RowMapping) -> StoredBuild:
    return StoredBuild(
        transaction_id=row["transaction_id"],
        adapter=row["adapter"],
        direct=row["direct"],
        origin_chain_id=row["origin_chain_id"],
        destination_chain_id=row["destination_chain_id"],
        sender=row["sender"],
        receiver=row["receiver"],
        integrator=row["integrator"],
        to=row["entry"],
        value=int(row["value"]),
        data=row["data"],
        input_token=row["input_token"],
        input_amount=int(row["input_amount"]),
        sent_amount=int(row["sent_amount"]),
        output_token=row["output_token"],
        expected_output=int(row["expected_output"]),
        min_output=int(row["min_output"]),
        reference=row["reference"],
        created_at=row["created_at"],
        expires_at=int(row["expires_at"].timestamp()),
    )
