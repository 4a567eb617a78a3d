"""First steps of routes in the records: they pay the fees, so later steps do not.

A later step counts once it is recorded. Until then it may be handed out a few times, for a quote may end before it
is signed.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import Column, DateTime, Integer, MetaData, Table, Text, delete, func, or_, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from rhumbline.domain.plan import FirstStep
from rhumbline.domain.tracking import TransactionRecord
from rhumbline.gateways.postgres.failures import store_access
from rhumbline.gateways.postgres.one_of import one_of
from rhumbline.tracking.store import read_records, record_keys, transactions

MOST_COUNTED = 3
"""How often a later step is issued free of fees while none of them is recorded."""
KEPT_FOR = timedelta(days=3)
"""Longer than a proof is valid."""
FORGOTTEN_AT_ONCE = 100
_MOST_RECORDS = 20

free_steps = Table(
    "free_steps",
    MetaData(),
    Column("transaction_id", Text, primary_key=True),
    Column("route_id", Text, nullable=False),
    Column("step", Integer, nullable=False),
    Column("created_at", DateTime(timezone=True), nullable=False, server_default=func.now()),
)


@dataclass(frozen=True, slots=True)
class StoredFirstSteps:
    """Reads and counts in the store, by its clock. All methods raise StoreUnavailable when it cannot be reached."""

    engine: AsyncEngine

    async def is_open(self, tags: tuple[bytes, ...], first: FirstStep, route_id: str, index: int) -> bool:
        """Return whether a first step with an ID of these tags was made and may count for another later step."""
        with store_access():
            async with self.engine.connect() as connection:
                row = transactions.c
                named = or_(*(row.transaction_id.between(*_range(tag)) for tag in tags))
                query = select(transactions).where(named, row.origin_chain_id == first.chain_id).limit(_MOST_RECORDS)
                records = await read_records(connection, query)
                return any(_is(record, first) for record in records) and await _may_count(connection, route_id, index)

    async def count(self, route_id: str, index: int, transaction_id: str) -> bool:
        """Count it for a later step issued under an ID; False if that was done too often."""
        with store_access():
            async with self.engine.begin() as connection:
                # One after the other, so that the count below holds.
                await connection.execute(select(func.pg_advisory_xact_lock(func.hashtext(f"{route_id}:{index}"))))
                await _forget(connection)
                if not await _may_count(connection, route_id, index):
                    return False
                counted = {"transaction_id": transaction_id, "route_id": route_id, "step": index}
                await connection.execute(insert(free_steps).values(counted))
                return True


async def _may_count(connection: AsyncConnection, route_id: str, index: int) -> bool:
    row = free_steps.c
    query = select(row.transaction_id).where(row.route_id == route_id, row.step == index)
    handed_out: Sequence[str] = (await connection.execute(query)).scalars().all()
    if len(handed_out) >= MOST_COUNTED:
        return False
    made = select(record_keys.c.id).where(one_of(record_keys.c.transaction_id, handed_out)).limit(1)
    return not handed_out or (await connection.execute(made)).first() is None


async def _forget(connection: AsyncConnection) -> None:
    row = free_steps.c
    old = select(row.transaction_id).where(row.created_at < func.now() - KEPT_FOR).limit(FORGOTTEN_AT_ONCE)
    await connection.execute(delete(free_steps).where(row.transaction_id.in_(old.scalar_subquery())))


def _is(record: TransactionRecord, first: FirstStep) -> bool:
    """Return whether a record is the first step, with its fees."""
    paid = record.input
    return (
        paid is not None
        and (record.sender, paid.address) == (first.sender, first.token)
        and (record.integrator or "").casefold() == first.integrator.casefold()
        and paid.raw >= first.amount
        and (record.service_fee is not None or not first.charged)
    )


def _range(tag: bytes) -> tuple[str, str]:
    """Return the first and the last ID that begins so; IDs are compared by their bytes."""
    return "0x" + tag.hex().ljust(64, "0"), "0x" + tag.hex().ljust(64, "f")
