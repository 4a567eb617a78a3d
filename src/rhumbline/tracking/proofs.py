"""Which record a delivery, refund or failure belongs to: each of the bridge's IDs belongs to one record only.

A bridge that is asked by a name answers whoever has it, so what it delivered once would prove every record that names
it. The store holds each name once (``proofs.name``). Of several records that are told the end of the same transfer it
is the earliest's, by the time of their blocks and their place on the chain, whoever was told first: one that came to be
known later takes it over, and the other is asked about anew. So the order in which things become known plays no part. A
record that a reorganisation removes gives its names back.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from hashlib import sha256

from sqlalchemy import delete, func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from rhumbline.domain.tracking import TransactionRecord, TransferTerms
from rhumbline.domain.transfer import Transfer, TransferStatus
from rhumbline.gateways.postgres.notices import tell
from rhumbline.gateways.postgres.one_of import one_of
from rhumbline.tracking.evidence import evidence_of
from rhumbline.tracking.resolution import TERMINAL, resolve
from rhumbline.tracking.store import change, evidence, proofs, read_records, transactions
from rhumbline.tracking.topics import transfer as topic_of
from rhumbline.tracking.transfers import origin_of

_LOCKS = 0x70726F6F
# Any number will do that no other locks of two numbers take: the ASCII of "proo".
_LONGEST = 200


def names_of(vendor: str, transfer: Transfer, status: TransferStatus) -> tuple[str, ...]:
    """Return the IDs in an answer that belong to one record, in order; ``vendor`` is whose they are."""
    asked_by = transfer.reference or f"{transfer.origin_chain_id}:{transfer.tx_hash}"
    return tuple(sorted({f"{vendor} {_name(each)}" for each in status.names or (asked_by,)}))


async def lock_names(connection: AsyncConnection, names: Sequence[str]) -> None:
    """Keep others from claiming any of these names until the end of the database transaction; before any row's lock."""
    for name in names:
        await connection.execute(select(func.pg_advisory_xact_lock(_LOCKS, func.hashtext(name))))


async def claim(connection: AsyncConnection, record: TransactionRecord, names: Sequence[str], now: datetime) -> bool:
    """Claim these locked IDs for a record; return whether it has them: not if an earlier record does.

    Later records that have any of them lose what they were proved by.
    """
    others = await _holders(connection, record.id, names)
    if any(_place(other) < _place(record) for other in others):
        return False
    for other in others:
        await _dispossess(connection, other, now)
    own = (await connection.execute(select(proofs.c.name).where(proofs.c.record_id == record.id))).scalars().all()
    wanting = [{"name": name, "record_id": record.id} for name in names if name not in own]
    if wanting:
        await connection.execute(insert(proofs), wanting)
    return True


async def _holders(connection: AsyncConnection, record: str, names: Sequence[str]) -> list[TransactionRecord]:
    """Read and lock the other records that have any of these names, always in the same order."""
    having = select(proofs.c.record_id).where(one_of(proofs.c.name, names), proofs.c.record_id != record)
    query = select(transactions).where(transactions.c.id.in_(having)).order_by(transactions.c.id)
    return await read_records(connection, query.with_for_update())


async def _dispossess(connection: AsyncConnection, record: TransactionRecord, now: datetime) -> None:
    """Remove a record's proof of its end, and have it polled again."""
    await connection.execute(delete(proofs).where(proofs.c.record_id == record.id))
    ended = evidence.c.state.in_(sorted(TERMINAL))
    await connection.execute(delete(evidence).where(evidence.c.record_id == record.id, ended))
    said = await evidence_of(connection, record.id)
    found = resolve(origin_of(record), said, started_at=record.origin_time, now=now)
    after = replace(
        found.put_into(record),
        destination_tx_hash=None,
        destination_time=None,
        output=None,
        destination_gas_fee=None,
        raw_bridge_status=None,
        receiver=record.terms.receiver if isinstance(record.terms, TransferTerms) else record.receiver,
        next_bridge_check_at=now,
        claimed_by=None,
        updated_at=now,
    )
    await change(connection, record, after)
    await tell(connection, [topic_of(record.protocol)])


def _place(record: TransactionRecord) -> tuple[datetime, int, int, int, str]:
    """Order records as their chains do; of different chains by time."""
    place = record.origin_chain_id, record.origin_block_number, record.origin_log_index
    return record.origin_time, *place, record.id


def _name(text: str) -> str:
    """Write a name as it is compared: hex without case, and none longer than an index takes."""
    plain = text.lower() if text[:2] in ("0x", "0X") else text
    return plain if len(plain) <= _LONGEST else "sha256:" + sha256(plain.encode("utf-8", "replace")).hexdigest()
