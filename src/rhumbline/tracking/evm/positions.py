"""How far an EVM chain was read: its position, and checkpoints (block hashes) that show a reorganisation."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import BigInteger, Column, DateTime, MetaData, Table, Text, delete, func, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from rhumbline.tracking.store import transactions

_metadata = MetaData()
_TIME = DateTime(timezone=True)
_HIGHEST = 2**63 - 1

blocks = Table(
    "blocks",
    _metadata,
    Column("chain_id", BigInteger, primary_key=True),
    Column("number", BigInteger, primary_key=True),
    Column("hash", Text, nullable=False),
    Column("time", _TIME, nullable=False),
)

cursors = Table(
    "cursors",
    _metadata,
    Column("chain_id", BigInteger, primary_key=True),
    Column("next_block", BigInteger, nullable=False),
    Column("updated_at", _TIME, nullable=False),
    Column("second_look", BigInteger),
)

wallet_call_cursors = Table(
    "direct_cursors",
    _metadata,
    Column("chain_id", BigInteger, primary_key=True),
    Column("next_block", BigInteger, nullable=False),
)


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A block that was read, as it was then."""

    number: int
    hash: str
    time: datetime


@dataclass(frozen=True, slots=True)
class ChainPosition:
    """How far a chain was read: everything below ``next_block`` is stored; ``last`` is the newest checkpoint."""

    next_block: int
    last: Checkpoint | None


async def read_position(connection: AsyncConnection, chain_id: int, *, lock: bool = False) -> ChainPosition | None:
    """Return the chain's position, None before it was ever read; ``lock`` keeps others from moving it meanwhile."""
    query = select(cursors.c.next_block).where(cursors.c.chain_id == chain_id)
    next_block = (await connection.execute(query.with_for_update() if lock else query)).scalar_one_or_none()
    if next_block is None:
        return None
    newest = await read_checkpoints(connection, chain_id, highest=next_block, limit=1)
    return ChainPosition(next_block, newest[0] if newest else None)


async def read_checkpoints(
    connection: AsyncConnection, chain_id: int, *, highest: int, limit: int
) -> tuple[Checkpoint, ...]:
    """Return the checkpoints up to a block, newest first."""
    query = (
        select(blocks.c.number, blocks.c.hash, blocks.c.time)
        .where(blocks.c.chain_id == chain_id, blocks.c.number <= highest)
        .order_by(blocks.c.number.desc())
        .limit(limit)
    )
    return tuple(Checkpoint(*row) for row in await connection.execute(query))


async def block_times(engine: AsyncEngine, chain_id: int, count: int) -> Sequence[tuple[int, datetime]]:
    """Return numbers and times of the newest checkpoints, oldest first."""
    async with engine.connect() as connection:
        newest = await read_checkpoints(connection, chain_id, highest=_HIGHEST, limit=count)
    return [(block.number, block.time) for block in reversed(newest)]


async def begin(connection: AsyncConnection, chain_id: int, next_block: int, now: datetime) -> bool:
    """Set a first position, unless the chain has one; return whether it was set."""
    row = {"chain_id": chain_id, "next_block": next_block, "updated_at": now, "second_look": next_block}
    added = insert(cursors).values(row).on_conflict_do_nothing().returning(cursors.c.chain_id)
    return (await connection.execute(added)).scalar_one_or_none() is not None


async def move(connection: AsyncConnection, chain_id: int, next_block: int, now: datetime) -> None:
    """Set the position; blocks above it are not due for a second read."""
    again = func.least(func.coalesce(cursors.c.second_look, cursors.c.next_block), next_block)
    values = {"next_block": next_block, "updated_at": now, "second_look": again}
    await connection.execute(update(cursors).where(cursors.c.chain_id == chain_id).values(values))


async def read_second_look(connection: AsyncConnection, chain_id: int) -> int:
    """Return from which block on a chain with a position is read again."""
    first = func.coalesce(cursors.c.second_look, cursors.c.next_block)
    return int((await connection.execute(select(first).where(cursors.c.chain_id == chain_id))).scalar_one())


async def move_second_look(connection: AsyncConnection, chain_id: int, block: int) -> None:
    await connection.execute(update(cursors).where(cursors.c.chain_id == chain_id).values(second_look=block))


async def read_wallet_call_position(connection: AsyncConnection, chain_id: int) -> int | None:
    """Return the first block that was not yet searched for wallets' own calls; None before the first search."""
    query = select(wallet_call_cursors.c.next_block).where(wallet_call_cursors.c.chain_id == chain_id)
    return (await connection.execute(query)).scalar_one_or_none()


async def first_checkpoint(connection: AsyncConnection, chain_id: int) -> int | None:
    """Return the number of the very first block that a chain was begun with."""
    query = select(blocks.c.number).where(blocks.c.chain_id == chain_id).order_by(blocks.c.number).limit(1)
    return (await connection.execute(query)).scalar_one_or_none()


async def move_wallet_calls(connection: AsyncConnection, chain_id: int, next_block: int) -> None:
    row = {"chain_id": chain_id, "next_block": next_block}
    added = insert(wallet_call_cursors).values(row)
    changed = added.on_conflict_do_update(index_elements=["chain_id"], set_={"next_block": next_block})
    await connection.execute(changed)


async def seek_wallet_calls(connection: AsyncConnection, chain_id: int, block: int) -> None:
    """Have wallets' own calls searched for again from a block on, if the search is beyond it."""
    row = wallet_call_cursors.c
    behind = update(wallet_call_cursors).where(row.chain_id == chain_id, row.next_block > block)
    await connection.execute(behind.values(next_block=block))


async def has_checkpoint(connection: AsyncConnection, chain_id: int, checkpoint: Checkpoint) -> bool:
    same = (blocks.c.chain_id == chain_id, blocks.c.number == checkpoint.number, blocks.c.hash == checkpoint.hash)
    return (await connection.execute(select(blocks.c.number).where(*same))).scalar_one_or_none() is not None


async def add_checkpoint(connection: AsyncConnection, chain_id: int, checkpoint: Checkpoint, keep: int) -> None:
    """Add a checkpoint and forget all but the ``keep`` newest and the very first one.

    The first one stays, to tell a node that lags far behind from a chain that was begun anew.
    """
    row = {"chain_id": chain_id, "number": checkpoint.number, "hash": checkpoint.hash, "time": checkpoint.time}
    await connection.execute(insert(blocks).values(row).on_conflict_do_nothing())
    kept = select(blocks.c.number).where(blocks.c.chain_id == chain_id)
    oldest = kept.order_by(blocks.c.number.desc()).offset(keep - 1).limit(1).scalar_subquery()
    first = select(func.min(blocks.c.number)).where(blocks.c.chain_id == chain_id).scalar_subquery()
    beyond = (blocks.c.chain_id == chain_id, blocks.c.number < oldest, blocks.c.number > first)
    await connection.execute(delete(blocks).where(*beyond))


async def withdraw(connection: AsyncConnection, chain_id: int, *, above: int) -> int:
    """Remove what was seen above a block; return how many records were removed."""
    seen = transactions.c
    removed = await connection.execute(
        delete(transactions).where(seen.origin_chain_id == chain_id, seen.origin_block_number > above)
    )
    await connection.execute(delete(blocks).where(blocks.c.chain_id == chain_id, blocks.c.number > above))
    behind = wallet_call_cursors.c
    moved = update(wallet_call_cursors).where(behind.chain_id == chain_id, behind.next_block > above + 1)
    await connection.execute(moved.values(next_block=above + 1))
    return removed.rowcount
