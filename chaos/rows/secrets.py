"""All secrets of the run are sought in answers, logs, traces and the store; foreign records look like none at all."""

import statistics
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from sqlalchemy import text

from chaos.bench import Bench
from chaos.questions import Reply, ask
from chaos.result import RowResult
from chaos.service_world import ServiceWorld
from rhumbline.gateways.postgres.engine import create_engine
from tests.app.leaks import Asker, Notebook, note_store, values

Page = tuple[str, str]
"""Where something was said, and what."""
SHORTEST = 8
"""A shorter credential of an emulator is a word that is everywhere."""
APART = 2.0
"""How many times as long a kind of answer takes if it can be told by time, in each part of the run."""
_PAIRS, _PARTS = 240, 3
_RECORDS = 12


@dataclass(frozen=True)
class Secret:
    """``kept_in`` is the place where it has to be; it may be nowhere else."""

    name: str
    value: str
    kept_in: str = ""

    @property
    def forms(self) -> tuple[str, str]:
        return self.value.lower(), self.value.encode().hex()


def leaks(pages: Iterable[Page], secrets: Sequence[Secret]) -> list[str]:
    """Say where which secret is told, without telling it again."""
    found = []
    for where, said in pages:
        lowered = said.lower()
        told = [each for each in secrets if where != each.kept_in and any(form in lowered for form in each.forms)]
        found += [f"{each.name} in {where}" for each in told]
    return found


def told_apart(foreign: Sequence[float], unknown: Sequence[float]) -> bool:
    """Return whether times of two kinds of answers, asked for in turn, differ so much that one can be told by it.

    What else a machine does slows both down alike, or one of them for a while, and so not in all parts of a run.
    """
    size = len(foreign) // _PARTS
    ratios = [
        statistics.median(foreign[part * size : (part + 1) * size])
        / statistics.median(unknown[part * size : (part + 1) * size])
        for part in range(_PARTS)
    ]
    return all(each > APART for each in ratios) or all(each < 1 / APART for each in ratios)


def faults_of(own: Reply, foreign: Reply, unknown: Reply, names: tuple[str, str]) -> list[str]:
    """Name how the answer for a foreign record differs from that for no record; ``names`` are those that were asked."""
    faults = [] if own.status == 200 else [f"its owner gets {own.status} for {names[0]}"]
    if foreign.status != unknown.status:
        faults.append(f"status {foreign.status} for a foreign record, {unknown.status} for none")
    if _without_name(foreign, names[0]) != _without_name(unknown, names[1]):
        faults.append(f"{foreign.body} for a foreign record, {unknown.body} for none")
    if foreign.headers.keys() != unknown.headers.keys():
        faults.append(f"headers differ: {sorted(foreign.headers.keys() ^ unknown.headers.keys())}")
    return faults


def _without_name(reply: Reply, name: str) -> str:
    """Return a body as text, without what was asked for and the time."""
    body = (
        {key: value for key, value in reply.body.items() if key != "timestamp"} if isinstance(reply.body, dict) else 0
    )
    return str(body or reply.body).replace(name, "ID")


async def run(bench: Bench) -> RowResult:
    world = await bench.service()
    wrong, asked = await _foreign(world, Random(bench.seed))
    notebook = Notebook(secrets=[])
    asker = Asker(world.url, world.session, notebook)
    good = await asker.operations(values(world.sandbox), world.key)
    shown = set().union(*[await asker.pages(start, {}) for start in ("/", "/portal", "/nowhere")])
    metrics = f"http://127.0.0.1:{world.processes[0].ports[1]}"
    await Asker(metrics, world.session, notebook).ask("/metrics")
    answers = len(notebook.pages)
    engine = create_engine(world.dsn)
    try:
        kept = await _kept(engine)
        tables = await note_store(engine, notebook)
    finally:
        await engine.dispose()
    bench.keep_logs(bench.folder / "service")
    bench.keep_logs(world.store)
    bench.keep_logs(world.redis.folder)
    traces = b"\n".join(world.collector.bodies).decode("latin-1")
    pages = [*notebook.pages, *bench.logs.items(), ("traces", traces)]
    secrets = [Secret(name, value) for name, value in world.secrets.items() if len(value) >= SHORTEST]
    wrong = [*leaks(pages, [*secrets, *kept]), *wrong]
    done = {
        "secrets sought": len(secrets) + len(kept),
        "of them heard by upstreams": _heard(world),
        "answers": answers,
        "tables": len(tables),
        "lines of logs": sum(log.count("\n") for log in bench.logs.values()),
        "spans of traces": len(world.collector.spans),
        "foreign records asked for": asked,
    }
    return RowResult(done, wrong=wrong, figures=f"{len(good)} operations and {len(shown)} pages asked for")


async def _kept(engine: Any) -> list[Secret]:
    """Return the secrets that the store has to keep, each with its table."""
    async with engine.connect() as connection:
        own = [bytes(row[0]).hex() for row in await connection.execute(text("SELECT secret FROM service_secrets"))]
    return [Secret("a key of the service", each, "table service_secrets") for each in own]


def _heard(world: ServiceWorld) -> int:
    """Count the credentials that upstreams were asked with: what nobody was told, nobody could give away."""
    heard = " ".join(str(each) for emulator in world.emulators.values() for each in emulator.requests[-200:])
    credentials = {each for emulator in world.emulators.values() for each in emulator.credentials().values()}
    return sum(each in heard for each in credentials)


async def _foreign(world: ServiceWorld, chance: Random) -> tuple[list[str], int]:
    """Ask for records of another integrator and for none, in turn; return what tells them apart, and how many."""
    engine = create_engine(world.dsn)
    try:
        async with engine.connect() as connection:
            query = text("SELECT transaction_id FROM transactions WHERE transaction_id IS NOT NULL LIMIT 200")
            identifiers = [str(row[0]) for row in await connection.execute(query)]
    finally:
        await engine.dispose()
    if not identifiers:
        return ["there are no records to ask for"], 0
    wrong: list[str] = []
    chosen = chance.sample(identifiers, min(_RECORDS, len(identifiers)))
    for name in chosen:
        other = "0x" + chance.randbytes(32).hex()
        for path in _PATHS:
            own = await ask(world, path(name), {})
            foreign, unknown = [await ask(world, path(each), {}, world.other_key) for each in (name, other)]
            wrong += faults_of(own, foreign, unknown, (name, other))
    times: Mapping[bool, list[float]] = {True: [], False: []}
    for number in range(_PAIRS):
        # Who is first changes, for the second one may find something warm.
        for is_foreign in (number % 2 == 0, number % 2 == 1):
            name = chance.choice(chosen) if is_foreign else "0x" + chance.randbytes(32).hex()
            began = time.perf_counter()
            await ask(world, _PATHS[0](name), {}, world.other_key)
            times[is_foreign].append(time.perf_counter() - began)
    if told_apart(times[True], times[False]):
        middle = [statistics.median(times[each]) * 1000 for each in (True, False)]
        wrong.append(f"a foreign record is told by time: {middle[0]:.2f} ms, {middle[1]:.2f} ms for none")
    return wrong, len(chosen)


_PATHS: Sequence[Callable[[str], str]] = (
    lambda name: f"/v1/transactions/{name}/status",
    lambda name: f"/v1/transactions/{name}",
)
