"""What a whole quote of twelve adapters costs, in CPU time of the service's process, user and system.

From the HTTP query to the encoded answer: twelve calls over HTTP, their answers read and checked, ranking, the best
three built and simulated on the sandbox's node, the log, metrics, garbage. The adapters are real ones, three of each of
four kinds that make one call for a quote; what they are answered is what the sandbox's emulators answer, so that it
executes. It is compared with `bench.quotes_bare`, which makes the same twelve calls, parses their JSON and does nothing
else, in turns on the same core, both fifty at once with answers that come one by one. Upstreams, node and load are
other processes, and not counted; TLS is not there.
"""

import asyncio
import statistics
import sys
import tempfile
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path

import aiohttp

from bench.http_load import Server, cpu_s, pinned
from bench.http_peers import server_with_port
from bench.quotes_load import after, keep_asking
from bench.quotes_service import COPIES, KINDS, quoting_service
from bench.rows import Row
from bench.tools import CACHE
from rhumbline.app.sandbox_settings import SERVICE_SHARE, sandbox_settings
from rhumbline.devnet.evm.accounts import sandbox_account
from rhumbline.devnet.local_chains import running_sandbox
from rhumbline.devnet.sandbox import Sandbox, SandboxConfig
from rhumbline.devnet.upstreams import EMULATORS
from rhumbline.devnet.upstreams.emulator import Emulator
from rhumbline.devnet.upstreams.server import running_emulators
from rhumbline.devnet.upstreams.world import World, running_world
from rhumbline.domain.chain import ChainType

MOST = 3
TURNS, TURN_S, WARM_S = 5, 5.0, 4.0
AMOUNTS = [10**9 + 1000 * number for number in range(8)]
"""In raw units of USDC: each is learned from the emulators once."""
_NETS = [amount - amount // 1000 for amount in AMOUNTS]
_LONGEST_S = 300
assert SERVICE_SHARE == "0.001"


@dataclass(frozen=True)
class Scene:
    """The service with its twelve upstreams and its client; ``port`` is the upstreams', ``log`` the service's."""

    caller: "ApiClient"
    service: Server
    port: int
    log: Path


async def run() -> list[Row]:
    """Take turns, divide the CPU time by the quotes, compare medians."""
    async with AsyncExitStack() as stack:
        scene = await stack.enter_async_context(quoted())
        async with asyncio.timeout(_LONGEST_S):
            return [await _race(stack, scene.caller, scene.service, scene.port, scene.log)]


@asynccontextmanager
async def quoted() -> AsyncIterator[Scene]:
    """Start everything that quotes take."""
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=CACHE)))
        sandbox = await stack.enter_async_context(running_sandbox(SandboxConfig(cache=CACHE.parent)))
        world = await stack.enter_async_context(running_world(sandbox))
        kinds = [each for each in EMULATORS if each.key in {spec.key for spec in KINDS}]
        emulators = await stack.enter_async_context(running_emulators(world, kinds))
        port = await stack.enter_async_context(_replay(folder, emulators))
        settings = _settings(folder, sandbox, world, kinds, port)
        service = await stack.enter_async_context(quoting_service(settings))
        session = await stack.enter_async_context(aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)))
        yield Scene(ApiClient(session, service.url, sandbox), service, port, settings.with_suffix(".log"))


class ApiClient:
    """Asks the service for quotes of USDC in WETH."""

    def __init__(self, session: aiohttp.ClientSession, url: str, sandbox: Sandbox) -> None:
        """Ask for a funded wallet on the first chain."""
        chain = sandbox.evm_chains[0]
        self._session, self._url, self._amount = session, f"{url}/v1/quotes", cycle(AMOUNTS)
        self._query = {
            "senderAddress": next(each for each in sandbox.accounts if each.type is ChainType.EVM).address,
            "originChainId": str(chain.id),
            "destinationChainId": str(chain.id),
            "originCurrency": chain.tokens["USDC"].address,
            "destinationCurrency": chain.tokens["WETH"].address,
        }

    async def ask(self) -> None:
        """Have one quote, which must be one."""
        status, body = await self.answer()
        if status != 200 or b'"calldata"' not in body:
            raise SystemExit(f"this is no quote to measure: {status} {body[:1000]!r}")

    async def answer(self) -> tuple[int, bytes]:
        """Return the status and the body of what a quote is answered."""
        query = {**self._query, "amount": str(next(self._amount))}
        async with self._session.get(self._url, params=query) as response:
            return response.status, await response.read()


async def _race(stack: AsyncExitStack, caller: ApiClient, service: Server, port: int, log: Path) -> Row:
    for _ in AMOUNTS:
        await caller.ask()
    await keep_asking(caller.ask, after(WARM_S))
    bare = await stack.enter_async_context(_bare(port))
    await _bare_turn(bare, WARM_S)
    ours, theirs, count = [], [], 0
    lines = log.read_bytes().count(_BUILT)
    for _ in range(TURNS):
        before = cpu_s(service.pid)
        quotes = await keep_asking(caller.ask, after(TURN_S))
        ours.append(1000 * (cpu_s(service.pid) - before) / quotes)
        count += quotes
        before = cpu_s(bare.pid)
        quotes = await _bare_turn(bare, TURN_S)
        theirs.append(1000 * (cpu_s(bare.pid) - before) / quotes)
    built = (log.read_bytes().count(_BUILT) - lines) / count
    own, other = statistics.median(ours), statistics.median(theirs)
    value = f"{own / other:.2f}× ({own:.2f} ms, {other:.2f} ms; {built:.1f} built)"
    return Row(name="quote-cpu", value=value, goal=f"≤ {MOST}× a bare session", met=own <= MOST * other)


_BUILT = b'"call":"build"'


@asynccontextmanager
async def _replay(folder: Path, emulators: Mapping[str, Emulator]) -> AsyncIterator[int]:
    argv = [sys.executable, "-m", "bench.quotes_replay", *(f"{key}={each.url}" for key, each in emulators.items())]
    async with server_with_port("upstreams", list(argv), folder / "upstreams.log") as server:
        yield int(server.url.rpartition(":")[2])


@asynccontextmanager
async def _bare(port: int) -> AsyncIterator[asyncio.subprocess.Process]:
    process = await asyncio.create_subprocess_exec(
        *pinned(-1, sys.executable, "-m", "bench.quotes_bare", str(port), ",".join(map(str, _NETS))),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def _bare_turn(bare: asyncio.subprocess.Process, seconds: float) -> int:
    assert bare.stdin is not None
    assert bare.stdout is not None
    bare.stdin.write(f"{seconds}\n".encode())
    return int(await bare.stdout.readline())


def _settings(folder: Path, sandbox: Sandbox, world: World, kinds: list[type[Emulator]], port: int) -> Path:
    """Write the settings of a service that uses only the twelve."""
    copies = []
    for kind in kinds:
        for copy in COPIES:
            each: Emulator = type(kind.__name__, (kind,), {"key": f"{kind.key}_{copy}"})(world)
            each.url = f"http://127.0.0.1:{port}/{each.key}"
            copies.append(each)
    wallet = sandbox_account(61).address
    file = folder / "service.toml"
    text = sandbox_settings(sandbox, folder / "store", "http://127.0.0.1:8700", wallet, copies)
    file.write_text(text.replace("[adapters.onchain]", "[adapters.onchain]\nenabled = false"))
    return file
