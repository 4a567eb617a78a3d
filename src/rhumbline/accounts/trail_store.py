"""The table of trails: their writer, which also removes old ones, and who reads them.

A trail is written by one of a few rows a statement, about a second after its answer.
"""

import asyncio
import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import msgspec
import structlog
from sqlalchemy import (
    BigInteger,
    Column,
    ColumnElement,
    DateTime,
    Integer,
    MetaData,
    SmallInteger,
    Table,
    Text,
    delete,
    func,
    select,
    text,
)
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from rhumbline.accounts.trails import Trails
from rhumbline.accounts.write_loop import write_regularly
from rhumbline.domain.clock import Clock
from rhumbline.domain.errors import StoreUnavailable
from rhumbline.domain.trail import KeptTrail, Trail, TrailBody
from rhumbline.gateways.postgres.failures import store_access
from rhumbline.gateways.postgres.one_of import one_of

EVERY_S = 1.0
AT_ONCE = 200
LARGEST_BODY = 64 * 1024
"""In bytes of JSON; of a larger trail only the request and the answer are kept."""
MOST_FOUND = 10
"""So many requests under one ID are read, the newest: a client chooses its requests' IDs itself."""
_CLEANED_EVERY = timedelta(minutes=1)
_DELETED_AT_ONCE, _MOST_DELETIONS = 5_000, 40
_TRANSACTION_ID = re.compile(r"0[xX][0-9a-fA-F]{64}", re.ASCII)
"""Longer than any request's ID."""
_TOO_LARGE = "(what adapters answered is not kept: it is too large)"

trails = Table(
    "trails",
    MetaData(),
    Column("id", BigInteger, primary_key=True),
    Column("request_id", Text, nullable=False),
    Column("endpoint", Text, nullable=False),
    Column("at", DateTime(timezone=True), nullable=False),
    Column("integrator", Text),
    Column("key_id", BigInteger),
    Column("status", SmallInteger, nullable=False),
    Column("code", Text, nullable=False),
    Column("ms", Integer, nullable=False),
    Column("transaction_id", Text),
    Column("body", JSONB, nullable=False),
)
_ADD = text("""
    INSERT INTO trails (request_id, endpoint, at, integrator, key_id, status, code, ms, transaction_id, body)
    SELECT * FROM unnest(
        CAST(:request_id AS text[]), CAST(:endpoint AS text[]), CAST(:at AS timestamptz[]),
        CAST(:integrator AS text[]), CAST(:key_id AS bigint[]), CAST(:status AS smallint[]), CAST(:code AS text[]),
        CAST(:ms AS integer[]), CAST(:transaction_id AS text[]), CAST(CAST(:body AS text[]) AS jsonb[])
    )
""")
_FIELDS = ("request_id", "endpoint", "at", "integrator", "key_id", "status", "code", "ms", "transaction_id")


@dataclass(slots=True, eq=False)
class TrailWriter:
    """Writes trails, and removes those older than ``kept``, and the oldest where there are more than ``most_rows``.

    What waits when the process is killed is lost, a second's trails; while the store is away a bounded number waits.
    """

    engine: AsyncEngine
    trails: Trails
    clock: Clock
    kept: timedelta
    most_rows: int
    _cleaned_at: datetime | None = field(default=None, init=False)
    _told_dropped: int = field(default=0, init=False)

    async def run(self) -> None:
        """Write until cancelled, and then what is left."""
        await write_regularly(self.write, EVERY_S, "trails_not_written")

    async def write(self) -> None:
        """Write now what waits; what cannot be written because the store is away waits on."""
        if self.trails.dropped > self._told_dropped:
            structlog.get_logger().warning("trails_dropped", trails=self.trails.dropped - self._told_dropped)
            self._told_dropped = self.trails.dropped
        # Of all that wait, also while the store is away: what notes are made of is large.
        await asyncio.to_thread(_make_notes, self.trails.waiting())
        with suppress(StoreUnavailable):
            while batch := self.trails.take(AT_ONCE):
                await self._add(batch)
            now = self.clock()
            if self._cleaned_at is None or now - self._cleaned_at >= _CLEANED_EVERY:
                await self._clean(now)
                self._cleaned_at = now

    async def _add(self, batch: list[Trail]) -> None:
        rows = await asyncio.to_thread(_rows, batch)
        self.trails.dropped += len(batch) - len(rows["body"])
        if not rows["body"]:
            return
        try:
            with store_access():
                async with self.engine.begin() as connection:
                    await connection.execute(_ADD, rows)
        except StoreUnavailable:
            self.trails.give_back(batch)
            raise

    async def _clean(self, now: datetime) -> None:
        seen = trails.c
        last = select(func.max(seen.id) - self.most_rows).scalar_subquery()
        for old in (seen.at < now - self.kept, seen.id <= last):
            await self._remove(old)

    async def _remove(self, old: ColumnElement[bool]) -> None:
        """Delete in parts, so that none takes long; what other processes delete at the same time is left to them."""
        some = select(trails.c.id).where(old).limit(_DELETED_AT_ONCE).with_for_update(skip_locked=True)
        for _ in range(_MOST_DELETIONS):
            with store_access():
                async with self.engine.begin() as connection:
                    removed = await connection.execute(delete(trails).where(trails.c.id.in_(some)))
            if removed.rowcount < _DELETED_AT_ONCE:
                return


@dataclass(frozen=True, slots=True)
class TrailHistory:
    """Reads trails. Raises StoreUnavailable when the store cannot be reached."""

    engine: AsyncEngine

    async def of(self, identifier: str, integrator: str | None = None) -> tuple[KeptTrail, ...]:
        """Return the trails under a request's ID, or of an answered transaction ID; of an integrator only its own."""
        found = trails.c.request_id == identifier
        if _TRANSACTION_ID.fullmatch(identifier):
            found = trails.c.transaction_id == identifier.lower()
        return await self._found(MOST_FOUND, _own(integrator), found)

    async def latest(
        self, most: int, integrator: str | None = None, *, failed_only: bool = False
    ) -> tuple[KeptTrail, ...]:
        """Return the latest trails, newest first; ``failed_only`` leaves out those that had an answer."""
        return await self._found(most, _own(integrator), *([trails.c.status != 200] if failed_only else []))

    async def _found(self, most: int, *where: ColumnElement[bool] | None) -> tuple[KeptTrail, ...]:
        query = select(trails).where(*(each for each in where if each is not None))
        with store_access():
            async with self.engine.connect() as connection:
                rows = await connection.execute(query.order_by(trails.c.id.desc()).limit(most))
                return tuple(_kept(row) for row in rows)


async def trails_of(connection: AsyncConnection, transaction_ids: Sequence[str]) -> tuple[KeptTrail, ...]:
    """Return the trails of the requests that were answered with these transaction IDs, newest first."""
    query = select(trails).where(one_of(trails.c.transaction_id, transaction_ids)).order_by(trails.c.id.desc())
    return tuple(_kept(row) for row in await connection.execute(query.limit(MOST_FOUND)))


async def trails_of_request(connection: AsyncConnection, request_id: str) -> tuple[KeptTrail, ...]:
    """Return the trails under a request's ID, newest first."""
    query = select(trails).where(trails.c.request_id == request_id).order_by(trails.c.id.desc())
    return tuple(_kept(row) for row in await connection.execute(query.limit(MOST_FOUND)))


def _own(integrator: str | None) -> ColumnElement[bool] | None:
    return None if integrator is None else trails.c.integrator == integrator


def _kept(row: Any) -> KeptTrail:
    told = {name: getattr(row, name) for name in _FIELDS}
    return KeptTrail(**told, body=msgspec.convert(row.body, TrailBody))


def _make_notes(batch: Iterable[Trail]) -> None:
    for trail in batch:
        try:
            trail.make_notes()
        except Exception:
            # What was noted before is written.
            structlog.get_logger().exception("trail_not_noted", request_id=trail.request_id)


def _rows(batch: Iterable[Trail]) -> dict[str, list[object]]:
    """Return the columns of a batch; a trail that cannot be written is left out."""
    _make_notes(batch)
    rows: dict[str, list[object]] = {name: [] for name in (*_FIELDS, "body")}
    for trail in batch:
        try:
            body = _written(trail)
        except ValueError:
            # Half a character in a stranger's text.
            continue
        for name in _FIELDS:
            rows[name].append(getattr(trail, name))
        rows["body"].append(body)
    return rows


def _plain(value: object) -> str:
    """Return a text that is more than a string, such as a ``Sentence``, as a string."""
    if isinstance(value, str):
        return str(value)
    raise TypeError(f"a trail holds {type(value).__name__}")


_ENCODER = msgspec.json.Encoder(enc_hook=_plain)


def _written(trail: Trail) -> str:
    body = trail.body()
    written = _ENCODER.encode(body)
    if len(written) > LARGEST_BODY:
        written = _ENCODER.encode(TrailBody(body.asked, (), body.answers[:1], f"{body.message} {_TOO_LARGE}"))
    # PostgreSQL's JSON has no NUL.
    return written.replace(b"\\u0000", b"\\ufffd").decode()
