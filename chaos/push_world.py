"""What the campaign of events works on: the sandbox with every upstream, a store, several processes."""

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

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
from tests.tracking.processes import free_ports

CACHE = Path(".rhumbline/cache")
COMMAND = Path(sys.executable).with_name("rhumbline")
INTEGRATOR = "acme"
PATIENCE_S = 120.0
_FEE_WALLET = 61
_OWN = """
[server]
port = {server}
[metrics]
port = {metrics}
[webhooks]
allow_private = true
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
        """Start it and wait until it answers, ready or not."""
        self.folder.mkdir(exist_ok=True)
        own = _OWN.format(server=self.ports[0], metrics=self.ports[1])
        (self.folder / "rhumbline.toml").write_text(self.settings + own)
        environment = {**os.environ, "RHUMBLINE_STORE__DSN": self.dsn}
        with (self.folder / "log").open("ab") as log:
            self.child = await asyncio.create_subprocess_exec(
                str(COMMAND), self.command, cwd=self.folder, env=environment, stderr=log, stdout=log
            )
        async with asyncio.timeout(PATIENCE_S):
            while True:
                if self.child.returncode is not None:
                    # Without a store it does not start; whoever watches over it tries again.
                    await asyncio.sleep(0.5)
                    return await self.start(session)
                with contextlib.suppress(aiohttp.ClientError):
                    async with session.get(f"http://127.0.0.1:{self.ports[1]}/health"):
                        return None
                await asyncio.sleep(0.1)

    async def end(self, number: int = signal.SIGTERM) -> None:
        if self.child is not None and self.child.returncode is None:
            self.child.send_signal(number)
            async with asyncio.timeout(PATIENCE_S):
                await self.child.wait()


@dataclass(frozen=True)
class PushWorld:
    """``described`` is the sandbox as its file describes it; ``key`` is the integrator's."""

    sandbox: Sandbox
    emulators: Mapping[str, Emulator]
    described: Mapping[str, Any]
    store: Path
    dsn: str = field(repr=False)
    key: str = field(repr=False)
    processes: tuple[ServiceProcess, ...]
    http: HttpClient
    session: aiohttp.ClientSession

    @property
    def url(self) -> str:
        return self.processes[0].url

    async def kill_service(self, number: int) -> None:
        """Kill a process as the kernel would, and start another one in its place."""
        process = self.processes[number]
        await process.end(signal.SIGKILL)
        await process.start(self.session)

    def kill_store(self) -> None:
        """Kill PostgreSQL's first process; who keeps the store starts it again, and it recovers."""
        number = (self.store / "pgdata" / "postmaster.pid").read_text().split()[0]
        os.kill(int(number), signal.SIGKILL)


@asynccontextmanager
async def running_push_world(folder: Path, workers: int = 2) -> AsyncIterator[PushWorld]:
    """Start all of it; the processes are ready when it yields."""
    async with AsyncExitStack() as stack:
        enter = stack.enter_async_context
        http, session = await enter(HttpClient()), await enter(aiohttp.ClientSession())
        sandbox = await enter(running_sandbox(SandboxConfig(CACHE)))
        emulators = await enter(running_emulators(await enter(running_world(sandbox)), emulated()))
        store = folder / "store"
        dsn = await enter(embedded_postgres(store))
        key = await _registered(dsn)
        ports = free_ports(2 * (workers + 1))
        wallet = sandbox_account(_FEE_WALLET).address
        settings = sandbox_settings(sandbox, store, f"http://127.0.0.1:{ports[0]}", wallet, emulators.values())
        processes = tuple(
            ServiceProcess(
                "worker" if number else "serve", folder / f"process-{number}", settings, dsn,
                (ports[2 * number], ports[2 * number + 1]),
            )
            for number in range(workers + 1)
        )  # fmt: skip
        for each in processes:
            stack.push_async_callback(each.end)
            await each.start(session)
        described = _described(sandbox)
        yield PushWorld(sandbox, emulators, described, store, dsn, key, processes, http, session)


async def _registered(dsn: str) -> str:
    engine = create_engine(dsn)
    try:
        await migrate(engine)
        accounts = Accounts(engine, system_clock)
        await accounts.ensure_integrator(INTEGRATOR, None, None)
        made, key = await accounts.create_key(INTEGRATOR, name="campaign")
        await accounts.set_limits(made.id, LARGEST_CUSTOM_LIMIT, LARGEST_CUSTOM_LIMIT)
        return key
    finally:
        await engine.dispose()


def _described(sandbox: Sandbox) -> Mapping[str, Any]:
    """Describe chains for wallets, as the sandbox's file does."""
    chains = {
        chain.key: {"id": chain.id, "key": chain.key, "type": chain.type.value, "rpc_url": chain.rpc_url}
        for chain in sandbox.chains
    }
    return {"chains": chains, "accounts": sandbox.accounts}
