"""Which record the end of a transfer proves: each name that a bridge has for it is one record's, and no other's.

A bridge that is asked by a name answers whoever has it, so what it delivered once would prove every record that names
it. The store holds each name once (``proofs.name``). Of several records that are told the end of the same transfer it
is the earliest's, by the time of their blocks and their place on the chain, whoever was told first: one that came to be
known later takes it over, and the other is asked about anew. So the order in which things become known plays no part. A
record that a reorganisation removes gives its names back.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from hashlib import sha256
from typing import Any

from sqlalchemy import delete, func, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from rhumbline.domain.transfer import Transfer, TransferStatus
from rhumbline.gateways.postgres.notices import tell
from rhumbline.tracking.evidence import evidence_of
from rhumbline.tracking.resolution import TERMINAL, resolve
from rhumbline.tracking.store import evidence, proofs, transactions
from rhumbline.tracking.topics import transfer as topic_of
from rhumbline.tracking.transfers import origin_of

_LOCKS = 0x70726F6F
# Any number will do that no other locks of two numbers take: the ASCII of "proo".
_LONGEST = 200


def names_of(vendor: str, transfer: Transfer, status: TransferStatus) -> tuple[str, ...]:
    """Return the names by which an answer about a transfer is one record's, in order; ``vendor`` is whose they are."""
    asked_by = transfer.reference or f"{transfer.origin_chain_id}:{transfer.tx_hash}"
    return tuple(sorted({f"{vendor} {_name(each)}" for each in status.names or (asked_by,)}))


async def lock_names(connection: AsyncConnection, names: Sequence[str]) -> None:
    """Keep others from claiming any of these names until the end of the database transaction; before any row's lock."""
    for name in names:
        await connection.execute(select(func.pg_advisory_xact_lock(_LOCKS, func.hashtext(name))))


async def claim(connection: AsyncConnection, row: Mapping[str, Any], names: Sequence[str], now: datetime) -> bool:
    """Give a record these names, which are locked; tell whether it has them: not where an earlier record has one.

    Later records that have any of them lose what they were proved by.
    """
    others = await _holders(connection, str(row["id"]), names)
    if any(_place(other) < _place(row) for other in others):
        return False
    for other in others:
        await _dispossess(connection, other, now)
    rows = [{"name": name, "record_id": row["id"]} for name in names]
    own = (await connection.execute(select(proofs.c.name).where(proofs.c.record_id == row["id"]))).scalars().all()
    wanting = [each for each in rows if each["name"] not in own]
    if wanting:
        await connection.execute(insert(proofs), wanting)
    return True


async def _holders(connection: AsyncConnection, record: str, names: Sequence[str]) -> Sequence[Mapping[str, Any]]:
    """Read and lock the other records that have any of these names, always in the same order."""
    having = select(proofs.c.record_id).where(proofs.c.name.in_(names), proofs.c.record_id != record)
    query = select(transactions).where(transactions.c.id.in_(having)).order_by(transactions.c.id).with_for_update()
    return [dict(found) for found in (await connection.execute(query)).mappings()]


async def _dispossess(connection: AsyncConnection, row: Mapping[str, Any], now: datetime) -> None:
    """Take from a record what proved its end, and have it asked about anew."""
    record, kept = str(row["id"]), transactions.c
    ends = [state.value for state in TERMINAL]
    await connection.execute(delete(proofs).where(proofs.c.record_id == record))
    await connection.execute(delete(evidence).where(evidence.c.record_id == record, evidence.c.state.in_(ends)))
    found = resolve(origin_of(row), await evidence_of(connection, record), started_at=row["source_time"], now=now)
    columns = {
        **dict.fromkeys(("dest_tx_hash", "dest_time", "output", "dest_gas_fee", "raw_bridge_status")),
        "receiver": row["transfer"]["receiver"],
        "status": found.status.value,
        "substatus": found.substatus,
        "status_source": found.source.value,
        "next_bridge_check_at": now,
        "updated_at": now,
    }
    await connection.execute(update(transactions).where(kept.id == record).values(columns))
    await tell(connection, [topic_of(str(row["protocol"]))])


def _place(row: Mapping[str, Any]) -> tuple[datetime, int, int, int, str]:
    """Order records as their chains do; of different chains by time."""
    time: datetime = row["source_time"]
    return time, row["source_chain_id"], row["source_block_number"], row["source_log_index"], row["id"]


def _name(text: str) -> str:
    """Write a name as it is compared: hex without case, and none longer than an index takes."""
    plain = text.lower() if text[:2] in ("0x", "0X") else text
    return plain if len(plain) <= _LONGEST else "sha256:" + sha256(plain.encode("utf-8", "replace")).hexdigest()
