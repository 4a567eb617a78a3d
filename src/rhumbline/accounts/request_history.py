"""Reads what an integrator's requests came to: how many in each part of a span, by endpoint, the latest failures."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import NamedTuple

from sqlalchemy import ColumnElement, Table, func, literal_column, select
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.accounts.request_store import failures, hours, minutes
from rhumbline.accounts.request_tally import BOUNDS_MS, CLASSES, FailedRequest
from rhumbline.domain.clock import Clock
from rhumbline.gateways.postgres.failures import store_access


class Span(StrEnum):
    """How far back: an hour by minutes, a day by hours, and so many days by days."""

    HOUR = "hour"
    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    QUARTER = "quarter"


class _Resolution(NamedTuple):
    table: Table
    unit: str
    length: timedelta
    number: int


_RESOLUTIONS = (
    (Span.HOUR, _Resolution(minutes, "minute", timedelta(minutes=1), 60)),
    (Span.DAY, _Resolution(hours, "hour", timedelta(hours=1), 24)),
    (Span.WEEK, _Resolution(hours, "day", timedelta(days=1), 7)),
    (Span.MONTH, _Resolution(hours, "day", timedelta(days=1), 30)),
    (Span.QUARTER, _Resolution(hours, "day", timedelta(days=1), 90)),
)


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a span, from its start: all requests, those refused (4xx) and those failed (5xx)."""

    start: datetime
    requests: int = 0
    refused: int = 0
    failed: int = 0


@dataclass(frozen=True, slots=True)
class EndpointUse:
    """The requests of one endpoint. ``median_ms`` and ``p95_ms`` are upper bounds, None beyond the largest one."""

    endpoint: str
    requests: int
    refused: int
    failed: int
    median_ms: int | None
    p95_ms: int | None
    slowest_ms: int
    statuses: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Requests:
    """A span's parts in order, none left out, and its endpoints, the most used first."""

    parts: tuple[Part, ...]
    endpoints: tuple[EndpointUse, ...]


@dataclass(frozen=True, slots=True)
class RequestHistory:
    """Reads the history. Raises StoreUnavailable when the store cannot be reached."""

    engine: AsyncEngine
    clock: Clock

    async def of(self, integrator: str, span: Span, key_id: int | None = None) -> Requests:
        """Return the requests of an integrator, or of one key, until now."""
        parts = dict(_RESOLUTIONS)[span]
        starts = _starts(self.clock(), parts)
        seen = parts.table.c
        where: list[ColumnElement[bool]] = [seen.integrator == integrator, seen.start >= starts[0]]
        if key_id is not None:
            where.append(seen.key_id == key_id)
        start = func.date_trunc(parts.unit, seen.start, "UTC").label("part")
        by_part = select(start, seen.status, func.sum(seen.requests).label("requests"))
        classes = (func.sum(seen.latencies[number]).label(f"class_{number}") for number in range(1, CLASSES + 1))
        by_endpoint = select(
            seen.endpoint,
            seen.status,
            func.sum(seen.requests).label("requests"),
            func.max(seen.slowest_ms).label("slowest_ms"),
            *classes,
        )
        with store_access():
            async with self.engine.connect() as connection:
                by_part = by_part.where(*where).group_by(literal_column("part"), seen.status)
                counted = (await connection.execute(by_part)).all()
                by_endpoint = by_endpoint.where(*where).group_by(seen.endpoint, seen.status)
                used = (await connection.execute(by_endpoint)).all()
        in_parts = {each: [0, 0, 0] for each in starts}
        for row in counted:
            counts = in_parts.get(row.part, [0, 0, 0])
            counts[0] += int(row.requests)
            counts[1] += int(row.requests) * _is_refused(row.status)
            counts[2] += int(row.requests) * _is_failed(row.status)
        rows = (
            _Row(row.endpoint, row.status, int(row.requests), row.slowest_ms, [int(each) for each in row[4:]])
            for row in used
        )
        return Requests(tuple(Part(each, *counts) for each, counts in in_parts.items()), _endpoints(rows))

    async def latest_failures(self, integrator: str, most: int, key_id: int | None = None) -> tuple[FailedRequest, ...]:
        """Return the latest requests that had an error for an answer, newest first."""
        seen = failures.c
        columns = (getattr(seen, name) for name in FailedRequest._fields)
        query = select(*columns).where(seen.integrator == integrator).order_by(seen.id.desc()).limit(most)
        if key_id is not None:
            query = query.where(seen.key_id == key_id)
        with store_access():
            async with self.engine.connect() as connection:
                return tuple(FailedRequest(*row) for row in await connection.execute(query))


def quantile_ms(latencies: Sequence[int], percent: int) -> int | None:
    """Return the bound in milliseconds below which so many per cent of the requests were; None beyond the largest."""
    wanted = -(-sum(latencies) * percent // 100)
    reached = 0
    for bound, count in zip((*BOUNDS_MS, None), latencies, strict=True):
        reached += count
        if reached >= wanted:
            return bound
    return None


def _starts(now: datetime, parts: _Resolution) -> tuple[datetime, ...]:
    last = now.replace(second=0, microsecond=0)
    if parts.unit != "minute":
        last = last.replace(minute=0)
    if parts.unit == "day":
        last = last.replace(hour=0)
    return tuple(last - parts.length * back for back in reversed(range(parts.number)))


class _Row(NamedTuple):
    endpoint: str
    status: int
    requests: int
    slowest_ms: int
    latencies: list[int]


def _endpoints(rows: Iterable[_Row]) -> tuple[EndpointUse, ...]:
    found: dict[str, list[_Row]] = {}
    for row in rows:
        found.setdefault(row.endpoint, []).append(row)
    used = (_use(endpoint, by_status) for endpoint, by_status in found.items())
    return tuple(sorted(used, key=lambda each: (-each.requests, each.endpoint)))


def _use(endpoint: str, rows: Sequence[_Row]) -> EndpointUse:
    latencies = [sum(counts) for counts in zip(*(row.latencies for row in rows), strict=True)]
    return EndpointUse(
        endpoint,
        sum(row.requests for row in rows),
        sum(row.requests for row in rows if _is_refused(row.status)),
        sum(row.requests for row in rows if _is_failed(row.status)),
        quantile_ms(latencies, 50),
        quantile_ms(latencies, 95),
        max(row.slowest_ms for row in rows),
        tuple(sorted((row.status, row.requests) for row in rows)),
    )


def _is_refused(status: int) -> bool:
    return 400 <= status < 500


def _is_failed(status: int) -> bool:
    return status >= 500
