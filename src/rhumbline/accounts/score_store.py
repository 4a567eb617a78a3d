"""The tables of what adapters did in requests, and of what was quoted; and their writer, which removes old rows too.

Processes add to the same rows. Nothing here grows for ever: counts have a row for an adapter, a pair of chains and a
day, callers one for two days, and promises wait two days for their transaction, the newest half million of them.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from hashlib import blake2b

import structlog
from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Date,
    DateTime,
    Integer,
    LargeBinary,
    MetaData,
    Numeric,
    Table,
    Text,
    delete,
    select,
    text,
)
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from rhumbline.accounts.score_tally import MOST_OF_CALLER, CallerPair, CallersRequest, Key, ScoreTally
from rhumbline.accounts.write_loop import write_regularly
from rhumbline.domain.clock import Clock
from rhumbline.domain.errors import StoreUnavailable
from rhumbline.domain.scorecard import AdapterPair, Counted, Promise
from rhumbline.gateways.postgres.failures import store_access

EVERY_S = 1.0
PROMISES_KEPT = timedelta(days=2)
CALLERS_KEPT = timedelta(days=2)
"""Requests of the day before may be written late, when the store was away."""
MOST_PROMISES_KEPT = 500_000
_CLEANED_EVERY = timedelta(minutes=10)
_DELETED_AT_ONCE, _MOST_DELETIONS = 5_000, 40
_metadata = MetaData()

counts = Table(
    "score_counts",
    _metadata,
    Column("day", Date, primary_key=True),
    Column("adapter", Text, primary_key=True),
    Column("source_chain_id", BigInteger, key="origin_chain_id", primary_key=True),
    Column("dest_chain_id", BigInteger, key="destination_chain_id", primary_key=True),
    *(Column(each.value, BigInteger, nullable=False) for each in Counted),
)
callers = Table(
    "score_callers",
    _metadata,
    Column("day", Date, primary_key=True),
    Column("caller", LargeBinary, primary_key=True),
    Column("asked", BigInteger, nullable=False),
)
promises = Table(
    "score_promises",
    _metadata,
    Column("transaction_id", Text, primary_key=True),
    Column("at", DateTime(timezone=True), nullable=False),
    Column("adapter", Text, nullable=False),
    Column("source_chain_id", BigInteger, key="origin_chain_id", nullable=False),
    Column("dest_chain_id", BigInteger, key="destination_chain_id", nullable=False),
    Column("output", Numeric(78, 0), nullable=False),
    Column("seconds", Integer),
    Column("value_cents", BigInteger),
    Column("weighs", Boolean, nullable=False),
)
_row = insert(counts)
# Made once: a statement with ``excluded`` refers to itself, and only the garbage collector frees it.
_ADD = _row.on_conflict_do_update(
    index_elements=list(counts.primary_key),
    set_={each.value: counts.c[each.value] + _row.excluded[each.value] for each in Counted},
)
_ASK = text("""
    INSERT INTO score_callers (day, caller, asked)
    SELECT :day, * FROM unnest(CAST(:callers AS bytea[]), CAST(:numbers AS bigint[]))
    ON CONFLICT (day, caller) DO UPDATE SET asked = score_callers.asked + excluded.asked
    RETURNING caller, asked
""")
_KEEP = text("""
    INSERT INTO score_promises
        (transaction_id, at, adapter, source_chain_id, dest_chain_id, output, seconds, value_cents, weighs)
    SELECT * FROM unnest(
        CAST(:transaction_id AS text[]), CAST(:at AS timestamptz[]), CAST(:adapter AS text[]),
        CAST(:origin AS bigint[]), CAST(:destination AS bigint[]), CAST(CAST(:output AS text[]) AS numeric[]),
        CAST(:seconds AS integer[]), CAST(:value_cents AS bigint[]), CAST(:weighs AS boolean[])
    )
    ON CONFLICT DO NOTHING
""")


@dataclass(slots=True, eq=False)
class ScoreWriter:
    """Writes what was counted and promised: a few statements a second, however many requests there were.

    What is counted when the process is killed is lost, a second's; while the store is away a bounded number is kept.
    Counts older than ``kept`` are removed, so 0 removes all there are.
    """

    engine: AsyncEngine
    tally: ScoreTally
    clock: Clock
    kept: timedelta
    _cleaned_at: datetime | None = field(default=None, init=False)
    _told_lost: int = field(default=0, init=False)

    async def run(self) -> None:
        """Write until cancelled, and then what is left."""
        await write_regularly(self.write, EVERY_S, "scores_not_written")

    async def write(self) -> None:
        """Write now what waits; what cannot be written because the store is away waits on."""
        if self.tally.lost > self._told_lost:
            structlog.get_logger().warning("scores_lost", scores=self.tally.lost - self._told_lost)
            self._told_lost = self.tally.lost
        scores, now = self.tally.take(), self.clock()
        is_due = self._cleaned_at is None or now - self._cleaned_at >= _CLEANED_EVERY
        asked: dict[date, Mapping[CallerPair, int]] = {}
        try:
            if scores.requests or scores.promises:
                with store_access():
                    async with self.engine.begin() as connection:
                        for day, requests in sorted(scores.requests.items()):
                            asked[day] = await _ask(connection, day, requests)
                            await _add(connection, day, _within(requests, asked[day]))
                        await _keep(connection, scores.promises)
        except StoreUnavailable:
            self.tally.give_back(scores)
            return
        for day, numbers in asked.items():
            requests = scores.requests[day]
            refused = len(requests) - sum(_rooms(requests, numbers).values())
            self.tally.learn(day, numbers, refused)
        if is_due:
            with suppress(StoreUnavailable):
                await self._clean(now)
                self._cleaned_at = now

    async def _clean(self, now: datetime) -> None:
        row = promises.c
        beyond = select(row.at).order_by(row.at.desc()).offset(MOST_PROMISES_KEPT).limit(1)
        with store_access():
            async with self.engine.begin() as connection:
                await connection.execute(delete(counts).where(counts.c.day <= (now - self.kept).date()))
                forgotten = (now - min(CALLERS_KEPT, self.kept)).date()
                await connection.execute(delete(callers).where(callers.c.day <= forgotten))
                full = (await connection.execute(beyond)).scalar_one_or_none()
        until = now - min(PROMISES_KEPT, self.kept)
        until = until if full is None else max(until, full)
        some = select(row.transaction_id).where(row.at <= until).limit(_DELETED_AT_ONCE)
        for _ in range(_MOST_DELETIONS):
            with store_access():
                async with self.engine.begin() as connection:
                    locked = some.with_for_update(skip_locked=True)
                    removed = await connection.execute(delete(promises).where(row.transaction_id.in_(locked)))
            if removed.rowcount < _DELETED_AT_ONCE:
                return


async def _ask(connection: AsyncConnection, day: date, requests: Iterable[CallersRequest]) -> Mapping[CallerPair, int]:
    """Add callers' requests to those of all processes; return how many each has made this day."""
    # Always in this order: two processes that add to the same rows wait for each other, and never in a circle.
    numbers = sorted((_row_of(caller), number, caller) for caller, number in _numbers(requests).items())
    given = {"day": day, "callers": [row for row, _, _ in numbers], "numbers": [number for _, number, _ in numbers]}
    asked = {bytes(row.caller): int(row.asked) for row in await connection.execute(_ASK, given)}
    return {caller: asked[row] for row, _, caller in numbers}


def _row_of(caller: CallerPair) -> bytes:
    """Return what a caller's row is found by, of one length: it need not be read, only found again."""
    return blake2b("\0".join(map(str, caller)).encode(), digest_size=16).digest()


def _numbers(requests: Iterable[CallersRequest]) -> Counter[CallerPair]:
    return Counter(request.caller for request in requests)


def _rooms(requests: Iterable[CallersRequest], asked: Mapping[CallerPair, int]) -> Mapping[CallerPair, int]:
    """Return how many of each caller's requests count, after all that was counted of it before."""
    return {
        caller: max(min(MOST_OF_CALLER - (asked[caller] - number), number), 0)
        for caller, number in _numbers(requests).items()
    }


def _within(requests: Iterable[CallersRequest], asked: Mapping[CallerPair, int]) -> Counter[Key]:
    """Return what the requests count for together, of each caller the first ones that there is room for."""
    requests = tuple(requests)
    rooms, counted = Counter(_rooms(requests, asked)), Counter[Key]()
    for request in requests:
        if rooms[request.caller] > 0:
            rooms[request.caller] -= 1
            counted.update(request.counted)
    return counted


async def _add(connection: AsyncConnection, day: date, counted: Counter[Key]) -> None:
    by_pair: dict[AdapterPair, dict[str, int]] = {}
    for (pair, what), number in counted.items():
        by_pair.setdefault(pair, {each.value: 0 for each in Counted})[what.value] += number
    # In this order, for the same reason.
    rows = [{"day": day, **pair._asdict(), **numbers} for pair, numbers in sorted(by_pair.items())]
    if rows:
        await connection.execute(_ADD, rows)


async def _keep(connection: AsyncConnection, kept: Sequence[Promise]) -> None:
    if not kept:
        return
    await connection.execute(
        _KEEP,
        {
            "transaction_id": [each.transaction_id for each in kept],
            "at": [each.at for each in kept],
            "adapter": [each.pair.adapter for each in kept],
            "origin": [each.pair.origin_chain_id for each in kept],
            "destination": [each.pair.destination_chain_id for each in kept],
            "output": [str(each.output) for each in kept],
            "seconds": [each.seconds for each in kept],
            "value_cents": [each.value_cents for each in kept],
            "weighs": [each.weighs for each in kept],
        },
    )
