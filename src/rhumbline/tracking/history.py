"""An integrator's records by state, chain, token and time, for people who look something up.

One index is walked in the order of the listing, from the end of the wanted time to its beginning, and what is not asked
for is left out on the way: the narrower the time, the shorter the walk. The API's listing has an index for each of its
filters instead, and knows fewer of them.
"""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, Select, Text, func, literal, or_, select, tuple_

from rhumbline.domain.tracking import TransferState
from rhumbline.tracking.cursor import ListPosition
from rhumbline.tracking.store import transactions


@dataclass(frozen=True, slots=True)
class HistoryFilter:
    """What is asked for; all that is given combines with AND.

    ``chain_id`` is where a record starts or arrives. ``tokens`` are canonical addresses by chain, of which one was paid
    or received; None for whichever. Times are from ``since`` on and before ``until``.
    """

    status: TransferState | None = None
    chain_id: int | None = None
    tokens: tuple[tuple[int, str], ...] | None = None
    since: datetime | None = None
    until: datetime | None = None


def history_query(
    integrator: str, wanted: HistoryFilter, limit: int, after: ListPosition | None
) -> Select[tuple[object, ...]]:
    """Return what reads ``limit`` records after a position, newest first, then by ID."""
    row = transactions.c
    query = select(transactions).where(*_conditions(integrator, wanted))
    if after is not None:
        query = query.where(tuple_(row.origin_time, row.id) < tuple_(literal(after.time), literal(after.id, Text)))
    return query.order_by(row.origin_time.desc(), row.id.desc()).limit(limit)


def history_count(integrator: str, wanted: HistoryFilter, most: int) -> Select[int]:
    """Return what counts records, ``most`` at the most."""
    counted = select(literal(1)).select_from(transactions).where(*_conditions(integrator, wanted)).limit(most)
    return select(func.count()).select_from(counted.subquery())


def _conditions(integrator: str, wanted: HistoryFilter) -> list[ColumnElement[bool]]:
    row = transactions.c
    found: list[ColumnElement[bool]] = [row.integrator == integrator]
    if wanted.status is not None:
        found.append(row.status == wanted.status)
    if wanted.chain_id is not None:
        found.append(or_(row.origin_chain_id == wanted.chain_id, row.destination_chain_id == wanted.chain_id))
    if wanted.tokens is not None:
        paid = tuple_(row.origin_chain_id, row.input["address"].astext)
        received = tuple_(func.coalesce(row.destination_chain_id, row.origin_chain_id), row.output["address"].astext)
        found.append(or_(paid.in_(wanted.tokens), received.in_(wanted.tokens)))
    if wanted.since is not None:
        found.append(row.origin_time >= wanted.since)
    if wanted.until is not None:
        found.append(row.origin_time < wanted.until)
    return found
