"""Reads scorecards from the store, for anybody: sums and medians, no wallet and no caller.

An answer is kept for half a minute, so asking more often costs nothing; what one answer has is bounded.
"""

import asyncio
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Date, Select, Table, cast, func, select
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from rhumbline.accounts.score_store import counts
from rhumbline.accounts.ttl_cache import TtlCache
from rhumbline.domain.clock import Clock
from rhumbline.domain.errors import StoreUnavailable
from rhumbline.domain.scorecard import REFUSALS, AdapterPair, Counted, Scorecard, ScorecardFilter, Scorecards
from rhumbline.domain.sentence import Sentence
from rhumbline.gateways.postgres.failures import store_access
from rhumbline.tracking.scorecards.executions import Outcome, executions

KEPT_S = 30.0
PATIENCE_S = 8.0
MOST_CARDS = 500
_AT_ONCE = 2
"""Of a process's few connections no more read scorecards at a time."""
_MOST_KEPT = 256
_Key = tuple[date | None, AdapterPair]


@dataclass(slots=True, eq=False)
class ScorecardReader:
    """Reads what the processes have written together; ``clock`` is the store's."""

    engine: AsyncEngine
    clock: Clock
    _kept: TtlCache[Scorecards] = field(default_factory=lambda: TtlCache(KEPT_S, _MOST_KEPT))
    _places: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(_AT_ONCE))

    async def by_day(self, wanted: ScorecardFilter) -> Scorecards:
        """Return the scorecards of each day, newest first. Raise StoreUnavailable when the store cannot be reached."""
        return await self._found(wanted, by_day=True)

    async def together(self, wanted: ScorecardFilter) -> Scorecards:
        """Return one scorecard for all the days, those with the most transactions first. Raise StoreUnavailable."""
        return await self._found(wanted, by_day=False)

    async def _found(self, wanted: ScorecardFilter, *, by_day: bool) -> Scorecards:
        kept = self._kept.known((wanted, by_day))
        if kept is not None:
            return kept
        try:
            async with asyncio.timeout(PATIENCE_S), self._places:
                return await self._kept.get((wanted, by_day), lambda: self._read(wanted, by_day=by_day))
        except TimeoutError as error:
            raise StoreUnavailable(
                Sentence("The store takes too long to answer at the moment; try again shortly")
            ) from error

    async def _read(self, wanted: ScorecardFilter, *, by_day: bool) -> Scorecards:
        now = self.clock()
        since = now.date() - timedelta(days=wanted.days - 1)
        with store_access():
            async with self.engine.connect() as connection:
                found = await _counted(connection, wanted, since, by_day=by_day)
                for key, executed in (await _executed(connection, wanted, since, by_day=by_day)).items():
                    found[key] = found.get(key, {}) | executed
        cards = [_card(key, fields) for key, fields in found.items()]
        cards.sort(key=_newest if by_day else _busiest)
        return Scorecards(tuple(cards[:MOST_CARDS]), len(cards) <= MOST_CARDS, now)


async def _counted(
    connection: AsyncConnection, wanted: ScorecardFilter, since: date, *, by_day: bool
) -> dict[_Key, dict[str, Any]]:
    row = counts.c
    sums = [func.sum(row[each.value]).label(each.value) for each in Counted]
    query = _grouped(counts, row.day, wanted, sums, by_day=by_day).where(row.day >= since)
    found: dict[_Key, dict[str, Any]] = {}
    for each in (await connection.execute(query)).mappings():
        refusals = {reason: int(each[reason.value]) for reason in REFUSALS if each[reason.value]}
        told = {name: int(each[name]) for name in ("asked", "answered", "built", "won")}
        found[_key(each, by_day=by_day)] = {**told, "refusals": refusals}
    return found


async def _executed(
    connection: AsyncConnection, wanted: ScorecardFilter, since: date, *, by_day: bool
) -> dict[_Key, dict[str, Any]]:
    row, day = executions.c, cast(func.timezone("UTC", executions.c.at), Date)
    measured, arrived = row.deviation_ppm.is_not(None), row.taken_s.is_not(None)
    sums = [
        func.count().label("executed"),
        func.count().filter(row.outcome == Outcome.COMPLETED.value).label("completed"),
        func.count().filter(row.outcome == Outcome.FAILED.value).label("failed"),
        func.count(row.sender.distinct()).label("senders"),
        func.count().filter(measured).label("measured"),
        func.percentile_disc(0.5).within_group(row.deviation_ppm).filter(measured).label("deviation_ppm"),
        func.percentile_disc(0.5).within_group(row.promised_s).filter(arrived).label("promised_s"),
        func.percentile_disc(0.5).within_group(row.taken_s).filter(arrived).label("taken_s"),
    ]
    start = datetime(since.year, since.month, since.day, tzinfo=UTC)
    query = _grouped(executions, day, wanted, sums, by_day=by_day).where(row.at >= start)
    names = [each.name for each in sums]
    return {
        _key(each, by_day=by_day): {name: each[name] for name in names}
        for each in (await connection.execute(query)).mappings()
    }


def _grouped(
    table: Table, day: ColumnElement[date], wanted: ScorecardFilter, sums: list[Any], *, by_day: bool
) -> Select[Any]:
    row = table.c
    told = [row.adapter, row.origin_chain_id.label("origin"), row.destination_chain_id.label("destination")]
    told += [day.label("on_day")] if by_day else []
    names = ["adapter", "origin", "destination"] + (["on_day"] if by_day else [])
    query = select(*told, *sums).group_by(*names)
    if wanted.adapters is not None:
        query = query.where(row.adapter.in_(sorted(wanted.adapters)))
    if wanted.origin_chain_id is not None:
        query = query.where(row.origin_chain_id == wanted.origin_chain_id)
    if wanted.destination_chain_id is not None:
        query = query.where(row.destination_chain_id == wanted.destination_chain_id)
    return query


def _key(row: Any, *, by_day: bool) -> _Key:
    return (row["on_day"] if by_day else None), AdapterPair(row["adapter"], row["origin"], row["destination"])


def _card(key: _Key, fields: dict[str, Any]) -> Scorecard:
    return Scorecard(pair=key[1], day=key[0], **fields)


def _newest(card: Scorecard) -> tuple[int, AdapterPair]:
    return -(card.day or date.min).toordinal(), card.pair


def _busiest(card: Scorecard) -> tuple[int, int, AdapterPair]:
    return -card.executed, -card.asked, card.pair
