"""The whole service for chaos: the sandbox with every upstream, a store, Redis, several processes, their secrets."""

import asyncio
import contextlib
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any
from urllib.parse import parse_qs, urlsplit

import aiohttp

from rhumbline.accounts.rate_limits import LARGEST_CUSTOM_LIMIT
from rhumbline.accounts.service import Accounts
from rhumbline.app.running_devnet import emulated
from rhumbline.app.sandbox_settings import sandbox_settings
from rhumbline.devnet.evm.accounts import sandbox_account
from rhumbline.devnet.local_chains import running_sandbox
from rhumbline.devnet.sandbox import Sandbox, SandboxConfig
from rhumbline.devnet.upstreams.emulator import Emulator
from rhumbline.devnet.upstreams.server import running_emulators
from rhumbline.devnet.upstreams.world import running_world
from rhumbline.domain.clock import system_clock
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.postgres.embedded import embedded_postgres
from rhumbline.gateways.postgres.engine import create_engine
from rhumbline.gateways.postgres.schema_upgrade import migrate
from tests.otlp_receiver import Collector, collecting
from tests.outages.faulty import FaultyStore, faulty_store
from tests.redis_fixture import RedisServer
from tests.tracking.processes import free_ports

CACHE = Path(".rhumbline/cache")
COMMAND = Path(sys.executable).with_name("rhumbline")
INTEGRATOR = "acme"
PATIENCE_S = 240.0
_LOOK_AGAIN_S = 0.2
PLANTED: Mapping[str, str] = MappingProxyType(
    {name: f"{name}9Gt4Xk2" for name in ("redispassword", "dsnpassword", "nodekey", "collectorkey")}
    | {"signingkey": f"{'signingkey9Gt4Xk2' * 3:.42}A"}
)
"""Secrets of the settings that exist on no sandbox."""
_FEE_WALLET = 61
_REDIS_AWAY_S, _DISK_FULL_S = 2.0, 15.0
_FILLED_AT_ONCE, _FILL_AGAIN_S = 2**20, 0.2
_OWN = """
[server]
port = {server}
# What else the machine has to do is no overload of the service.
quotes_at_once = 1000
[metrics]
port = {metrics}
[webhooks]
allow_private = true
"""
_MORE = """
signing = {{ key = "{signing}" }}
tracing = {{ endpoint = "{endpoint}", share = 0.2, headers = {{ x-collector = "{key}" }} }}
"""


@dataclass
class ServiceProcess:
    """``serve`` or ``worker`` as a process of its own, which may be killed and is started again at the same ports."""

    command: str
    folder: Path
    settings: str
    dsn: str = field(repr=False)
    ports: tuple[int, int]
    child: asyncio.subprocess.Process | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.ports[0]}"

    async def start(self, session: aiohttp.ClientSession) -> None:
        """Start it and wait until it answers, ready or not; without a store it ends, and is started again."""
        self.folder.mkdir(exist_ok=True)
        own = _OWN.format(server=self.ports[0], metrics=self.ports[1])
        (self.folder / "rhumbline.toml").write_text(self.settings + own)
        self.child = None
        try:
            async with asyncio.timeout(PATIENCE_S):
                while not await self._answers(session):
                    if self.child is None or self.child.returncode is not None:
                        await self._spawn()
                    await asyncio.sleep(_LOOK_AGAIN_S)
        except TimeoutError:
            tail = (self.folder / "log").read_text("utf-8", "replace")[-1000:]
            raise RuntimeError(f"`rhumbline {self.command}` does not answer after {PATIENCE_S:.0f} s: {tail}") from None

    async def _spawn(self) -> None:
        environment = {**os.environ, "RHUMBLINE_STORE__DSN": self.dsn}
        with (self.folder / "log").open("ab") as log:
            self.child = await asyncio.create_subprocess_exec(
                str(COMMAND), self.command, cwd=self.folder, env=environment, stderr=log, stdout=log
            )

    async def _answers(self, session: aiohttp.ClientSession) -> bool:
        with contextlib.suppress(aiohttp.ClientError):
            async with session.get(f"http://127.0.0.1:{self.ports[1]}/health"):
                return True
        return False

    async def end(self, number: int = signal.SIGTERM) -> None:
        if self.child is not None and self.child.returncode is None:
            self.child.send_signal(number)
            async with asyncio.timeout(PATIENCE_S):
                await self.child.wait()


@dataclass(frozen=True)
class ServiceWorld:
    """``described`` is the sandbox as its file describes it; ``key`` is the integrator's, ``other_key`` another one's.

    ``store`` is a folder, ``dsn`` leads to its server; processes reach it through ``store_proxy``. ``collector`` has
    their traces. ``secrets`` are those of the settings, by name.
    """

    sandbox: Sandbox
    emulators: Mapping[str, Emulator]
    described: Mapping[str, Any]
    store: Path
    dsn: str = field(repr=False)
    key: str = field(repr=False)
    other_key: str = field(repr=False)
    processes: tuple[ServiceProcess, ...]
    http: HttpClient
    session: aiohttp.ClientSession
    store_proxy: FaultyStore
    redis: RedisServer
    collector: Collector
    secrets: Mapping[str, str] = field(repr=False)

    @property
    def url(self) -> str:
        return self.processes[0].url

    async def ready(self) -> tuple[int, dict[str, Any]]:
        """Ask the service whether it is ready: the status, and what it says."""
        async with self.session.get(f"{self.url}/health/ready") as answer:
            return answer.status, await answer.json()

    async def kill(self, thing: str, number: int) -> None:
        """Kill a worker (by its number), the service, the store or Redis as the kernel would, and have it start again.

        "disk" fills the store's file system for a while.
        """
        match thing:
            case "store":
                self.kill_store()
            case "redis":
                await self.kill_redis()
                await asyncio.sleep(_REDIS_AWAY_S)
                await self.redis.start()
            case "disk":
                await self.fill_disk(_DISK_FULL_S)
            case "service":
                await self.kill_service(0)
            case _:
                await self.kill_service(number)

    async def kill_service(self, number: int) -> None:
        """Kill a process as the kernel would, and start another one in its place."""
        process = self.processes[number]
        await process.end(signal.SIGKILL)
        await process.start(self.session)

    def kill_store(self) -> None:
        """Kill PostgreSQL's first process; who keeps the store starts it again, and it recovers."""
        number = (self.store / "pgdata" / "postmaster.pid").read_text().split()[0]
        os.kill(int(number), signal.SIGKILL)

    async def kill_redis(self) -> None:
        """Kill Redis, and with it all that it counts."""
        assert self.redis.child is not None
        os.kill(self.redis.child.pid, signal.SIGKILL)
        await self.redis.kill()

    async def fill_disk(self, seconds: float) -> None:
        """Have no byte left on the store's file system for so long."""
        filler = self.store.parent / "filler"
        try:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await _filled(filler)
        finally:
            filler.unlink()


@asynccontextmanager
async def running_service_world(
    folder: Path, workers: int = 2, disk: Path | None = None
) -> AsyncIterator[ServiceWorld]:
    """Start all of it; the processes are ready when it yields. The store lies in ``disk``, if there is one."""
    async with AsyncExitStack() as stack:
        enter = stack.enter_async_context
        http, session = await enter(HttpClient()), await enter(aiohttp.ClientSession())
        sandbox = await enter(running_sandbox(SandboxConfig(CACHE)))
        emulators = await enter(running_emulators(await enter(running_world(sandbox)), emulated()))
        store = (disk or folder) / "store"
        dsn = await enter(embedded_postgres(store))
        key, other_key = await _registered(dsn)
        # A Unix socket's path has at most 107 bytes.
        sockets = Path(tempfile.mkdtemp(prefix="rl-chaos-"))
        stack.callback(shutil.rmtree, sockets)
        proxy, through = await _proxied(stack, dsn, sockets)
        redis = RedisServer(sockets, password=PLANTED["redispassword"])
        stack.push_async_callback(redis.kill)
        await redis.start()
        ports = free_ports(2 * (workers + 1))
        wallet = sandbox_account(_FEE_WALLET).address
        collector = await enter(collecting())
        settings = _settings(
            sandbox,
            sandbox_settings(sandbox, store, f"http://127.0.0.1:{ports[0]}", wallet, emulators.values()),
            redis,
            collector.url,
        )
        processes = tuple(
            ServiceProcess(
                "worker" if number else "serve", folder / f"process-{number}", settings, through,
                (ports[2 * number], ports[2 * number + 1]),
            )
            for number in range(workers + 1)
        )  # fmt: skip
        for each in processes:
            stack.push_async_callback(each.end)
        await asyncio.gather(*(each.start(session) for each in processes))
        credentials = {
            f"{name}.{credential}": value
            for name, emulator in emulators.items()
            for credential, value in emulator.credentials().items()
        }
        yield ServiceWorld(
            sandbox, emulators, _described(sandbox), store, dsn, key, other_key, processes, http, session, proxy, redis,
            collector, {**PLANTED, **credentials, "key": key, "other key": other_key},
        )  # fmt: skip


async def _filled(file: Path) -> None:
    """Have a file take all the room that there is, and what is given back later, until cancelled."""
    with file.open("ab", buffering=0) as filler:
        while True:
            with contextlib.suppress(OSError):
                filler.write(bytes(_FILLED_AT_ONCE))
                await asyncio.sleep(0)
                continue
            await asyncio.sleep(_FILL_AGAIN_S)


async def _proxied(stack: AsyncExitStack, dsn: str, sockets: Path) -> tuple[FaultyStore, str]:
    """Put a socket that fails on demand before the store's; return it with the DSN that leads through it."""
    parts = parse_qs(urlsplit(dsn).query)
    server = Path(parts["host"][0])
    proxy = await stack.enter_async_context(faulty_store(sockets, server / f".s.PGSQL.{parts['port'][0]}"))
    through = dsn.replace(str(server), str(sockets)).replace("@/", f":{PLANTED['dsnpassword']}@/", 1)
    return proxy, through


def _settings(sandbox: Sandbox, plain: str, redis: RedisServer, collector: str) -> str:
    """Give the sandbox's settings keys of nodes and of answers, Redis, a collector of traces, a log for programs."""
    text = plain.replace("[limits]\n", f'[limits]\nredis_url = "{redis.url}"\n', 1)
    for chain in sandbox.chains:
        text = text.replace(f'rpc = "{chain.rpc_url}"', f'rpc = "{chain.rpc_url}/?key={PLANTED["nodekey"]}"')
    text = text.replace('level = "warning"', 'level = "info"\nformat = "json"', 1)
    return _MORE.format(signing=PLANTED["signingkey"], endpoint=collector, key=PLANTED["collectorkey"]) + text


async def _registered(dsn: str) -> tuple[str, str]:
    """Make two integrators with a key each, which no test of ours exhausts."""
    engine = create_engine(dsn)
    try:
        await migrate(engine)
        accounts, keys = Accounts(engine, system_clock), []
        for name in (INTEGRATOR, "foreign"):
            await accounts.ensure_integrator(name, None, None)
            made, key = await accounts.create_key(name, name="campaign")
            await accounts.set_limits(made.id, LARGEST_CUSTOM_LIMIT, LARGEST_CUSTOM_LIMIT)
            keys.append(key)
        return keys[0], keys[1]
    finally:
        await engine.dispose()


def _described(sandbox: Sandbox) -> Mapping[str, Any]:
    """Describe chains for wallets, as the sandbox's file does."""
    chains = {
        chain.key: {"id": chain.id, "key": chain.key, "type": chain.type.value, "rpc_url": chain.rpc_url}
        for chain in sandbox.chains
    }
    return {"chains": chains, "accounts": sandbox.accounts}
