"""Lists the latest records of all integrators, for support."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from rhumbline.domain.tracking import TransactionRecord, TransferState
from rhumbline.tracking.store import read_records, transactions


@dataclass(frozen=True, slots=True)
class RecordFilter:
    """Which records are listed: since a time; what is None excludes none. ``chain`` is where they begin or end."""

    since: datetime
    integrator: str | None = None
    status: TransferState | None = None
    chain: int | None = None
    adapter: str | None = None


async def latest_records(connection: AsyncConnection, wanted: RecordFilter, most: int) -> Sequence[TransactionRecord]:
    """Return at most so many records, newest first by the time of their block on the origin."""
    row = transactions.c
    where: list[ColumnElement[bool]] = [row.origin_time >= wanted.since]
    if wanted.integrator is not None:
        where.append(row.integrator == wanted.integrator)
    if wanted.status is not None:
        where.append(row.status == wanted.status)
    if wanted.chain is not None:
        where.append(or_(row.origin_chain_id == wanted.chain, row.destination_chain_id == wanted.chain))
    if wanted.adapter is not None:
        where.append(row.protocol == wanted.adapter)
    query = select(transactions).where(*where).order_by(row.origin_time.desc(), row.id.desc()).limit(most)
    return await read_records(connection, query)
