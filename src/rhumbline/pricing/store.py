"""The last good prices in the store, so that a service can answer right after its start."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import BigInteger, Column, DateTime, MetaData, Numeric, Row, Table, Text, case, delete, func, select
from sqlalchemy.dialects.postgresql import ARRAY, Insert, insert
from sqlalchemy.ext.asyncio import AsyncEngine
from sqlalchemy.sql.base import ReadOnlyColumnCollection
from sqlalchemy.sql.elements import ColumnElement

from rhumbline.domain.price import PriceKey
from rhumbline.gateways.postgres.failures import store_access

prices = Table(
    "prices",
    MetaData(),
    Column("chain_id", BigInteger, primary_key=True),
    Column("token", Text, primary_key=True),
    Column("usd", Numeric, nullable=False),
    Column("source", Text, nullable=False),
    Column("updated_at", DateTime(timezone=True), nullable=False),
    Column("doubted_at", DateTime(timezone=True)),
    Column("agreeing", ARRAY(Text), nullable=False),
)


@dataclass(frozen=True, slots=True)
class StoredPrice:
    """An accepted price: USD for one whole token, of ``source``; ``agreeing`` are other sources that agreed.

    After ``doubted_at`` it only serves as a reference for new ones.
    """

    key: PriceKey
    usd: Decimal
    source: str
    updated_at: datetime
    doubted_at: datetime | None = None
    agreeing: tuple[str, ...] = ()

    @property
    def found_at(self) -> datetime:
        return self.doubted_at or self.updated_at


def _found_at(columns: ReadOnlyColumnCollection[str, Any]) -> ColumnElement[Any]:
    """Return when the last of a row was found; Postgres leaves the doubt out where there is none."""
    return func.greatest(columns.updated_at, columns.doubted_at)


def _keeping() -> Insert:
    """Return the statement that keeps the later finding of two, each what was found last."""
    fresh = insert(prices)
    new = fresh.excluded
    # A process that doubts may have an older price than another one has found meanwhile.
    is_older = new.updated_at < prices.c.updated_at
    price = {
        name: case((is_older, prices.c[name]), else_=new[name]) for name in ("usd", "source", "updated_at", "agreeing")
    }
    return fresh.on_conflict_do_update(
        index_elements=["chain_id", "token"],
        set_={**price, "doubted_at": new.doubted_at},
        where=_found_at(prices.c) < _found_at(new),
    )


# Made once: a statement with ``excluded`` refers to itself, and only the garbage collector frees it.
_KEEP = _keeping()


@dataclass(frozen=True, slots=True)
class PriceStore:
    """The table of prices. Several processes may write; the latest finding about a token stays, a price or a doubt."""

    engine: AsyncEngine

    async def keep(self, stored: Sequence[StoredPrice]) -> None:
        """Write prices in bulk; raise StoreUnavailable."""
        names = prices.c.keys()
        rows = [
            dict(zip(names, (*k.key, k.usd, k.source, k.updated_at, k.doubted_at, list(k.agreeing)), strict=True))
            for k in sorted(stored, key=lambda k: k.key)
        ]
        with store_access():
            async with self.engine.begin() as connection:
                if rows:
                    await connection.execute(_KEEP, rows)

    async def forget(self, before: datetime) -> None:
        """Drop the prices of before a time; raise StoreUnavailable."""
        with store_access():
            async with self.engine.begin() as connection:
                await connection.execute(delete(prices).where(prices.c.updated_at < before))

    async def load(self, since: datetime, most: int) -> tuple[StoredPrice, ...]:
        """Return at most ``most`` prices that are not older than ``since``, newest first; raise StoreUnavailable."""
        query = select(prices).where(prices.c.updated_at >= since).order_by(prices.c.updated_at.desc()).limit(most)
        with store_access():
            async with self.engine.connect() as connection:
                rows = (await connection.execute(query)).all()
        return tuple(kept_price(row) for row in rows)


def kept_price(row: Row[Any]) -> StoredPrice:
    is_doubted = row.doubted_at is not None and row.doubted_at > row.updated_at
    doubted_at = row.doubted_at if is_doubted else None
    return StoredPrice((row.chain_id, row.token), row.usd, row.source, row.updated_at, doubted_at, tuple(row.agreeing))
