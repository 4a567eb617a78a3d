"""The query of a page: a walk along one index, in the order of the listing, from where the last page ended.

A migration makes an index for each choice of filters, over one text of all that is asked for: no statistics of the
database, which take columns for independent of each other, can make it walk along another one.
"""

from sqlalchemy import ColumnElement, Select, Text, literal_column, select, text, tuple_, union_all

from rhumbline.domain.tracking import RouteType, TransactionFilter
from rhumbline.tracking.cursor import ListPosition
from rhumbline.tracking.store import transactions

WALKING = text("SELECT set_config('enable_sort', 'off', true), set_config('statement_timeout', :limit_ms, true)")
"""What holds for the transaction of a page. To sort is never quicker, but seems so where statistics are old."""


def page_query(
    integrator: str, wanted: TransactionFilter, count: int, position: ListPosition | None
) -> Select[tuple[object, ...]]:
    """Return what reads ``count`` records after the position, newest first, and none that it does not answer.

    Without a kind of route one index is walked for each kind, and the walks are merged. To be run after ``WALKING``.
    """
    if wanted == TransactionFilter():
        return _walk(transactions.c.integrator == integrator, count, position)
    if wanted.route_type is not None:
        return _walk(_is_asked_for(integrator, wanted, wanted.route_type), count, position)
    # Each with its own order and limit: only so is a walk within a union planned as a walk.
    each = (_walk(_is_asked_for(integrator, wanted, kind), count, position) for kind in RouteType)
    merged = union_all(*(select(walk.subquery()) for walk in each)).subquery()
    return select(merged).order_by(merged.c.origin_time.desc(), merged.c.id.desc()).limit(count)


def _walk(asked_for: ColumnElement[bool], count: int, position: ListPosition | None) -> Select[tuple[object, ...]]:
    row = transactions.c
    query = select(transactions).where(asked_for)
    if position is not None:
        query = query.where(tuple_(row.origin_time, row.id) < tuple_(position.time, position.id))
    return query.order_by(row.origin_time.desc(), row.id.desc()).limit(count)


def _is_asked_for(integrator: str, wanted: TransactionFilter, kind: RouteType) -> ColumnElement[bool]:
    """Compare the text that an index holds, written as the migration writes it; without a destination it is null."""
    parts = (
        ("status", wanted.status),
        ("source_chain_id::text", wanted.origin_chain_id),
        ("dest_chain_id::text", wanted.destination_chain_id),
    )
    given = [(name, str(value)) for name, value in parts if value is not None]
    columns = ("route_type", *(name for name, _ in given), "integrator")
    key = " || ' ' || ".join(f"transactions.{name}" for name in columns)
    indexed: ColumnElement[str] = literal_column(f'(({key}) COLLATE "C")', Text)
    return indexed == " ".join((kind.value, *(value for _, value in given), integrator))
