"""What an integrator has earned: its fees of swaps and started transfers, by chain and token, in total and by day.

What they were worth in USD is what records say: the price of that time. Not every fee had one.

Only fees that were checked count: paid to the integrator's wallet, their token known. A transfer pays them where it
starts, in the transaction that starts it, and a refund does not bring them back: its status plays no part. Whether a
token is listed, and what it is called, is for the lists to say at the moment of reading.
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
from rhumbline.tracking.amounts import ListedAt
from rhumbline.tracking.store import transactions


@dataclass(frozen=True, slots=True)
class DayFees:
    """A day's fees in one token: ``raw`` in raw units, ``usd`` of the ``priced`` ones among the ``count``."""

    day: date
    raw: int
    count: int = 1
    usd: Decimal = Decimal()
    priced: int = 0


@dataclass(frozen=True, slots=True)
class CollectedFees:
    """Fees in one token of one chain; ``raw`` in raw units, exact. ``days`` holds the days (UTC) that had any.

    ``symbol`` is the list's; of a token on no list, which is not ``listed``, it is the address, and it has no value.
    ``usd`` is the sum of the ``priced`` ones among the ``count``.
    """

    chain_id: int
    token: str
    symbol: str
    decimals: int
    raw: int
    count: int
    days: tuple[DayFees, ...]
    listed: bool = True
    usd: Decimal = Decimal()
    priced: int = 0


@dataclass(frozen=True, slots=True)
class Collected:
    """Reads earnings from the store; ``listed_at`` gives tokens' names."""

    engine: AsyncEngine
    listed_at: ListedAt

    async def of(self, integrator: str, since: datetime) -> tuple[CollectedFees, ...]:
        """Return an integrator's earnings by chain and symbol; ``days`` are those from ``since`` on, in order.

        Tokens on no list come last, the most used first. Raise StoreUnavailable when the store cannot be reached.
        """
        with store_access():
            async with self.engine.connect() as connection:
                totals = (await connection.execute(_totals(integrator))).all()
                days = (await connection.execute(_days(integrator, since))).all() if totals else []
        by_token: dict[tuple[int, str], list[DayFees]] = {}
        for row in days:
            of_day = DayFees(row.day, int(row.raw), row.number, row.usd, row.priced)
            by_token.setdefault((row.chain_id, row.token), []).append(of_day)
        found = [self._collected(total, by_token.get((total.chain_id, total.token), [])) for total in totals]
        return tuple(sorted(found, key=_order))

    def _collected(self, total: Row[Any], days: Sequence[DayFees]) -> CollectedFees:
        listed = self.listed_at(total.chain_id, total.token)
        return CollectedFees(
            chain_id=total.chain_id,
            token=total.token,
            symbol=total.token if listed is None else listed.symbol,
            decimals=int(total.decimals) if listed is None else listed.decimals,
            raw=int(total.raw),
            count=total.number,
            days=tuple(days),
            listed=listed is not None,
            usd=total.usd if listed is not None else Decimal(),
            priced=total.priced if listed is not None else 0,
        )


_TRANSFERS = (RouteType.BRIDGE, RouteType.BRIDGE_SWAP)
_fee = transactions.c.integrator_fee
_address = _fee["address"].astext
_SUMS = (
    func.sum(cast(_fee["raw"].astext, Numeric)).label("raw"),
    func.count().label("number"),
    func.coalesce(func.sum(cast(_fee["usd"].astext, Numeric)), 0).label("usd"),
    func.count(_fee["usd"].astext).label("priced"),
)


def _totals(integrator: str) -> Select[Any]:
    row = transactions.c
    query = select(
        row.origin_chain_id.label("chain_id"),
        _address.label("token"),
        _newest(_fee["decimals"].astext).label("decimals"),
        *_SUMS,
    )
    # Groups are named by their labels: written out again, their parameters would count as others.
    grouped = query.group_by("chain_id", "token")
    return _counted(grouped, integrator).order_by("chain_id", "token")


def _newest(told: ColumnElement[str]) -> ColumnElement[str]:
    """Return what the last record of a group tells."""
    row = transactions.c
    last = aggregate_order_by(told, row.origin_time.desc(), row.origin_block_number.desc(), row.id.desc())
    return func.array_agg(last, type_=ARRAY(Text))[1]


def _days(integrator: str, since: datetime) -> Select[Any]:
    row = transactions.c
    day = cast(func.timezone("UTC", row.origin_time), Date)
    query = select(row.origin_chain_id.label("chain_id"), _address.label("token"), day.label("day"), *_SUMS)
    grouped = query.group_by("chain_id", "token", "day").where(row.origin_time >= since)
    return _counted(grouped, integrator).order_by("day")


def _counted(query: Select[Any], integrator: str) -> Select[Any]:
    row = transactions.c
    paid = or_(row.status == TransferState.SUCCESS, row.route_type.in_(_TRANSFERS))
    return query.where(row.integrator == integrator, paid, _fee.has_key("decimals"), _fee.has_key("raw"))


def _order(fees: CollectedFees) -> tuple[bool, int, int, str, str]:
    return not fees.listed, 0 if fees.listed else -fees.count, fees.chain_id, fees.symbol, fees.token
