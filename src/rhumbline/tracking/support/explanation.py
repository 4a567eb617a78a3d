"""What the store knows of a transaction, for whoever has to explain it: records, evidence, events, deliveries."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import or_, select, text
from sqlalchemy.ext.asyncio import AsyncConnection

from rhumbline.domain.errors import InvalidRequest, NotFound
from rhumbline.domain.tracking import TransactionRecord
from rhumbline.gateways.postgres.one_of import one_of
from rhumbline.tracking.issued_transactions import builds
from rhumbline.tracking.listing import is_evm_hash, is_svm_signature
from rhumbline.tracking.record_events.store import events
from rhumbline.tracking.resolution import Evidence
from rhumbline.tracking.store import evidence, read_records, transactions

MOST_RECORDS = 20
MOST_EVENTS = 1_000
_RECORD_ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.ASCII)
_DELIVERIES = text("""
    SELECT made.number, made.id, made.webhook, made.state, made.due_at, made.log
    FROM webhooks CROSS JOIN LATERAL (
        SELECT * FROM webhook_deliveries AS first
        WHERE first.webhook = webhooks.id AND NOT first.again AND first.number = ANY(CAST(:numbers AS bigint[]))
        UNION ALL
        SELECT * FROM webhook_deliveries AS later
        WHERE later.webhook = webhooks.id AND later.again AND later.number = ANY(CAST(:numbers AS bigint[]))
    ) AS made
    WHERE webhooks.integrator = ANY(CAST(:integrators AS text[]))
    ORDER BY made.number, made.id
""")


@dataclass(frozen=True, slots=True)
class StoredEvidence:
    """Evidence with what was said last, as it was said."""

    said: Evidence
    answer: Mapping[str, object] | None


@dataclass(frozen=True, slots=True)
class StoredDelivery:
    """One delivery of an event; ``attempts`` are how often it was tried, ``last`` is a status or a reason."""

    id: int
    webhook: str
    state: str
    attempts: int
    last: str | None
    due_at: datetime | None


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """An event that was written, and its deliveries, oldest first."""

    number: int
    at: datetime
    kind: str
    record_id: str
    deliveries: Sequence[StoredDelivery]


def names_records(key: str) -> bool:
    """Return whether a text has a form by which ``records_of`` finds records."""
    return is_evm_hash(key) or is_svm_signature(key) or _RECORD_ID.fullmatch(key) is not None


async def records_of(connection: AsyncConnection, key: str) -> Sequence[TransactionRecord]:
    """Return the records of a transaction ID, a hash of either chain or a record's ID, the earliest first; 20 at most.

    Raise InvalidRequest for a text of another form, NotFound where there is none: it says what was issued.
    """
    key = key.lower() if is_evm_hash(key) else key
    if not names_records(key):
        raise InvalidRequest(
            ["id: must be a transaction ID or a transaction's hash (0x and 64 hex digits), a Solana signature, a "
             "record's id, or the ID of a request that is kept"]
        )  # fmt: skip
    row = transactions.c
    keys = or_(row.id == key, row.transaction_id == key, row.origin_tx_hash == key, row.destination_tx_hash == key)
    query = select(transactions).where(keys).order_by(row.origin_time, row.origin_block_number, row.origin_log_index)
    found = await read_records(connection, query.limit(MOST_RECORDS))
    if not found:
        raise NotFound(f"There is no record of {key}: {await _what_was_issued(connection, key)}")
    return found


async def evidence_in_order(connection: AsyncConnection, record: str) -> Sequence[StoredEvidence]:
    """Return all evidence about a record in the order in which it was first given."""
    order = evidence.c.first_at, evidence.c.last_at
    rows = await connection.execute(select(evidence).where(evidence.c.record_id == record).order_by(*order))
    return [
        StoredEvidence(
            Evidence(row.source, row.state, row.substatus or None, row.first_at, row.last_at), row.answer or None
        )
        for row in rows
    ]


async def events_of(connection: AsyncConnection, records: Sequence[TransactionRecord]) -> Sequence[StoredEvent]:
    """Return the events of these records' transaction IDs that are kept, in order, with their deliveries."""
    row = events.c
    subjects = {record.transaction_id or record.id for record in records}
    query = select(row.number, row.at, row.kind, row.record_id, row.integrator).where(one_of(row.subject, subjects))
    found = (await connection.execute(query.order_by(row.number).limit(MOST_EVENTS))).all()
    made: dict[int, list[StoredDelivery]] = {}
    given = {
        "numbers": [each.number for each in found],
        "integrators": sorted({each.integrator for each in found if each.integrator is not None}),
    }
    for number, *delivery in await connection.execute(_DELIVERIES, given):
        made.setdefault(number, []).append(_delivery(*delivery))
    return [
        StoredEvent(each.number, each.at, each.kind, each.record_id, tuple(made.get(each.number, ()))) for each in found
    ]


def _delivery(
    identifier: int, webhook: str, state: str, due_at: datetime | None, log: Sequence[Mapping[str, Any]]
) -> StoredDelivery:
    last = None if not log else str(log[-1]["status"] or log[-1]["error"])
    return StoredDelivery(identifier, webhook, state, len(log), last, due_at)


async def _what_was_issued(connection: AsyncConnection, key: str) -> str:
    row = builds.c
    query = select(row.adapter, row.origin_chain_id, row.created_at).where(row.transaction_id == key)
    issued = (await connection.execute(query)).one_or_none()
    if issued is None:
        return "nothing that was executed under it was seen; `rhumbline rescan` reads a part of a chain again"
    adapter, chain_id, at = issued
    return (
        f"it was issued at {at.isoformat(timespec='seconds')} for {adapter} on chain {chain_id}, and its transaction "
        f"was not seen there; if it was executed, `rhumbline rescan --chain {chain_id}` with its block finds it"
    )
