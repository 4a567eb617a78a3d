"""The tables of tracking, and the statements that write them. The migrations make the tables; these describe them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    DateTime,
    Integer,
    MetaData,
    Select,
    Table,
    Text,
    any_,
    delete,
    func,
    literal,
    select,
    update,
)
from sqlalchemy.dialects.postgresql import ARRAY, JSONB, insert
from sqlalchemy.ext.asyncio import AsyncConnection

from rhumbline.gateways.postgres.notices import tell
from rhumbline.tracking.records import Row
from rhumbline.tracking.topics import completion, transfer

MOST_USES = 3
"""So many records an ID has at most: a wallet may send the same call again, and nobody may fill a list with it."""
_metadata = MetaData()
_JSON = JSONB(none_as_null=True)
_TIME = DateTime(timezone=True)

transactions = Table(
    "transactions",
    _metadata,
    Column("id", Text, primary_key=True),
    Column("transaction_id", Text),
    Column("source_chain_id", BigInteger, nullable=False),
    Column("source_tx_hash", Text, nullable=False),
    Column("source_log_index", Integer, nullable=False),
    Column("source_block_number", BigInteger, nullable=False),
    Column("source_block_hash", Text, nullable=False),
    Column("source_time", _TIME, nullable=False),
    Column("dest_chain_id", BigInteger),
    Column("dest_tx_hash", Text),
    Column("dest_time", _TIME),
    Column("sender", Text, nullable=False),
    Column("receiver", Text),
    Column("integrator", Text),
    Column("protocol", Text, nullable=False),
    Column("route_type", Text, nullable=False),
    Column("has_dest_call", Boolean, nullable=False),
    Column("input", _JSON),
    Column("output", _JSON),
    Column("source_gas_fee", _JSON),
    Column("dest_gas_fee", _JSON),
    Column("integrator_fee", _JSON),
    Column("service_fee", _JSON),
    Column("status", Text, nullable=False),
    Column("substatus", Text),
    Column("status_source", Text, nullable=False),
    Column("last_receipt_checked_at", _TIME),
    Column("transfer", _JSON),
    Column("bridge_scan_url", Text),
    Column("raw_bridge_status", _JSON),
    Column("last_bridge_checked_at", _TIME),
    Column("last_bridge_success_checked_at", _TIME),
    Column("next_bridge_check_at", _TIME),
    Column("use", Integer, nullable=False),
    Column("created_at", _TIME, nullable=False),
    Column("updated_at", _TIME, nullable=False),
)

evidence = Table(
    "evidence",
    _metadata,
    Column("record_id", Text, primary_key=True),
    Column("source", Text, primary_key=True),
    Column("state", Text, primary_key=True),
    Column("substatus", Text, primary_key=True),
    Column("first_at", _TIME, nullable=False),
    Column("last_at", _TIME, nullable=False),
    Column("answer", _JSON, nullable=False),
)

proofs = Table(
    "proofs",
    _metadata,
    Column("name", Text, primary_key=True),
    Column("record_id", Text, nullable=False),
)

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
)

direct_cursors = Table(
    "direct_cursors",
    _metadata,
    Column("chain_id", BigInteger, primary_key=True),
    Column("next_block", BigInteger, nullable=False),
)


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A block that was taken in, as it was then."""

    number: int
    hash: str
    time: datetime


@dataclass(frozen=True, slots=True)
class ChainPosition:
    """How far a chain was read: all below ``next_block`` is in the store; ``last`` is the newest checkpoint."""

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
    return tuple(Checkpoint(number, block_hash, time) for number, block_hash, time in await connection.execute(query))


async def begin(connection: AsyncConnection, chain_id: int, next_block: int, now: datetime) -> bool:
    """Set a first position, unless the chain has one; tell whether it was set."""
    row = {"chain_id": chain_id, "next_block": next_block, "updated_at": now}
    added = insert(cursors).values(row).on_conflict_do_nothing().returning(cursors.c.chain_id)
    return (await connection.execute(added)).scalar_one_or_none() is not None


async def move(connection: AsyncConnection, chain_id: int, next_block: int, now: datetime) -> None:
    """Set the position."""
    values = {"next_block": next_block, "updated_at": now}
    await connection.execute(update(cursors).where(cursors.c.chain_id == chain_id).values(values))


async def read_direct_position(connection: AsyncConnection, chain_id: int) -> int | None:
    """Return the first block that was not yet looked through for calls of wallets' own; None before the first look."""
    query = select(direct_cursors.c.next_block).where(direct_cursors.c.chain_id == chain_id)
    return (await connection.execute(query)).scalar_one_or_none()


async def first_checkpoint(connection: AsyncConnection, chain_id: int) -> int | None:
    """Return the number of the very first block that a chain was begun with."""
    query = select(blocks.c.number).where(blocks.c.chain_id == chain_id).order_by(blocks.c.number).limit(1)
    return (await connection.execute(query)).scalar_one_or_none()


async def move_direct(connection: AsyncConnection, chain_id: int, next_block: int) -> None:
    """Set that position."""
    row = {"chain_id": chain_id, "next_block": next_block}
    added = insert(direct_cursors).values(row)
    changed = added.on_conflict_do_update(index_elements=["chain_id"], set_={"next_block": next_block})
    await connection.execute(changed)


async def has_checkpoint(connection: AsyncConnection, chain_id: int, checkpoint: Checkpoint) -> bool:
    """Tell whether a checkpoint still holds."""
    same = (blocks.c.chain_id == chain_id, blocks.c.number == checkpoint.number, blocks.c.hash == checkpoint.hash)
    return (await connection.execute(select(blocks.c.number).where(*same))).scalar_one_or_none() is not None


async def used_ids(connection: AsyncConnection, identifiers: Iterable[str]) -> frozenset[str]:
    """Return those of the transaction IDs that records have."""
    query = select(transactions.c.transaction_id).where(transactions.c.transaction_id.in_(sorted(set(identifiers))))
    return frozenset((await connection.execute(query)).scalars())


async def add_rows(connection: AsyncConnection, rows: Iterable[Row]) -> int:
    """Add records, at most three of one transaction ID, the earliest first; return how many had no place any more.

    One that is there already stays as it is. Whoever adds holds the lock of the chain's position; two that write at
    once nevertheless meet in the store's constraint, and one of them fails as a whole: a database error. Those who
    complete records and ask bridges are told of them.
    """
    ordered = sorted(rows, key=lambda row: (_number(row, "source_block_number"), _number(row, "source_log_index")))
    if not ordered:
        return 0
    there, taken = await _uses(connection, [row["transaction_id"] for row in ordered])
    placed: list[Row] = []
    for row in ordered:
        used = taken.setdefault((row["source_chain_id"], row["transaction_id"]), set())
        use = next((number for number in range(1, MOST_USES + 1) if number not in used), None)
        if row["id"] in there or use is None:
            continue
        there.add(row["id"])
        if row["transaction_id"] is not None:
            used.add(use)
        placed.append({**row, "use": use})
    for shape in {tuple(sorted(row)) for row in placed}:
        alike = [row for row in placed if tuple(sorted(row)) == shape]
        await connection.execute(insert(transactions).on_conflict_do_nothing(index_elements=["id"]), alike)
    await tell(connection, (completion(_number(row, "source_chain_id")) for row in placed))
    await tell(connection, (transfer(str(row["protocol"])) for row in placed if row.get("transfer") is not None))
    return len({row["id"] for row in ordered} - there)


async def _uses(
    connection: AsyncConnection, identifiers: Sequence[object]
) -> tuple[set[object], dict[tuple[object, object], set[int]]]:
    """Return which records of these IDs there are, and the places that they have, by chain and ID."""
    row = transactions.c
    wanted = literal(sorted({str(each) for each in identifiers}), ARRAY(Text))
    query = select(row.id, row.source_chain_id, row.transaction_id, row.use).where(row.transaction_id == any_(wanted))
    there: set[object] = set()
    taken: dict[tuple[object, object], set[int]] = {}
    for record, chain_id, identifier, use in await connection.execute(query):
        there.add(record)
        taken.setdefault((chain_id, identifier), set()).add(use)
    return there, taken


def _number(row: Row, name: str) -> int:
    value = row[name]
    return value if isinstance(value, int) else 0


async def add_checkpoint(connection: AsyncConnection, chain_id: int, checkpoint: Checkpoint, keep: int) -> None:
    """Add a checkpoint and forget all but the ``keep`` newest and the very first one.

    The first one stays, to tell a node that lags far behind from a chain that was begun anew.
    """
    row = {"chain_id": chain_id, "number": checkpoint.number, "hash": checkpoint.hash, "time": checkpoint.time}
    await connection.execute(insert(blocks).values(row).on_conflict_do_nothing())
    await connection.execute(
        delete(blocks).where(
            blocks.c.chain_id == chain_id,
            blocks.c.number < _nth_newest(chain_id, keep).scalar_subquery(),
            blocks.c.number > _first(chain_id).scalar_subquery(),
        )
    )


def _nth_newest(chain_id: int, count: int) -> Select[tuple[int]]:
    query = select(blocks.c.number).where(blocks.c.chain_id == chain_id)
    return query.order_by(blocks.c.number.desc()).offset(count - 1).limit(1)


def _first(chain_id: int) -> Select[tuple[int]]:
    return select(func.min(blocks.c.number)).where(blocks.c.chain_id == chain_id)


async def withdraw(connection: AsyncConnection, chain_id: int, *, above: int) -> int:
    """Remove what was seen above a block; return how many records were removed."""
    seen = transactions.c
    removed = await connection.execute(
        delete(transactions).where(seen.source_chain_id == chain_id, seen.source_block_number > above)
    )
    await connection.execute(delete(blocks).where(blocks.c.chain_id == chain_id, blocks.c.number > above))
    behind = direct_cursors.c
    moved = update(direct_cursors).where(behind.chain_id == chain_id, behind.next_block > above + 1)
    await connection.execute(moved.values(next_block=above + 1))
    return removed.rowcount
