"""What an integrator has earned: its fees of swaps and of started transfers, by chain and token, whole and by day.

Only fees that were checked count: paid to the integrator's wallet, their token known. A transfer pays them where it
starts, in the transaction that starts it, and a refund does not bring them back: its status plays no part.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import ColumnElement, Date, Numeric, Row, Select, Text, cast, func, or_, select
from sqlalchemy.dialects.postgresql import ARRAY, aggregate_order_by
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.domain.tracking import RouteType, TransferState
from rhumbline.gateways.postgres.failures import store_access
from rhumbline.tracking.store import transactions


@dataclass(frozen=True, slots=True)
class CollectedFees:
    """Fees in one token of one chain; ``raw`` in raw units, exact. ``days`` holds the days (UTC) that had any.

    ``symbol`` is what the token called itself last: some change it.
    """

    chain_id: int
    token: str
    symbol: str
    decimals: int
    raw: int
    count: int
    days: tuple[tuple[date, int], ...]


@dataclass(frozen=True, slots=True)
class Collected:
    """Reads earnings from the store alone."""

    engine: AsyncEngine

    async def of(self, integrator: str, since: datetime) -> tuple[CollectedFees, ...]:
        """Return an integrator's earnings by chain and symbol; ``days`` are those from ``since`` on, in order.

        Raise StoreUnavailable when the store cannot be reached.
        """
        with store_access():
            async with self.engine.connect() as connection:
                totals = (await connection.execute(_totals(integrator))).all()
                days = (await connection.execute(_days(integrator, since))).all() if totals else []
        return tuple(_collected(total, days) for total in totals)


_TRANSFERS = (RouteType.BRIDGE, RouteType.BRIDGE_SWAP)
_fee = transactions.c.integrator_fee
_address = _fee["address"].astext
_raw = func.sum(cast(_fee["raw"].astext, Numeric)).label("raw")


def _totals(integrator: str) -> Select[Any]:
    row = transactions.c
    query = select(
        row.source_chain_id.label("chain_id"),
        _address.label("token"),
        _newest(_fee["symbol"].astext).label("symbol"),
        _newest(_fee["decimals"].astext).label("decimals"),
        _raw,
        func.count().label("number"),
    )
    # Groups are named by their labels: written out again, their parameters would count as others.
    grouped = query.group_by("chain_id", "token")
    return _counted(grouped, integrator).order_by("chain_id", "symbol", "token")


def _newest(told: ColumnElement[str]) -> ColumnElement[str]:
    """Return what the last record of a group tells."""
    row = transactions.c
    last = aggregate_order_by(told, row.source_time.desc(), row.source_block_number.desc(), row.id.desc())
    return func.array_agg(last, type_=ARRAY(Text))[1]


def _days(integrator: str, since: datetime) -> Select[Any]:
    row = transactions.c
    day = cast(func.timezone("UTC", row.source_time), Date)
    query = select(row.source_chain_id.label("chain_id"), _address.label("token"), day.label("day"), _raw)
    grouped = query.group_by("chain_id", "token", "day").where(row.source_time >= since)
    return _counted(grouped, integrator).order_by("day")


def _counted(query: Select[Any], integrator: str) -> Select[Any]:
    row = transactions.c
    paid = or_(row.status == TransferState.SUCCESS, row.route_type.in_(_TRANSFERS))
    return query.where(row.integrator == integrator, paid, _fee.has_key("decimals"), _fee.has_key("raw"))


def _collected(total: Row[Any], days: Sequence[Row[Any]]) -> CollectedFees:
    return CollectedFees(
        chain_id=total.chain_id,
        token=total.token,
        symbol=total.symbol,
        decimals=int(total.decimals),
        raw=_whole(total.raw),
        count=total.number,
        days=tuple(
            (row.day, _whole(row.raw)) for row in days if (row.chain_id, row.token) == (total.chain_id, total.token)
        ),
    )


def _whole(sum_of_whole: Decimal) -> int:
    return int(sum_of_whole)
