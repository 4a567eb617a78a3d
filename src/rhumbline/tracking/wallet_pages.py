"""The listing's pages of one wallet, or of one sender and one receiver.

An index for every combination of a wallet with the other filters would be larger than the records. Each side of a
transfer has two. The first has a wallet's records in the order of the listing. The second has them by kind, status and
chains first: of these a wallet has few combinations, and each that matches is a walk of its own.
"""

from collections.abc import Sequence
from functools import cache

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Select,
    Text,
    and_,
    bindparam,
    func,
    literal_column,
    select,
    true,
    tuple_,
)
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.sql.selectable import FromClause

from rhumbline.domain.tracking import TransactionFilter, TransactionRecord
from rhumbline.tracking.cursor import ListPosition
from rhumbline.tracking.pages import bounding, bounds_of
from rhumbline.tracking.store import read_records, transactions

COUNTED = 5_000
"""Of a sender and a receiver the one with fewer records is walked; more than this many are as good as any."""
_WALLETS = ("sender", "receiver")
_TERMS = ("route_type", "status", "origin_chain_id", "destination_chain_id")
"""The filters beside the wallets, in the order of the indexes by terms."""
# Written as they are: a parameter would hide from the planner that it is the index's expression, and that few are read.
_NO_CHAIN: ColumnElement[int] = literal_column("0")
_ONE: ColumnElement[int] = literal_column("1")


async def wallet_page(
    connection: AsyncConnection, integrator: str, wanted: TransactionFilter, count: int, position: ListPosition | None
) -> Sequence[TransactionRecord]:
    """Return ``count`` records after the position, newest first. To be called after ``WALKING``."""
    parameters, bounds = bounds_of(wanted, position)
    given = {name: value for name in _TERMS if (value := getattr(wanted, name)) is not None}
    parameters |= {"integrator": integrator, "count": count, "counted": COUNTED, **given}
    wallets = [name for name in _WALLETS if name in bounds]
    if len(wallets) > 1:
        seen = {name: (await connection.execute(_count_of(name), parameters)).scalar_one() for name in wallets}
        wallets.sort(key=lambda name: seen[name])
    query = _by_terms(wallets[0], bounds, tuple(given)) if given else _by_time(bounds)
    return await read_records(connection, query, parameters)


@cache
def _count_of(wallet: str) -> Select[int]:
    row = transactions.c
    found = select(row.id).where(*_own(wallet)).order_by(row.origin_time.desc(), row.id.desc())
    return select(func.count()).select_from(found.limit(_whole("counted")).subquery())


@cache
def _by_time(bounds: tuple[str, ...]) -> Select[tuple[object, ...]]:
    """Build what walks a wallet's records in the order of the listing."""
    row = transactions.c
    # Only what its index has, so that whatever is believed of how many records there are, no other one will do.
    newest = select(row.id, row.origin_time).where(row.integrator == _integrator(), *bounding(bounds))
    return _read(newest.order_by(row.origin_time.desc(), row.id.desc()).limit(_whole("count")).subquery())


@cache
def _by_terms(wallet: str, bounds: tuple[str, ...], given: tuple[str, ...]) -> Select[tuple[object, ...]]:
    """Build what walks a wallet's records of each combination of terms that matches, and merges the walks.

    The database finds the next combination by one look at the index, as https://wiki.postgresql.org/wiki/Loose_indexscan
    (read 2026-11-27) has it.
    """
    row = transactions.c
    keys = (row.route_type, row.status, row.origin_chain_id, func.coalesce(row.destination_chain_id, _NO_CHAIN))
    named = [key.label(name) for key, name in zip(keys, _TERMS, strict=True)]
    each = select(*named).where(*_own(wallet)).order_by(*keys).limit(_ONE)
    terms = each.cte("terms", recursive=True)
    before = [terms.c[name] for name in _TERMS]
    following = each.where(tuple_(*keys) > tuple_(*before)).lateral("following")
    terms = terms.union_all(select(*following.c).select_from(terms.join(following, true())))
    same = (key == terms.c[name] for key, name in zip(keys, _TERMS, strict=True))
    walk = select(row.id, row.origin_time).where(row.integrator == _integrator(), *bounding(bounds), *same)
    walked = walk.order_by(row.origin_time.desc(), row.id.desc()).limit(_whole("count")).lateral("walked")
    matching = select(walked.c.id, walked.c.origin_time).select_from(terms.join(walked, true()))
    matching = matching.where(*(terms.c[name] == _given(name) for name in given))
    merged = matching.order_by(walked.c.origin_time.desc(), walked.c.id.desc()).limit(_whole("count"))
    return _read(merged.subquery())


def _read(newest: FromClause) -> Select[tuple[object, ...]]:
    row = transactions.c
    # The time as well: where records are parted by it, one part alone is looked at.
    same = and_(row.id == newest.c.id, row.origin_time == newest.c.origin_time)
    query = select(transactions).select_from(newest.join(transactions, same))
    return query.order_by(newest.c.origin_time.desc(), newest.c.id.desc())


def _own(wallet: str) -> Sequence[ColumnElement[bool]]:
    row = transactions.c
    return row.integrator == _integrator(), row[wallet] == bindparam(wallet, type_=Text)


def _integrator() -> ColumnElement[str]:
    return bindparam("integrator", type_=Text)


def _given(name: str) -> ColumnElement[object]:
    return bindparam(name, type_=transactions.c[name].type)


def _whole(name: str) -> ColumnElement[int]:
    return bindparam(name, type_=BigInteger)
