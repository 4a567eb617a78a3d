"""Runs rows one after another, each within its own time; what breaks off is a result too."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from chaos.bench import Bench
from chaos.result import RowResult, TableRow
from chaos.rows import disk, forks, kills, lies, nodes, outages, requests, secrets, upstreams


@dataclass(frozen=True)
class Row:
    """``what`` is the row in words; it is broken off after ``longest_s``.

    What works ``on_service`` needs the running service, whose start is not a part of the row's time.
    """

    what: str
    run: Callable[[Bench], Awaitable[RowResult]]
    longest_s: float
    on_service: bool = True


ROWS: Mapping[str, Row] = MappingProxyType(
    {
        "nodes": Row(
            "nodes away, lying and slow, clocks that jump, processes frozen and killed",
            nodes.run,
            480,
            on_service=False,
        ),
        "forks": Row("reorganisations of 1 to 12 blocks, and forks on Solana", forks.run, 240, on_service=False),
        "kills": Row("kill -9 while transfers are tracked, a receiver that refuses", kills.run, 600),
        "disk": Row("the store's disk is full", disk.run, 240),
        "outages": Row("PostgreSQL and Redis gone", outages.run, 120),
        "upstreams": Row("each upstream slow, failing, limiting and lying in turn", upstreams.run, 300),
        "requests": Row(
            "requests by the OpenAPI document, malformed bytes, silent and slow sockets", requests.run, 180
        ),
        "secrets": Row("secrets sought in everything that was said and kept, foreign records", secrets.run, 90),
        "lies": Row("each upstream lies, and what is answered is executed", lies.run, 360, on_service=False),
    }
)
"""In this order: those from `kills` to `secrets` work on one running service, whose secrets are sought in the end."""
LONGEST_S = 30 * 60
_START_S = 180.0


async def run_rows(bench: Bench, keys: Sequence[str], rows: Mapping[str, Row] = ROWS) -> list[TableRow]:
    """Run these rows in their order; a row that fails in whatever way does not keep the others from running."""
    done, end = [], time.monotonic() + LONGEST_S
    for key, row in rows.items():
        if key not in keys:
            continue
        began = time.monotonic()
        bench.say(f"{key}: {row.what}")
        result = await _result(bench, row, min(row.longest_s, end - began))
        done.append(TableRow(key, row.what, result, time.monotonic() - began))
        for fault in list(result.faults())[:30]:
            bench.say(f"  {fault}")
        bench.say(f"{key}: {'good' if result.is_good else 'BAD'} after {done[-1].took_s:.0f} s; {result.figures}")
    return done


async def _result(bench: Bench, row: Row, longest_s: float) -> RowResult:
    if longest_s <= 0:
        return RowResult({}, broken=f"the {LONGEST_S // 60} minutes of all rows were over before it began")
    began = time.monotonic()
    try:
        if row.on_service:
            async with asyncio.timeout(longest_s + _START_S):
                await bench.service()
            began = time.monotonic()
        async with asyncio.timeout(longest_s):
            return await row.run(bench)
    except TimeoutError:
        return RowResult({}, broken=f"it had not ended after {time.monotonic() - began:.0f} s")
    except Exception as error:
        # What a row raises is what it found: the other rows go on.
        return RowResult({}, broken=f"{type(error).__name__}: {str(error)[:2000]}")
