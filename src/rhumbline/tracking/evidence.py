"""What was reported about transfers: each different report once, with its first and last time."""

from collections.abc import Collection
from datetime import datetime, timedelta
from itertools import groupby

from sqlalchemy import delete, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from rhumbline.domain.transfer import TransferStatus
from rhumbline.tracking.raw_status import printable_word, shown
from rhumbline.tracking.resolution import Evidence
from rhumbline.tracking.store import evidence

MOST_WORDS = 8
"""Per source and state: a bridge with a new answer at every poll must not fill the store."""
_MOMENT = timedelta(microseconds=1)


async def add_evidence(connection: AsyncConnection, record: str, status: TransferStatus, now: datetime) -> None:
    """Store a report about a record that the caller has locked.

    It is later than all that was said before, whatever this machine's clock says: what ended a transfer was first.
    """
    known = await evidence_of(connection, record)
    at = max([now, *(item.last_at + _MOMENT for item in known)])
    row = {
        "record_id": record,
        "source": status.source,
        "state": status.state,
        "substatus": printable_word(status.substatus) or "",
        "first_at": at,
        "last_at": at,
        "answer": shown(status.raw),
    }
    told = {"last_at": at, "answer": row["answer"]}
    keys = ["record_id", "source", "state", "substatus"]
    await connection.execute(insert(evidence).values(row).on_conflict_do_update(index_elements=keys, set_=told))
    for item in superfluous(await evidence_of(connection, record)):
        kept = evidence.c
        said = (kept.source == item.source, kept.state == item.state, kept.substatus == (item.substatus or ""))
        await connection.execute(delete(evidence).where(kept.record_id == record, *said))


async def evidence_of(connection: AsyncConnection, record: str) -> tuple[Evidence, ...]:
    rows = await connection.execute(select(evidence).where(evidence.c.record_id == record))
    return tuple(Evidence(row.source, row.state, row.substatus or None, row.first_at, row.last_at) for row in rows)


def superfluous(found: Collection[Evidence]) -> tuple[Evidence, ...]:
    """Return what may be forgotten: of each source's words for a state neither the first nor among the latest."""

    def group(item: Evidence) -> tuple[str, str]:
        return item.source.value, item.state.value

    much: list[Evidence] = []
    for _, items in groupby(sorted(found, key=group), key=group):
        others = sorted(items, key=lambda item: (item.first_at, item.substatus or ""))[1:]
        others.sort(key=lambda item: (item.last_at, item.substatus or ""))
        much += others[: max(len(others) - MOST_WORDS + 1, 0)]
    return tuple(much)
