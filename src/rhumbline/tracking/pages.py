"""The queries of listings: each reads along one index, in the order of the listing, from the end of the last page.

The API's has an index for each choice of filters, made by a migration over one text of all that is asked for: no
statistics of the database, which take columns for independent of each other, can make it walk along another one. For
people who look something up by state, chain, token and time one index is walked from the end of the wanted time to its
beginning, and what is not asked for is left out on the way: the narrower the time, the shorter the walk.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    DateTime,
    Select,
    Text,
    and_,
    bindparam,
    func,
    literal,
    literal_column,
    or_,
    select,
    text,
    tuple_,
    union_all,
)

from rhumbline.domain.tracking import RouteType, TransactionFilter, TransferState
from rhumbline.tracking.cursor import ListPosition
from rhumbline.tracking.store import transactions

WALKING = text(
    "SELECT set_config('enable_sort', 'off', true), set_config('plan_cache_mode', 'force_generic_plan', true), "
    "set_config('statement_timeout', :limit_ms, true)"
)
"""The settings of a page's transaction. Sorting is never faster, but seems so with old statistics; and since the query
is always the same, a connection plans it once and not for each page.
"""
LOOKING_UP = text("SELECT set_config('plan_cache_mode', 'force_generic_plan', true)")
"""The setting of a look-up's transaction: to plan it for all months takes longer than to run it."""
_COLUMNS = (
    ("status", "status"),
    ("origin_chain_id", "source_chain_id::text"),
    ("destination_chain_id", "dest_chain_id::text"),
)
"""The filters beside the route type, in the order of the indexes' text, and each as in the migration."""
BOUNDS = ("time", "since", "until", "sender", "receiver")
_Parameters = Mapping[str, str | int | datetime]


def page_query(
    integrator: str, wanted: TransactionFilter, count: int, position: ListPosition | None
) -> tuple[Select[tuple[object, ...]], _Parameters]:
    """Return what reads ``count`` records after the position, newest first, and none that it does not answer.

    Without a kind of route one index is walked for each kind, and the walks are merged. To be run after ``WALKING``,
    with the parameters that are returned besides. Pages of wallets are ``wallet_pages``.
    """
    parameters, bounds = bounds_of(wanted, position)
    parameters["count"] = count
    if replace(wanted, since=None, until=None) == TransactionFilter():
        return _all_records(bounds), parameters | {"integrator": integrator}
    given = {name: str(value) for name, _ in _COLUMNS if (value := getattr(wanted, name)) is not None}
    kinds = tuple(RouteType) if wanted.route_type is None else (wanted.route_type,)
    asked_for = (" ".join((kind.value, *given.values(), integrator)) for kind in kinds)
    parameters |= {f"asked_{number}": asked for number, asked in enumerate(asked_for)}
    return _filtered(tuple(given), len(kinds), bounds), parameters


def bounds_of(
    wanted: TransactionFilter, position: ListPosition | None
) -> tuple[dict[str, str | int | datetime], tuple[str, ...]]:
    """Return the parameters of what else a walk is bound by, and which of these there are: of ``BOUNDS``."""
    parameters: dict[str, str | int | datetime] = {} if position is None else {"id": position.id, "time": position.time}
    for name in ("sender", "receiver", "since", "until"):
        if (value := getattr(wanted, name)) is not None:
            parameters[name] = value
    return parameters, tuple(name for name in BOUNDS if name in parameters)


@cache
def _all_records(bounds: tuple[str, ...]) -> Select[tuple[object, ...]]:
    return _walk(transactions.c.integrator == bindparam("integrator", type_=Text), bounds)


@cache
def _filtered(given: tuple[str, ...], walks: int, bounds: tuple[str, ...]) -> Select[tuple[object, ...]]:
    """Build a query once, which takes longer than answering it; there are 32 in all without times."""
    indexed = _indexed(given)
    # Each with its own order and limit: only so is a walk within a union planned as a walk.
    each = [_walk(indexed == bindparam(f"asked_{number}", type_=Text), bounds) for number in range(walks)]
    if walks == 1:
        return each[0]
    merged = union_all(*(select(walk.subquery()) for walk in each)).subquery()
    return select(merged).order_by(merged.c.origin_time.desc(), merged.c.id.desc()).limit(_count())


def _walk(asked_for: ColumnElement[bool], bounds: tuple[str, ...]) -> Select[tuple[object, ...]]:
    row = transactions.c
    query = select(transactions).where(asked_for, *bounding(bounds))
    return query.order_by(row.origin_time.desc(), row.id.desc()).limit(_count())


def bounding(bounds: tuple[str, ...]) -> list[ColumnElement[bool]]:
    """Return the conditions of these bounds; ``time`` stands for the end of the page before."""
    row = transactions.c
    times = {name: bindparam(name, type_=DateTime(timezone=True)) for name in ("time", "since", "until")}
    conditions = {
        # The time alone says which months are not walked at all.
        "time": and_(
            tuple_(row.origin_time, row.id) < tuple_(times["time"], bindparam("id", type_=Text)),
            row.origin_time <= times["time"],
        ),
        "since": row.origin_time >= times["since"],
        "until": row.origin_time < times["until"],
        "sender": row.sender == bindparam("sender", type_=Text),
        "receiver": row.receiver == bindparam("receiver", type_=Text),
    }
    return [conditions[name] for name in bounds]


def _count() -> ColumnElement[int]:
    return bindparam("count", type_=BigInteger)


def _indexed(given: tuple[str, ...]) -> ColumnElement[str]:
    """Return the text that an index holds, written as the migration writes it; without a destination it is null."""
    columns = ("route_type", *(written for name, written in _COLUMNS if name in given), "integrator")
    key = " || ' ' || ".join(f"transactions.{column}" for column in columns)
    return literal_column(f'(({key}) COLLATE "C")', Text)


@dataclass(frozen=True, slots=True)
class HistoryFilter:
    """The filters of a listing, combined with AND.

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
