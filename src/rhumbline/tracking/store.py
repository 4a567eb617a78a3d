"""The tables of tracking's records and the statements that write them. The migrations create the tables.

Here alone columns are called as the store calls them: a field that is called otherwise is its column's ``key``.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from operator import attrgetter
from typing import NamedTuple

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    DateTime,
    Executable,
    Integer,
    MetaData,
    Table,
    Text,
    bindparam,
    func,
    select,
    text,
    update,
)
from sqlalchemy.dialects.postgresql import ARRAY, Insert, insert
from sqlalchemy.ext.asyncio import AsyncConnection

from rhumbline.domain.tracking import TransactionRecord
from rhumbline.gateways.postgres.notices import tell
from rhumbline.gateways.postgres.one_of import one_of
from rhumbline.tracking.columns import AMOUNT, ANSWER, FEE, ROUTE_TYPE, STATUS, STATUS_SOURCE, TERMS
from rhumbline.tracking.topics import completion, transfer

MOST_USES = 3
"""The most records of an ID: a wallet may send the same call again, but nobody may fill a list with it."""
_ROWS_AT_ONCE = 1_000
"""A longer statement would look, to other processes, like one of a frozen process."""
_metadata = MetaData()
_TIME = DateTime(timezone=True)

# By months of `source_time`: what is looked up by its key and time is looked for in one of them.
transactions = Table(
    "transactions",
    _metadata,
    Column("id", Text, primary_key=True),
    Column("transaction_id", Text),
    Column("source_chain_id", BigInteger, key="origin_chain_id", nullable=False),
    Column("source_tx_hash", Text, key="origin_tx_hash", nullable=False),
    Column("source_log_index", Integer, key="origin_log_index", nullable=False),
    Column("source_block_number", BigInteger, key="origin_block_number", nullable=False),
    Column("source_block_hash", Text, key="origin_block_hash", nullable=False),
    Column("source_time", _TIME, key="origin_time", nullable=False),
    Column("dest_chain_id", BigInteger, key="destination_chain_id"),
    Column("dest_tx_hash", Text, key="destination_tx_hash"),
    Column("dest_time", _TIME, key="destination_time"),
    Column("sender", Text, nullable=False),
    Column("receiver", Text),
    Column("integrator", Text),
    Column("protocol", Text, nullable=False),
    Column("route_type", ROUTE_TYPE, nullable=False),
    Column("has_dest_call", Boolean, key="has_destination_call", nullable=False),
    Column("input", AMOUNT),
    Column("output", AMOUNT),
    Column("source_gas_fee", AMOUNT, key="origin_gas_fee"),
    Column("dest_gas_fee", AMOUNT, key="destination_gas_fee"),
    Column("integrator_fee", FEE),
    Column("service_fee", FEE),
    Column("status", STATUS, nullable=False),
    Column("substatus", Text),
    Column("status_source", STATUS_SOURCE, nullable=False),
    Column("last_receipt_checked_at", _TIME),
    Column("transfer", TERMS, key="terms"),
    Column("bridge_scan_url", Text),
    Column("raw_bridge_status", ANSWER),
    Column("last_bridge_checked_at", _TIME),
    Column("last_bridge_success_checked_at", _TIME),
    Column("next_bridge_check_at", _TIME),
    Column("claimed_by", Text),
    Column("use", Integer, nullable=False),
    Column("created_at", _TIME, nullable=False),
    Column("updated_at", _TIME, nullable=False),
)

record_keys = Table(
    "record_keys",
    _metadata,
    Column("id", Text, primary_key=True),
    Column("source_chain_id", BigInteger, key="origin_chain_id", nullable=False),
    Column("transaction_id", Text),
    Column("use", Integer, nullable=False),
    Column("source_time", _TIME, key="origin_time", nullable=False),
)
"""What is unique about records of all months; the store writes it itself, with them."""

evidence = Table(
    "evidence",
    _metadata,
    Column("record_id", Text, primary_key=True),
    Column("source", STATUS_SOURCE, primary_key=True),
    Column("state", STATUS, primary_key=True),
    Column("substatus", Text, primary_key=True),
    Column("first_at", _TIME, nullable=False),
    Column("last_at", _TIME, nullable=False),
    Column("answer", ANSWER, nullable=False),
)

proofs = Table(
    "proofs",
    _metadata,
    Column("name", Text, primary_key=True),
    Column("record_id", Text, nullable=False),
)


_FIELDS = tuple(transactions.c.keys())
_OFTEN_SAME = frozenset({
    "origin_chain_id", "destination_chain_id", "protocol", "route_type", "has_destination_call", "status",
    "status_source", "use", "created_at", "updated_at",
})  # fmt: skip
_VALUES = attrgetter(*_FIELDS)
# Each ID is looked up in the index by itself, as OFFSET has it. "= ANY" is soon planned for any number of IDs, and
# then compares each row of a table without statistics with each of them.
_PLACES = text("""
    SELECT id, source_chain_id, transaction_id, use FROM unnest(CAST(:wanted AS text[])) AS wanted (each),
        LATERAL (SELECT * FROM record_keys WHERE transaction_id = wanted.each OFFSET 0) AS kept
    UNION ALL
    SELECT id, source_chain_id, transaction_id, use FROM unnest(CAST(:nameless AS text[])) AS wanted (each),
        LATERAL (SELECT * FROM record_keys WHERE id = wanted.each OFFSET 0) AS kept
""")


async def read_records(
    connection: AsyncConnection, query: Executable, parameters: Mapping[str, object] | None = None
) -> list[TransactionRecord]:
    """Return the records that a query reads, or a statement returns, as whole rows."""
    found = await connection.execute(query, parameters)
    return [TransactionRecord(**dict(zip(_FIELDS, row, strict=True))) for row in found]


async def lock_record(connection: AsyncConnection, record: TransactionRecord) -> TransactionRecord | None:
    """Lock a record and return it as it is now; None where a reorganisation took it back or put another there."""
    kept = transactions.c
    same = kept.id == record.id, kept.origin_time == record.origin_time
    query = select(transactions).where(*same, kept.origin_block_hash == record.origin_block_hash)
    found = await read_records(connection, query.with_for_update())
    return found[0] if found else None


async def change(connection: AsyncConnection, before: TransactionRecord, after: TransactionRecord) -> None:
    """Write what differs between the two, unless a reorganisation put another record in its place."""
    await write(connection, [after], [name for name in _FIELDS if getattr(before, name) != getattr(after, name)])


async def write(connection: AsyncConnection, records: Sequence[TransactionRecord], names: Sequence[str]) -> None:
    """Write these fields of records, but of none that a reorganisation put another in the place of."""
    if not records or not names:
        return
    kept = transactions.c
    same = (
        kept.id == bindparam("record_id"),
        kept.origin_time == bindparam("record_time"),
        kept.origin_block_hash == bindparam("record_block"),
    )
    rows = [
        {
            "record_id": record.id,
            "record_time": record.origin_time,
            "record_block": record.origin_block_hash,
            **_columns(record, names),
        }
        for record in records
    ]
    await connection.execute(update(transactions).where(*same), rows)


def _columns(record: TransactionRecord, names: Sequence[str]) -> Mapping[str, object]:
    return {name: getattr(record, name) for name in names}


async def used_ids(connection: AsyncConnection, identifiers: Iterable[str]) -> frozenset[str]:
    query = select(record_keys.c.transaction_id).where(one_of(record_keys.c.transaction_id, sorted(set(identifiers))))
    return frozenset((await connection.execute(query)).scalars())


class Added(NamedTuple):
    """How many records were added, and how many exceeded the limit of their ID; the others existed already."""

    added: int
    beyond: int


async def add_records(connection: AsyncConnection, records: Iterable[TransactionRecord]) -> Added:
    """Add records, at most three of one transaction ID, the earliest first.

    One that is there already stays as it is. Whoever adds holds the lock of the chain's position; two that write at
    once nevertheless meet in the store's constraint, and one of them fails as a whole: a database error. Those who
    complete records and ask bridges are told of them.
    """
    ordered = sorted(records, key=lambda record: (record.origin_block_number, record.origin_log_index))
    if not ordered:
        return Added(0, 0)
    there, taken = await _uses(connection, ordered)
    placed: list[tuple[TransactionRecord, int]] = []
    for record in ordered:
        used = taken.setdefault((record.origin_chain_id, record.transaction_id), set())
        use = next((number for number in range(1, MOST_USES + 1) if number not in used), None)
        if record.id in there or use is None:
            continue
        there.add(record.id)
        if record.transaction_id is not None:
            used.add(use)
        placed.append((record, use))
    for start in range(0, len(placed), _ROWS_AT_ONCE):
        some, uses = zip(*placed[start : start + _ROWS_AT_ONCE], strict=True)
        columns = dict(zip(_FIELDS, zip(*map(_VALUES, some), strict=True), strict=True)) | {"use": uses}
        told = {name: values for name, values in columns.items() if values.count(None) < len(values)}
        same = tuple(name for name in told if name in _OFTEN_SAME and told[name].count(told[name][0]) == len(some))
        told |= {name: told[name][0] for name in same}
        await connection.execute(_adding(tuple(told), same), told)
    await tell(connection, (completion(record.origin_chain_id) for record, _ in placed))
    await tell(connection, (transfer(record.protocol) for record, _ in placed if record.terms is not None))
    return Added(len(placed), len({record.id for record in ordered} - there))


@lru_cache(maxsize=64)
def _adding(names: tuple[str, ...], same: tuple[str, ...]) -> Insert:
    """Return the statement that adds records of these fields, given a list of each: rows one by one cost four times.

    Of ``same`` fields it is given the one value that all records have.
    """
    listed = [name for name in names if name not in same]
    lists = [bindparam(name, type_=ARRAY(transactions.c[name].type, dimensions=1)) for name in listed]
    rows = func.unnest(*lists).table_valued(*listed).render_derived()
    values = [bindparam(name, type_=transactions.c[name].type) if name in same else rows.c[name] for name in names]
    found = select(*values).select_from(rows)
    return insert(transactions).from_select(names, found).on_conflict_do_nothing()


async def _uses(
    connection: AsyncConnection, records: Sequence[TransactionRecord]
) -> tuple[set[str], dict[tuple[int, str | None], set[int]]]:
    """Return which records of these IDs there are, and the places that they have, by chain and ID."""
    wanted = sorted({record.transaction_id for record in records if record.transaction_id is not None})
    nameless = sorted({record.id for record in records if record.transaction_id is None})
    there: set[str] = set()
    taken: dict[tuple[int, str | None], set[int]] = {}
    for record, chain_id, identifier, use in await connection.execute(
        _PLACES, {"wanted": wanted, "nameless": nameless}
    ):
        there.add(record)
        taken.setdefault((chain_id, identifier), set()).add(use)
    return there, taken
