"""The measuring process of the quote scenarios: twelve real adapters and all that surrounds their calls.

Each adapter is built from its spec as the service builds it, with a pool of its own; the loop is uvloop, the log
is written as JSON lines, calls are counted for Prometheus. Run with `python -m bench.quotes_client <port of the
upstreams> <what>`; prints one JSON object. ``what`` is ``answers`` (all twelve are awaited, in turns with a bare
session that makes the same calls) or ``deadlines`` (about half of them are not awaited, in turns with timers).
"""

import asyncio
import json
import os
import re
import sys
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import aiohttp
import structlog

from bench.quotes_answers import CHAIN, KEYS, latency_s, output, request
from bench.quotes_bare import BareFanOut, bare_fan_out
from bench.quotes_load import AT_ONCE, after, keep_asking
from rhumbline.adapters import kyberswap, nordstern, okx
from rhumbline.api.metrics.service_metrics import ServiceMetrics
from rhumbline.app.frequent_lines import call_log
from rhumbline.app.log import configure_logging
from rhumbline.app.run import run
from rhumbline.app.sections import LogSettings
from rhumbline.domain.adapter import Adapter
from rhumbline.domain.clock import system_clock
from rhumbline.gateways.upstreams.guard.guard import GuardRules, UpstreamGuard
from rhumbline.gateways.upstreams.spec import AdapterContext, AdapterSpec
from rhumbline.gateways.upstreams.upstream import open_upstream
from rhumbline.routing.call_log import CallNotes
from rhumbline.routing.fan_out import Deadlines, gather_quotes
from rhumbline.routing.selection import Ask

WARM_S, MEASURED_S, TURNS = 3.0, 24.0, 4
CANCELLED = 10_000
SOFT_S, HARD_S = 0.2, 0.4
LEFT_ALONE_S = 0.1
CREDENTIALS = {"key": "k", "secret": "s", "passphrase": "p", "api_key": "a", "client_id": "c", "referer": "https://r/"}
_SPECS: Sequence[AdapterSpec[Any]] = (kyberswap.SPEC, nordstern.SPEC, okx.SPEC)
_LATE = re.compile(r"did not answer within ")


@dataclass
class Figures:
    """The measurements: times in seconds, one entry for every quote."""

    over: list[float] = field(default_factory=list)
    after_deadline: list[float] = field(default_factory=list)
    bare_over: list[float] = field(default_factory=list)
    timers_over: list[float] = field(default_factory=list)
    cancelled: int = 0
    stale: int = 0
    failed: int = 0
    sockets_left: int = 0


class QuoteAsker:
    """Asks the twelve one question after another."""

    def __init__(self, adapters: Sequence[Adapter[Any]], deadlines: Deadlines) -> None:
        """Begin with the first question. An operator who expects so many quotes at once allows as many calls."""
        self._adapters = adapters
        self._deadlines = deadlines
        self._notes = CallNotes(ServiceMetrics(), call_log())
        self._asked = 0
        self._seen: list[tuple[int, list[tuple[str, int]], list[str], float]] = []
        self.figures = Figures()
        self.measures = False

    async def quote(self) -> None:
        """Ask all adapters one question; record the result while measuring."""
        self._asked += 1
        question = request(self._asked)
        with structlog.contextvars.bound_contextvars(request_id=f"{self._asked:032x}"):
            began = time.perf_counter()
            found = await gather_quotes(
                [Ask(adapter, question) for adapter in self._adapters], self._notes, self._deadlines
            )
            taken = time.perf_counter() - began
        if self.measures:
            outputs = [(quote.adapter, quote.output_amount) for quote in found.quotes]
            self._seen.append((question.amount, outputs, [refusal.reason for refusal in found.refusals], taken))

    def settle(self) -> Figures:
        """Evaluate the results since the last call: separately, so that it takes no time of the requests."""
        for seen in self._seen:
            self._note(*seen)
        self._seen.clear()
        return self.figures

    def _note(self, amount: int, outputs: list[tuple[str, int]], reasons: list[str], taken: float) -> None:
        figures, needed = self.figures, sorted(latency_s(key, amount) for key in KEYS)
        late = [reason for reason in reasons if _LATE.match(reason)]
        figures.cancelled += len(late)
        figures.failed += len(reasons) - len(late)
        figures.stale += sum(reported != output(amount, key) for key, reported in outputs)
        figures.over.append(taken - needed[-1])
        # A good set is a half of all: until then, but not beyond the hard deadline, everybody is awaited.
        half = needed[len(KEYS) // 2 - 1]
        due = min(max(self._deadlines.soft_s, half), self._deadlines.hard_s, max(needed))
        figures.after_deadline.append(taken - due)

    def has_cancelled(self, calls: int) -> bool:
        """Tell whether so many calls were cancelled."""
        return self.settle().cancelled >= calls

    async def fan_out(self, bare: BareFanOut) -> None:
        """Have a bare session ask one question of all twelve."""
        self._asked += 1
        amount = request(self._asked).amount
        began = time.perf_counter()
        await bare.ask(amount)
        taken = time.perf_counter() - began
        if self.measures:
            self.figures.bare_over.append(taken - max(latency_s(key, amount) for key in KEYS))

    async def timers(self) -> None:
        """Await twelve timers instead: what the loop and the machine take for themselves."""
        self._asked += 1
        needed = [latency_s(key, self._asked) for key in KEYS]
        began = time.perf_counter()
        await asyncio.gather(*(asyncio.sleep(seconds) for seconds in needed))
        if self.measures:
            self.figures.timers_over.append(time.perf_counter() - began - max(needed))


@asynccontextmanager
async def twelve(port: int) -> AsyncIterator[tuple[Adapter[Any], ...]]:
    """Build the adapters, each with its own pool; none of them calls a node for a quote."""
    async with AsyncExitStack() as stack:
        adapters = []
        for key in KEYS:
            spec = next(each for each in _SPECS if each.key == key.rpartition("_")[0])
            secrets = {
                name: CREDENTIALS[name] for name in (*spec.needs, *spec.optional_credentials) if name in CREDENTIALS
            }
            http = await stack.enter_async_context(
                open_upstream(
                    key, f"http://127.0.0.1:{port}/{key}", headers=spec.headers(secrets),
                    timeout_s=spec.timeout_s, largest_bytes=spec.largest_bytes, connections=AT_ONCE,
                    guard=UpstreamGuard(key, GuardRules(failures=10**9, at_once=AT_ONCE)),
                )
            )  # fmt: skip
            parts = AdapterContext(key, http, spec.deployments, {}, {1: CHAIN}, system_clock, secrets)
            adapters.append(spec.make(parts))
        yield tuple(adapters)


async def _answers(asker: QuoteAsker, port: int) -> Figures:
    """Await all twelve each time, and the same answers without us, in turns."""
    await keep_asking(asker.quote, after(WARM_S))
    async with bare_fan_out(port) as bare:
        await keep_asking(partial(asker.fan_out, bare), after(WARM_S))
        asker.measures = True
        for _ in range(TURNS):
            await keep_asking(asker.quote, after(MEASURED_S / TURNS))
            asker.settle()
            await keep_asking(partial(asker.fan_out, bare), after(MEASURED_S / TURNS))
    return asker.figures


async def _deadlines(asker: QuoteAsker, port: int) -> Figures:
    """Ask until enough calls have been cancelled, with timers in between; then check what is left of the calls."""
    await keep_asking(asker.quote, after(WARM_S))
    asker.measures = True
    for turn in range(TURNS):
        await keep_asking(asker.timers, after(WARM_S))
        await keep_asking(asker.quote, partial(asker.has_cancelled, CANCELLED * (turn + 1) // TURNS))
    await asyncio.sleep(LEFT_ALONE_S)
    ours = _sockets_to(port)
    async with aiohttp.ClientSession() as session, session.get(f"http://127.0.0.1:{port}/cached") as response:
        cached = await response.json()
    # Idle connections are there for the next call; otherwise no call may be waiting, and no socket may be open.
    asker.figures.sockets_left = cached["waiting"] + max(ours - cached["idle"], 0)
    return asker.figures


def _sockets_to(port: int) -> int:
    """Count this process's sockets that lead to a port of this machine, whatever their state."""
    own = set()
    for each in Path("/proc/self/fd").iterdir():
        try:
            own.add(os.readlink(each))
        except FileNotFoundError:
            continue
    lines = [line.split() for line in Path("/proc/self/net/tcp").read_text().splitlines()[1:]]
    return sum(fields[2].endswith(f":{port:04X}") and f"socket:[{fields[9]}]" in own for fields in lines)


async def _measure(port: int, what: str) -> Figures:
    async with twelve(port) as adapters:
        if what == "answers":
            return await _answers(QuoteAsker(adapters, Deadlines()), port)
        return await _deadlines(QuoteAsker(adapters, Deadlines(SOFT_S, HARD_S)), port)


if __name__ == "__main__":
    configure_logging(LogSettings(format="json"))
    print(json.dumps(asdict(run(_measure(int(sys.argv[1]), sys.argv[2])))))
