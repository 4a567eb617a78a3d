"""The table of leases; its statements use the store's clock only. The migrations create the table."""

from collections.abc import Mapping
from datetime import timedelta
from types import MappingProxyType
from typing import Any

from sqlalchemy import (
    BigInteger,
    BindParameter,
    Column,
    ColumnElement,
    DateTime,
    Float,
    Integer,
    Interval,
    MetaData,
    Table,
    Text,
    bindparam,
    case,
    cast,
    delete,
    exists,
    extract,
    func,
    literal,
    not_,
    or_,
    select,
    text,
    tuple_,
    update,
)
from sqlalchemy.dialects.postgresql import ARRAY, insert

from rhumbline.gateways.postgres.engine import APPLICATION

TTL_S = 10.0
"""How long a lease is valid without renewal."""
STALLED_S = 75.0
"""A leader without progress for so long may be replaced by one with a higher head; idle chains progress each minute."""

_metadata = MetaData()
_TIME = DateTime(timezone=True)
_now, _ttl = func.clock_timestamp(type_=_TIME), timedelta(seconds=TTL_S)
_holder, _name = bindparam("by", type_=Text), bindparam("lease", type_=Text)
_own_session: Mapping[str, BindParameter[Any]] = MappingProxyType(
    {"pid": bindparam("own_pid"), "session_at": bindparam("own_session_at")}
)
"""Parameters need other names than columns, because SQLAlchemy reserves those."""

leases = Table(
    "leases",
    _metadata,
    Column("name", Text, primary_key=True),
    Column("holder", Text, nullable=False),
    Column("term", BigInteger, nullable=False),
    Column("pid", Integer, nullable=False),
    Column("session_at", _TIME, nullable=False),
    Column("expires_at", _TIME, nullable=False),
    Column("head", BigInteger),
    Column("next_block", BigInteger),
    Column("moved_at", _TIME, nullable=False),
)
_row = leases.c
_activity = Table(
    "pg_stat_activity",
    _metadata,
    Column("pid", Integer),
    Column("backend_start", _TIME),
    Column("datname", Text),
    Column("usename", Text),
    Column("application_name", Text),
    Column("state", Text),
    Column("wait_event", Text),
    Column("state_change", _TIME),
    Column("xact_start", _TIME),
)

# A lease that ends later than any can has been there since before the store's clock was put back.
_over = or_(_row.expires_at <= _now, _row.expires_at > _now + 2 * _ttl)
# Who may not see another user's sessions sees their numbers, and nothing else of them.
_ended = ~exists().where(
    _activity.c.pid == _row.pid, func.coalesce(_activity.c.backend_start, _row.session_at) == _row.session_at
)
_stuck = (_row.moved_at < _now - timedelta(seconds=STALLED_S)) & (_row.head < bindparam("beyond", type_=BigInteger))

PROCESS = "process "
"""The name of the lease that each process has of its own begins so: what it has claimed is claimed while that holds."""


def has_ended(process: ColumnElement[str]) -> ColumnElement[bool]:
    """Return the condition that a process, by the name that it holds leases by, does not hold its own any more."""
    return ~exists().where(_row.name == PROCESS + process, _row.holder == process, not_(_over), not_(_ended))


FORGET_PROCESSES = delete(leases).where(_row.name.startswith(PROCESS), _row.expires_at < _now - 6 * _ttl)
"""Deletes the own leases of processes that are gone: each process has another name."""

SESSION = select(_activity.c.pid, _activity.c.backend_start).where(_activity.c.pid == func.pg_backend_pid())

_free = (
    select(_row.name)
    .where(_row.name == _name, or_(_row.holder == _holder, _over, _ended, _stuck))
    .with_for_update(key_share=True, skip_locked=True)
    .cte("free")
)
TAKE = (
    update(leases)
    .where(_row.name == _free.c.name)
    .values(holder=_holder, term=_row.term + 1, expires_at=_now + _ttl, moved_at=_now, **_own_session)
    .returning(_row.term)
)
BEGIN = (
    insert(leases)
    .values(name=_name, holder=_holder, term=1, expires_at=_now + _ttl, moved_at=_now, **_own_session)
    .on_conflict_do_nothing()
    .returning(_row.term)
)

_numbers = (bindparam(name, type_=ARRAY(BigInteger)) for name in ("terms", "heads", "nexts"))
_arrays = func.unnest(bindparam("names", type_=ARRAY(Text)), *_numbers)
_given = _arrays.table_valued("name", "term", "head", "next_block", name="given").render_derived()
# One that a write of this process holds at the moment is renewed the next time.
_own = (
    select(_row.name, _given.c.head, _given.c.next_block)
    .join(_given, (_row.name == _given.c.name) & (_row.term == _given.c.term))
    .where(_row.holder == _holder, not_(_over))
    .with_for_update(key_share=True, skip_locked=True, of=leases)
    .cte("own")
)
_place, _new_place = tuple_(_row.head, _row.next_block), tuple_(_own.c.head, _own.c.next_block)
RENEW = (
    update(leases)
    .where(_row.name == _own.c.name)
    .values(
        expires_at=_now + _ttl,
        head=_own.c.head,
        next_block=_own.c.next_block,
        moved_at=case((_place.is_distinct_from(_new_place), _now), else_=_row.moved_at),
        **_own_session,
    )
)

_one = select(literal(1).label("one")).subquery()
_left = cast(extract("epoch", _row.expires_at - _now), Float)
_free_already = or_(_over, (_row.holder != _holder) & _ended)
READ = select(
    _now.label("at"),
    _row.name,
    _row.holder,
    _row.term,
    _row.head,
    _row.next_block,
    cast(extract("epoch", _now - _row.moved_at), Float).label("still_s"),
    case((_free_already, 0.0), else_=_left).label("left_s"),
).select_from(_one.outerjoin(leases, text("true")))
"""All leases with the store's time, which is returned even if there are none."""

FENCE = (
    select(_row.term)
    .where(_row.name == _name, _row.holder == _holder, _row.term == bindparam("number", type_=BigInteger), not_(_over))
    .with_for_update(read=True)
)
_session = _activity.c
# Within a statement, between its parts, the server waits for its client without any of its own time limits.
END_FROZEN = select(func.pg_terminate_backend(_session.pid)).where(
    _session.datname == func.current_database(),
    # Another login of the same store (docs/rotation.md) may be ended by who has the right to.
    or_(*(func.pg_has_role(func.current_user(), role, "MEMBER") for role in (_session.usename, "pg_signal_backend"))),
    _session.application_name == APPLICATION,
    _session.state != "idle",
    _session.wait_event == "ClientRead",
    _session.xact_start.is_not(None),
    _session.state_change < _now - bindparam("patience", type_=Interval),
)
"""Ends sessions of processes that sleep in a transaction and so lock rows."""

FREE = update(leases).where(_row.holder == _holder, _row.expires_at > _now).values(expires_at=_now)
