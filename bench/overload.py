"""The throughput of a service that gets twice as many quote requests as it can answer, and its memory.

The service of `quote-cpu`. Its capacity is the throughput of a fixed number of clients that repeat at once; then twice
as many quotes a second are requested, whether earlier ones were answered or not. Both alternate.
"""

import asyncio
import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import aiohttp

from bench.quotes_cpu import AMOUNTS, ApiClient, Scene, quoted
from bench.quotes_figures import quantile
from bench.rows import Row

CALLERS, PAUSE_S = 100, 0.2
WARM_S, TURNS, TURN_S = 4.0, 3, 7.0
GOOD_S, MEDIAN_MS = 3.0, 1000.0
LEAST, MOST_MB = 0.9, 150
NEXT = 10
_FAULTS = (b"upstream_paused", b"price_source_rests", b"node_set_aside")


@dataclass(frozen=True)
class TimedQuote:
    """How a quote ended, and in how many seconds."""

    status: int
    seconds: float

    @property
    def good(self) -> bool:
        return self.status == 200 and self.seconds <= GOOD_S


async def run() -> list[Row]:
    """Measure the capacity, overload the service, ask again."""
    async with quoted() as scene:
        for _ in AMOUNTS:
            await scene.caller.ask()
        await _steadily(scene.caller, WARM_S)
        alone = [await _ask(scene.caller) for _ in range(NEXT)]
        faults, quotes, good, capacities = _faults(scene), list[TimedQuote](), list[float](), list[float]()
        for _ in range(TURNS):
            capacities.append(await _steadily(scene.caller, TURN_S))
            turn = await _regularly(scene.caller, 2 * max(capacities), TURN_S)
            good.append(sum(each.good for each in turn) / TURN_S)
            quotes += turn
        memory_mb = _rss_mb(scene.service.pid)
        await asyncio.sleep(1)
        after = [await _ask(scene.caller) for _ in range(NEXT)]
        rates = statistics.median(good), statistics.median(capacities)
        return [_row(rates, quotes, (alone, after), _faults(scene) - faults), _memory(memory_mb)]


async def _ask(caller: ApiClient) -> TimedQuote:
    began = time.perf_counter()
    try:
        status, _ = await caller.answer()
    except aiohttp.ClientError:
        status = 0
    return TimedQuote(status, time.perf_counter() - began)


async def _steadily(caller: ApiClient, seconds: float) -> float:
    """Return how many good quotes a second callers get who wait for their answers, on the average."""
    good, began = 0, time.perf_counter()

    async def ask_again() -> None:
        nonlocal good
        while time.perf_counter() - began < seconds:
            if (await _ask(caller)).good:
                good += 1
            else:
                await asyncio.sleep(PAUSE_S)

    await asyncio.gather(*(ask_again() for _ in range(CALLERS)))
    return good / (time.perf_counter() - began)


async def _regularly(caller: ApiClient, per_s: float, seconds: float) -> list[TimedQuote]:
    began, tasks = time.perf_counter(), list[asyncio.Task[TimedQuote]]()
    while (now := time.perf_counter() - began) < seconds:
        due = int(now * per_s) + 1 - len(tasks)
        tasks += [asyncio.create_task(_ask(caller)) for _ in range(due)]
        await asyncio.sleep(1 / per_s)
    return await asyncio.gather(*tasks)


def _row(
    rates: tuple[float, float],
    quotes: Sequence[TimedQuote],
    beside: tuple[Sequence[TimedQuote], Sequence[TimedQuote]],
    faults: int,
) -> Row:
    (good, capacity), (alone, after) = rates, beside
    let_in = [each.seconds for each in quotes if each.status == 200]
    median_ms = quantile(let_in, 0.5) if let_in else float("inf")
    before_s, after_s = (statistics.median(each.seconds for each in some) for some in (alone, after))
    normal = all(each.good for each in after) and after_s <= 2 * before_s
    refused = sum(each.status == 503 for each in quotes)
    share = good / capacity
    value = f"{share:.2f} ({good:.0f} of {capacity:.0f}/s), p50 {median_ms:.0f} ms, {faults} faults"
    print(f"{len(quotes)} asked, {refused} refused; alone {1000 * before_s:.0f} ms, after {1000 * after_s:.0f} ms")
    met = share >= LEAST and median_ms <= MEDIAN_MS and not faults and normal
    return Row(name="overload", value=value, goal=f"≥ {LEAST}, p50 ≤ 1 s, 0, normal after 1 s", met=met)


def _memory(found_mb: float) -> Row:
    return Row(name="memory", value=f"{found_mb:.0f} MB", goal=f"≤ {MOST_MB} MB", met=found_mb <= MOST_MB)


def _faults(scene: Scene) -> int:
    """Count the faults recorded for upstreams, sources and nodes."""
    lines = scene.log.read_bytes()
    return sum(lines.count(fault) for fault in _FAULTS)


def _rss_mb(pid: int) -> float:
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0]) / 1024
