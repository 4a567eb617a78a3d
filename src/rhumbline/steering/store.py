"""The tables of what the operator sets at run time, and every statement on them."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    DateTime,
    Float,
    MetaData,
    Row,
    Table,
    Text,
    case,
    cast,
    delete,
    func,
    select,
    true,
    update,
)
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from rhumbline.domain.operator import Operator
from rhumbline.domain.pauses import NOTHING_PAUSED, Pause, Pauses

_EVERY_ADAPTER, _EVERY_CHAIN = "", 0
"""What the columns have where a pause has None."""

steering = Table(
    "steering",
    MetaData(),
    Column("one", Boolean, primary_key=True, server_default="true"),
    Column("changed_at", DateTime(timezone=True), nullable=False),
    Column("log_level", Text),
    Column("log_level_until", DateTime(timezone=True)),
)
pauses = Table(
    "pauses",
    MetaData(),
    Column("adapter", Text, primary_key=True),
    Column("chain_id", BigInteger, primary_key=True, autoincrement=False),
    Column("since", DateTime(timezone=True), nullable=False),
    Column("operator", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("public", Boolean, nullable=False),
)


@dataclass(frozen=True, slots=True)
class Steered:
    """What holds at one time. The last change was made at ``changed_at``, ``age_s`` seconds ago; None without any.

    ``log_level`` is None for that of the settings; it ends in ``level_left_s`` seconds, None for not by itself.
    """

    changed_at: datetime | None = None
    age_s: float = 0.0
    pauses: Pauses = NOTHING_PAUSED
    log_level: str | None = None
    level_left_s: float | None = None


_now = func.clock_timestamp()
_one = select(true()).subquery("always")
_READ = (
    select(
        steering.c.changed_at,
        cast(func.extract("epoch", _now - steering.c.changed_at), Float).label("age_s"),
        case((func.coalesce(steering.c.log_level_until > _now, true()), steering.c.log_level)).label("log_level"),
        cast(func.extract("epoch", steering.c.log_level_until - _now), Float).label("level_left_s"),
        pauses,
    )
    .select_from(_one.outerjoin(steering, true()).outerjoin(pauses, true()))
    .order_by(pauses.c.adapter, pauses.c.chain_id)
)


async def read_steering(connection: AsyncConnection) -> Steered:
    """Read everything, by one small statement."""
    rows = (await connection.execute(_READ)).all()
    first = rows[0]
    found = Pauses(tuple(_pause(row) for row in rows if row.adapter is not None))
    left_s = None if first.log_level is None else first.level_left_s
    return Steered(first.changed_at, first.age_s or 0.0, found, first.log_level, left_s)


async def count_change(connection: AsyncConnection) -> datetime:
    """Have all processes take over what this transaction changes; return the store's time."""
    statement = insert(steering).values(changed_at=_now)
    statement = statement.on_conflict_do_update(index_elements=["one"], set_={"changed_at": _now})
    at: datetime = (await connection.execute(statement.returning(steering.c.changed_at))).scalar_one()
    return at


async def add_pause(
    connection: AsyncConnection, adapter: str | None, chain: int | None, operator: Operator, *, public: bool
) -> bool:
    """Write a pause; False if there is one already."""
    values = {
        **_place(adapter, chain),
        "since": _now,
        "operator": operator.name,
        "reason": operator.reason,
        "public": public,
    }
    statement = insert(pauses).values(values).on_conflict_do_nothing().returning(pauses.c.adapter)
    return (await connection.execute(statement)).one_or_none() is not None


async def remove_pause(connection: AsyncConnection, adapter: str | None, chain: int | None) -> bool:
    """Remove a pause; False if there is none."""
    place = _place(adapter, chain)
    statement = delete(pauses).where(pauses.c.adapter == place["adapter"], pauses.c.chain_id == place["chain_id"])
    return (await connection.execute(statement)).rowcount == 1


async def set_log_level(connection: AsyncConnection, level: str | None, seconds: int | None) -> None:
    """Set the level for all processes, for so many seconds (None: until it is set again); None is the settings'.

    The change is counted already, in the same transaction.
    """
    until = None if seconds is None else _now + timedelta(seconds=seconds)
    await connection.execute(update(steering).values(log_level=level, log_level_until=until))


def _place(adapter: str | None, chain: int | None) -> dict[str, object]:
    return {"adapter": adapter or _EVERY_ADAPTER, "chain_id": chain or _EVERY_CHAIN}


def _pause(row: Row[Any]) -> Pause:
    return Pause(row.adapter or None, row.chain_id or None, row.since, row.operator, row.reason, row.public)
