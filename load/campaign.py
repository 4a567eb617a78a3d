"""The steps of `make load`: what a quote costs, curves on 1, 2 and 4 processes, a steady run."""

import asyncio
import os
import statistics
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import aiohttp
from sqlalchemy.ext.asyncio import AsyncEngine

from load.generator import MIX, Generator, running_generator
from load.judge import Growth, Step, growth, is_beyond
from load.processes import cpu_s, named, usage
from load.world import Service, World, opened, record, register, running_chains, running_service, running_valkey, tail
from rhumbline.gateways.postgres.embedded import embedded_postgres
from rhumbline.tracking.store import add_records

RATES = (10, 20, 40, 60, 80, 120, 160, 240, 320, 480)
"""Requests a second that are asked for; a curve ends when two in a row were too many."""
RECORDS = 20_000
KINDS = ("quotes-evm", "quotes-solana", "quotes-across")
READS = ("prices", "tokens", "chains", "transactions", "record", "status")
COLD = 12
"""How many pairs of a kind are asked for after a start, one after the other."""
_SAMPLED_S = 5.0
_EVENT_S = 0.5
_IDLE_S = 10.0


@dataclass(frozen=True)
class Cost:
    """What a quote of a kind costs: the service's CPU, and the median time of an answer, both in ms."""

    kind: str
    warm: bool
    cpu_ms: float
    median_ms: float


@dataclass(frozen=True)
class Steady:
    """A run at one rate: its figures, and what grew in each serving process, by the process's place."""

    rate: float
    seconds: float
    step: Step
    grown: Sequence[Sequence[Growth]]
    samples: Sequence[Sequence[tuple[float, Mapping[str, float]]]]
    store: Growth
    errors: int
    broken: int
    events: int


@dataclass
class Campaign:
    """Everything but the service runs; ``say`` prints what is found as it is found."""

    world: World
    chains: Mapping[str, Any]
    engine: AsyncEngine
    say: Callable[[str], None]
    numbers: int = RECORDS
    idle: dict[int, list[dict[str, float]]] = field(default_factory=dict)

    @asynccontextmanager
    async def serving(self, processes: int, warm_s: float = 10.0) -> AsyncIterator[tuple[Service, Generator]]:
        """Run the service and the generator, and a little load before anything is measured."""
        async with running_service(self.world, processes) as service:
            self.idle[processes] = [usage(pid, service.peers).figures() for pid in service.pids]
            async with running_generator(self.world, service) as generator, self.events():
                await generator.ask(20, warm_s)
                yield service, generator

    @asynccontextmanager
    async def events(self) -> AsyncIterator[None]:
        """Have records come, so that streams have something to tell."""

        async def write() -> None:
            while True:
                self.numbers += 1
                async with self.engine.begin() as connection:
                    await add_records(connection, [record(self.numbers, datetime.now(UTC))])
                await asyncio.sleep(_EVENT_S)

        writing = asyncio.create_task(write())
        try:
            yield
        finally:
            writing.cancel()
            await asyncio.gather(writing, return_exceptions=True)

    async def curve(self, processes: int, seconds: float, rates: Sequence[float] = RATES) -> list[Step]:
        steps: list[Step] = []
        async with self.serving(processes) as (service, generator):
            for rate in rates:
                steps.append(await self.step(service, generator, rate, seconds))
                if is_beyond(steps):
                    break
        return steps

    async def step(
        self,
        service: Service,
        generator: Generator,
        rate: float,
        seconds: float,
        settle_s: float = 3.0,
        mix: Mapping[str, float] = MIX,
    ) -> Step:
        """Ask at one rate, and say what was answered."""
        step, _ = await self._step(service, generator, rate, seconds, settle_s, mix)
        times = " and ".join(f"{p50:.0f}/{p99:.0f}" for p50, p99 in (step.quotes_ms, step.reads_ms))
        self.say(
            f"{len(service.pids)} × {rate:>4.0f}/s: {step.good:6.1f} good, {step.refused:5.1f} refused, "
            f"{step.unanswered:.1f} unanswered, {step.failed:.1f} failed, quotes and reads {times} ms, cores "
            + ", ".join(f"{who} {used:.2f}" for who, used in step.cpu.items())
        )
        return step

    async def _step(
        self,
        service: Service,
        generator: Generator,
        rate: float,
        seconds: float,
        settle_s: float,
        mix: Mapping[str, float] = MIX,
    ) -> tuple[Step, Mapping[str, Any]]:
        await generator.begin(rate, seconds, settle_s, mix)
        await asyncio.sleep(settle_s)
        before, began = self._cpu(service, generator), time.monotonic()
        found = await generator.end(seconds)
        # The generator counts a little later than we do; as long at both ends.
        taken, after = time.monotonic() - began, self._cpu(service, generator)
        answers, lasted = found["answers"], found["seconds"]
        every, nothing = answers["all"], {"p50_ms": 0.0, "p99_ms": 0.0}
        quotes, reads = answers.get("quotes", nothing), answers.get("reads", nothing)
        step = Step(
            offered=rate,
            answered=every["count"] / lasted,
            good=every["good"] / lasted,
            refused=every["refused"] / lasted,
            unanswered=every["unanswered"] / lasted,
            failed=every["failed"] / lasted,
            late=every["late"] / lasted,
            quotes_ms=(quotes["p50_ms"], quotes["p99_ms"]),
            reads_ms=(reads["p50_ms"], reads["p99_ms"]),
            cpu={who: (after[who] - before[who]) / taken for who in after},
            faults=found["faults"],
        )
        return step, found

    def _cpu(self, service: Service, generator: Generator) -> dict[str, float]:
        chains, me = int(self.chains["pid"]), os.getpid()
        return {
            "service": cpu_s(service.pids),
            "store": cpu_s(named(me, "postgres")),
            "valkey": cpu_s(named(me, "valkey-server")),
            "upstreams": cpu_s([int(self.chains["replay"]), chains]),
            "nodes": cpu_s(named(chains, "anvil")),
            "generator": cpu_s([generator.process.pid]),
        }

    async def costs(self, seconds: float) -> list[Cost]:
        """Measure each kind of quote alone: right after a start, each pair once; then these pairs again and again.

        All that is not a quote is measured together, again and again only.
        """
        found: list[Cost] = []
        for kind in KINDS:
            async with running_service(self.world, 1) as service:
                found.append(await self._cold(service, kind))
                found.append(await self._warm(service, kind, {kind: 1}, 10, seconds))
        async with running_service(self.world, 1) as service:
            found.append(await self._warm(service, "reads", {kind: MIX[kind] for kind in READS}, 40, seconds))
        for cost in found:
            kept = "warm" if cost.warm else "cold"
            self.say(f"{cost.kind}, {kept}: {cost.cpu_ms:.2f} ms of CPU, {cost.median_ms:.0f} ms until the answer")
        return found

    async def _warm(self, service: Service, kind: str, mix: Mapping[str, float], rate: float, seconds: float) -> Cost:
        async with running_generator(self.world, service, streams=0) as generator:
            await generator.ask(rate, seconds / 2, mix=mix)
            step, _ = await self._step(service, generator, rate, seconds, 3.0, mix)
        median = step.reads_ms[0] if kind == "reads" else step.quotes_ms[0]
        return Cost(kind, True, 1000 * step.cpu["service"] / step.answered, median)

    async def _cold(self, service: Service, kind: str) -> Cost:
        pairs = {(each["originCurrency"], each["destinationCurrency"]): each for each in self.world.questions[kind]}
        taken, used = [], cpu_s(service.pids)
        headers = {"x-api-key": next(iter(self.world.keys))}
        async with aiohttp.ClientSession(service.url, headers=headers) as session:
            for question in list(pairs.values())[:COLD]:
                began = time.perf_counter()
                async with session.get("/v1/quotes", params=question) as response:
                    if response.status != 200:
                        raise SystemExit(f"load: no quote: {(await response.text())[:500]}")
                    await response.read()
                taken.append(1000 * (time.perf_counter() - began))
        used = cpu_s(service.pids) - used
        return Cost(kind, False, 1000 * used / len(taken), statistics.median(taken))

    async def steady(self, processes: int, rate: float, seconds: float) -> Steady:
        """Ask at one rate for a long time, and look at each process's memory, files and connections meanwhile."""
        async with self.serving(processes) as (service, generator):
            running = asyncio.create_task(self._step(service, generator, rate, seconds, 5.0))
            began = time.monotonic()
            samples: list[list[tuple[float, Mapping[str, float]]]] = [[] for _ in service.pids]
            store: list[tuple[float, Mapping[str, float]]] = []
            while not running.done():
                at = time.monotonic() - began
                for number, pid in enumerate(service.pids):
                    try:
                        samples[number].append((at, usage(pid, service.peers).figures()))
                    except OSError:
                        raise SystemExit(f"load: a serving process ended; its log:\n{tail(service.log)}") from None
                store.append((at, {"connections": float(len(named(os.getpid(), "postgres")))}))
                await asyncio.wait([running], timeout=min(_SAMPLED_S, seconds / 30))
            step, found = await running
            grown = [growth(each) for each in samples]
            (store_growth,) = growth(store)
            errors = service.errors()
        return Steady(
            rate, seconds, step, grown, samples, store_growth, errors, found["broken"], found["events"]
        )  # fmt: skip


@asynccontextmanager
async def campaign(folder: Path, say: Callable[[str], None], records: int = RECORDS) -> AsyncIterator[Campaign]:
    """Start all that the service needs."""
    async with AsyncExitStack() as stack:
        enter = stack.enter_async_context
        dsn = await enter(embedded_postgres(folder / "store"))
        chains = await enter(running_chains(folder))
        valkey = await enter(running_valkey(folder))
        ports = {
            **dict.fromkeys(chains["nodes"], "nodes"),
            **dict.fromkeys(chains["upstreams"], "upstreams"),
            valkey: "valkey",
        }
        settings = (folder / "settings.toml").read_text()
        world = World(folder, dsn, settings, chains["questions"], ports, f"redis://127.0.0.1:{valkey}/0")
        engine = await enter(opened(dsn))
        say(f"{records} records are written")
        await register(world, engine, records)
        yield Campaign(world, chains, engine, say, records)
