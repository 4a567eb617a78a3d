"""From the commit of a record to each reader of its stream, with a thousand readers; and what an idle one costs.

The service is `rhumbline serve` on a store of its own. Ten integrators have a hundred readers each, in another process.
A record is committed every 50 ms, for one integrator after the other: the time counts from the answer to the commit.
"""

import asyncio
import json
import os
import re
import statistics
import sys
import tempfile
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy.ext.asyncio import AsyncEngine

from bench.commands import COMMAND, ROOT
from bench.rows import Row
from rhumbline.accounts.service import Accounts
from rhumbline.domain.clock import system_clock
from rhumbline.domain.tracking import RecordAmount, RouteType, StatusSource, TransactionRecord, TransferState
from rhumbline.gateways.postgres.embedded import embedded_postgres
from rhumbline.gateways.postgres.engine import create_engine
from rhumbline.gateways.postgres.schema_upgrade import migrate
from rhumbline.tracking.store import add_records

INTEGRATORS, READERS, RECORDS = 10, 100, 200
MOST_S = 0.05
_EVERY_S = 0.05
_PAGE = os.sysconf("SC_PAGE_SIZE")


async def run() -> list[Row]:
    """Start the service, then the readers, then commit."""
    with tempfile.TemporaryDirectory(dir=ROOT / ".rhumbline") as name:
        folder = Path(name)
        async with embedded_postgres(folder / "store") as dsn:
            engine = create_engine(dsn)
            try:
                await migrate(engine)
                return await _measured(folder, dsn, engine)
            finally:
                await engine.dispose()


async def _measured(folder: Path, dsn: str, engine: AsyncEngine) -> list[Row]:
    accounts, keys = Accounts(engine, system_clock), []
    for number in range(INTEGRATORS):
        await accounts.create_integrator(f"bench{number}", None, None)
        keys.append((await accounts.create_key(f"bench{number}"))[1])
    settings = folder / "push.toml"
    settings.write_text(
        f'[store]\ndsn = "{dsn}"\n[server]\nport = 0\nconnections_per_address = 4000\n'
        '[tracking]\nenabled = false\n[log]\nformat = "json"\nlevel = "warning"\n'
        "[limits]\nauthenticated_requests = 100000\n"
    )
    service = await _Service.start(settings)
    try:
        async with asyncio.timeout(300):
            return await _rows(service, engine, keys)
    finally:
        service.process.terminate()
        await service.process.wait()


@dataclass(frozen=True)
class _Service:
    process: asyncio.subprocess.Process
    url: str

    @classmethod
    async def start(cls, settings: Path) -> "_Service":
        process = await asyncio.create_subprocess_exec(
            sys.executable, COMMAND, "serve", "--config", str(settings), stderr=asyncio.subprocess.PIPE,
            env={**os.environ, "RHUMBLINE_LOG__LEVEL": "info"},
        )  # fmt: skip
        assert process.stderr is not None
        while line := await process.stderr.readline():
            if found := re.search(rb'"url": ?"(http://[^"]+)"', line):
                return cls(process, found[1].decode())
        raise SystemExit("bench: rhumbline serve ended before it was ready")

    def cpu_s(self) -> float:
        fields = Path("/proc", str(self.process.pid), "stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def resident(self) -> int:
        return int(Path("/proc", str(self.process.pid), "statm").read_text().split()[1]) * _PAGE


async def _rows(service: _Service, engine: AsyncEngine, keys: list[str]) -> list[Row]:
    drained = asyncio.create_task(service.process.stderr.read() if service.process.stderr else asyncio.sleep(0))
    before = service.resident()
    readers = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bench.push_readers", service.url, *(key for key in keys for _ in range(READERS)),
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, cwd=ROOT, limit=2**26,
    )  # fmt: skip
    assert readers.stdin is not None
    assert readers.stdout is not None
    assert await readers.stdout.readline() == b"ready\n"
    await asyncio.sleep(2)
    each = (service.resident() - before) / (INTEGRATORS * READERS)
    committed, used_s = {}, service.cpu_s()
    for number in range(RECORDS):
        async with engine.begin() as connection:
            await add_records(connection, [_record(number)])
        committed[2 * number + 1] = time.monotonic_ns()
        await asyncio.sleep(_EVERY_S)
    await asyncio.sleep(10)
    used_us = 1e6 * (service.cpu_s() - used_s) / (RECORDS * READERS)
    readers.stdin.write(b"\n")
    times = json.loads(await readers.stdout.readline())
    await readers.wait()
    drained.cancel()
    late = [at - begun for number, begun in committed.items() for at in times[str(number)]]
    assert len(late) == RECORDS * READERS, f"{len(late)} of {RECORDS * READERS} arrived"
    p50, p99 = statistics.median(late) / 1e9, statistics.quantiles(late, n=100)[98] / 1e9
    value = f"{1000 * p50:.1f} ms p50, {1000 * p99:.1f} ms p99 (CPU {used_us:.0f} µs a reader and record)"
    return [
        Row(name="push-latency", value=value, goal=f"≤ {1000 * MOST_S:.0f} ms p99, 1,000 readers", met=p99 <= MOST_S),
        Row(name="push-memory", value=f"{each / 1024:.0f} KiB", goal="≤ 128 KiB an idle reader", met=each <= 2**17),
    ]


def _record(number: int) -> TransactionRecord:
    now, mark = datetime.now(UTC), f"{number:064x}"
    return TransactionRecord(
        id=f"bench{number}",
        transaction_id="0x" + mark,
        origin_chain_id=1,
        origin_tx_hash="0x" + mark,
        origin_log_index=0,
        origin_block_number=number,
        origin_block_hash="0x" + mark,
        origin_time=now,
        sender="0x" + "11" * 20,
        integrator=f"bench{number % INTEGRATORS}",
        protocol="GENERIC_SWAP",
        route_type=RouteType.SWAP,
        input=RecordAmount("0x" + "22" * 20, 10**18, "ETH", 18),
        output=RecordAmount("0x" + "33" * 20, 10**9, "USDC", 6),
        status=TransferState.SUCCESS,
        status_source=StatusSource.ANALYTICS,
        created_at=now,
        updated_at=now,
    )
