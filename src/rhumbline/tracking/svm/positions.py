"""How far a Solana chain was read, and up to which slot its records are known to be final."""

from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import BigInteger, Column, ColumnElement, MetaData, Table, Text, delete, func, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from rhumbline.gateways.postgres.one_of import one_of
from rhumbline.tracking.store import transactions

_metadata = MetaData()

svm_cursors = Table(
    "svm_cursors",
    _metadata,
    Column("chain_id", BigInteger, primary_key=True),
    Column("reference", Text, primary_key=True),
    Column("signature", Text, nullable=False),
    Column("slot", BigInteger, nullable=False),
)

svm_positions = Table(
    "svm_positions",
    _metadata,
    Column("chain_id", BigInteger, primary_key=True),
    Column("final_slot", BigInteger, nullable=False),
)

svm_finals = Table(
    "svm_finals",
    _metadata,
    Column("chain_id", BigInteger, primary_key=True),
    Column("signature", Text, primary_key=True),
    Column("slot", BigInteger, nullable=False),
)


@dataclass(frozen=True, slots=True)
class Cursor:
    """A final transaction: all earlier ones of its reference key have been read."""

    signature: str
    slot: int


async def read_cursor(connection: AsyncConnection, chain_id: int, reference: str) -> Cursor | None:
    """Return how far a reference key was read; None where nothing final was read yet."""
    row = svm_cursors.c
    query = select(row.signature, row.slot).where(row.chain_id == chain_id, row.reference == reference)
    found = (await connection.execute(query)).one_or_none()
    return None if found is None else Cursor(*found)


async def move_cursor(connection: AsyncConnection, chain_id: int, reference: str, cursor: Cursor) -> None:
    """Set how far a reference key was read, unless somebody has come further."""
    moved = {"signature": cursor.signature, "slot": cursor.slot}
    added = insert(svm_cursors).values({"chain_id": chain_id, "reference": reference, **moved})
    changed = added.on_conflict_do_update(
        index_elements=["chain_id", "reference"], set_=moved, where=svm_cursors.c.slot <= cursor.slot
    )
    await connection.execute(changed)


async def lock_chain(connection: AsyncConnection, chain_id: int) -> int:
    """Keep others from writing to the chain's records until the end of the database transaction.

    Return the slot up to which they are final.
    """
    await connection.execute(insert(svm_positions).values(chain_id=chain_id, final_slot=0).on_conflict_do_nothing())
    query = select(svm_positions.c.final_slot).where(svm_positions.c.chain_id == chain_id)
    final_slot: int = (await connection.execute(query.with_for_update())).scalar_one()
    return final_slot


async def move_final(connection: AsyncConnection, chain_id: int, slot: int) -> None:
    """Note that the records up to a slot are final."""
    row, final = svm_positions.c, svm_finals.c
    await connection.execute(update(svm_positions).where(row.chain_id == chain_id).values(final_slot=slot))
    await connection.execute(delete(svm_finals).where(final.chain_id == chain_id, final.slot <= slot))


async def note_finals(connection: AsyncConnection, chain_id: int, signatures: Iterable[str]) -> None:
    """Note of those of these transactions that have a record that a node told of them as final."""
    row = transactions.c
    told = select(row.origin_chain_id, row.origin_tx_hash, func.max(row.origin_block_number))
    told = told.where(row.origin_chain_id == chain_id, one_of(row.origin_tx_hash, sorted(signatures)))
    told = told.where(row.origin_block_number > _final_slot(chain_id))
    told = told.group_by(row.origin_chain_id, row.origin_tx_hash)
    noted = insert(svm_finals).from_select(["chain_id", "signature", "slot"], told)
    await connection.execute(noted.on_conflict_do_nothing())


@dataclass(frozen=True, slots=True)
class Seen:
    """A transaction with a record: its slot, its ID, and the index of its tracking instruction.

    ``final`` tells that a node once told of it as final.
    """

    signature: str
    slot: int
    transaction_id: str
    place: int
    final: bool = False


async def unsettled(connection: AsyncConnection, chain_id: int, most: int) -> tuple[Seen, ...]:
    """Return what has a record and may still vanish, the oldest first, at most so many."""
    row = transactions.c
    told = (svm_finals.c.chain_id == chain_id, svm_finals.c.signature == row.origin_tx_hash)
    final = select(svm_finals.c.slot).where(*told).exists()
    query = (
        select(row.origin_tx_hash, row.origin_block_number, row.transaction_id, row.origin_log_index, final)
        .where(row.origin_chain_id == chain_id, row.origin_block_number > _final_slot(chain_id))
        .order_by(row.origin_block_number, row.origin_tx_hash)
        .limit(most)
    )
    return tuple(Seen(*found) for found in await connection.execute(query))


async def withdraw(connection: AsyncConnection, chain_id: int, vanished: Iterable[Seen]) -> None:
    """Remove the records of transactions that are not in their slots any more."""
    row = transactions.c
    for seen in vanished:
        at = (row.origin_chain_id == chain_id, row.origin_block_number == seen.slot)
        await connection.execute(delete(transactions).where(*at, row.origin_tx_hash == seen.signature))


def _final_slot(chain_id: int) -> ColumnElement[int]:
    position = select(svm_positions.c.final_slot).where(svm_positions.c.chain_id == chain_id).scalar_subquery()
    return func.coalesce(position, 0)
