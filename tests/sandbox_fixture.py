"""Fixtures for tests that need the local chains: `tests/conftest.py` names this module in `pytest_plugins`.

One sandbox a test process (so one a worker under pytest-xdist), started from the snapshot that all share. It runs on a
thread of its own: tests may use whatever event loop they like, and need the description only. The emulators answer from
that thread too; what is awaited of `world` goes through `sandbox_loop.run`.
"""

import asyncio
import inspect
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from datetime import UTC, datetime
from functools import wraps
from pathlib import Path
from threading import Thread
from typing import TypeVar

import pytest

from rhumbline.devnet.evm.nodes import go_back
from rhumbline.devnet.local_chains import running_sandbox
from rhumbline.devnet.sandbox import Sandbox, SandboxConfig
from rhumbline.devnet.svm.slots import SLOT_MS
from rhumbline.devnet.upstreams import EMULATORS, PRICE_EMULATORS, SIMULATION_EMULATORS
from rhumbline.devnet.upstreams.defillama import DefiLlama
from rhumbline.devnet.upstreams.emulator import Emulator
from rhumbline.devnet.upstreams.server import running_emulators
from rhumbline.devnet.upstreams.tenderly import Tenderly
from rhumbline.devnet.upstreams.world import World, running_world
from rhumbline.domain.chain import ChainType
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.nodes.evm.rpc import EvmRpc
from rhumbline.gateways.nodes.svm.rpc import SvmRpc

CACHE = Path(__file__).parents[1] / ".rhumbline" / "cache"

T = TypeVar("T")


class LoopThread:
    """An event loop on a thread of its own, so that a fixture's coroutines run beside whatever loop a test has."""

    def __init__(self) -> None:
        self._runner = asyncio.Runner()
        self._loop = self._runner.get_loop()
        self._thread = Thread(target=self._loop.run_forever)
        self._thread.start()

    def run(self, work: Coroutine[object, object, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    @contextmanager
    def entered(self, context: AbstractAsyncContextManager[T]) -> Iterator[T]:
        async def enter() -> T:
            return await context.__aenter__()

        async def leave() -> None:
            await context.__aexit__(None, None, None)

        entered = self.run(enter())
        try:
            yield entered
        finally:
            self.run(leave())

    def close(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._runner.close()


def on_sandbox_loop(test: Callable[..., Coroutine[object, object, None]]) -> Callable[..., None]:
    """Run a test on the loop of the sandbox, where it may await what `world` and the emulators offer."""

    @wraps(test)
    def run(sandbox_loop: LoopThread, **fixtures: object) -> None:
        sandbox_loop.run(test(**fixtures))

    loop = inspect.Parameter("sandbox_loop", inspect.Parameter.KEYWORD_ONLY)
    asked = inspect.signature(test)
    vars(run)["__signature__"] = asked.replace(parameters=[*asked.parameters.values(), loop])
    return run


@pytest.fixture(scope="session")
def sandbox_loop() -> Iterator[LoopThread]:
    loop = LoopThread()
    yield loop
    loop.close()


@pytest.fixture(scope="session")
def sandbox(sandbox_loop: LoopThread) -> Iterator[Sandbox]:
    """Both chains, running. A test that changes a chain leaves the change behind: see `restored_sandbox`."""
    with sandbox_loop.entered(running_sandbox(SandboxConfig(cache=CACHE))) as running:
        yield running


@pytest.fixture(scope="session")
def world(sandbox: Sandbox, sandbox_loop: LoopThread) -> Iterator[World]:
    """What emulators stand on. Its coroutines run by `sandbox_loop.run`."""
    with sandbox_loop.entered(running_world(sandbox)) as running:
        yield running


@pytest.fixture(scope="module")
def emulators(world: World, sandbox_loop: LoopThread) -> Iterator[Mapping[str, Emulator]]:
    """All registered emulators, running, by key. Who changes a `behaviour` calls `reset` afterwards."""
    with sandbox_loop.entered(running_emulators(world, EMULATORS)) as running:
        yield running


@pytest.fixture(scope="session")
def running_defillama(world: World, sandbox_loop: LoopThread) -> Iterator[DefiLlama]:
    with sandbox_loop.entered(running_emulators(world, PRICE_EMULATORS)) as running:
        emulator = running[DefiLlama.key]
        assert isinstance(emulator, DefiLlama)
        yield emulator


@pytest.fixture(scope="session")
def running_tenderly(world: World, sandbox_loop: LoopThread) -> Iterator[Tenderly]:
    with sandbox_loop.entered(running_emulators(world, SIMULATION_EMULATORS)) as running:
        emulator = running[Tenderly.key]
        assert isinstance(emulator, Tenderly)
        yield emulator


@pytest.fixture
def tenderly(running_tenderly: Tenderly) -> Iterator[Tenderly]:
    """Second simulations, well behaved again afterwards."""
    yield running_tenderly
    running_tenderly.reset()


@pytest.fixture
def defillama(running_defillama: DefiLlama) -> Iterator[DefiLlama]:
    """The source of reference prices, well behaved again afterwards."""
    yield running_defillama
    running_defillama.reset()


@asynccontextmanager
async def restoring(sandbox: Sandbox) -> AsyncIterator[None]:
    """Put the chains back afterwards, and on with a block of the present: going back takes their clocks along."""
    async with HttpClient() as http:
        nodes = [EvmRpc(chain.rpc_url, http, chain.key, 60.0) for chain in sandbox.evm_chains]
        marks = [await node.call("evm_snapshot", []) for node in nodes]
        solana = [
            SvmRpc(chain.rpc_url, http, chain.key, 60.0) for chain in sandbox.chains if chain.type is ChainType.SVM
        ]
        marks_there = [await node.call("sandbox_snapshot") for node in solana]
        yield
        for node, mark in zip(nodes, marks, strict=True):
            await go_back(node, mark)
            await node.call("evm_setTime", [int(datetime.now(UTC).timestamp())])
            await node.call("anvil_mine", ["0x1"])
        for rpc, mark in zip(solana, marks_there, strict=True):
            await rpc.call("sandbox_restore", [mark])
            behind = int(datetime.now(UTC).timestamp()) - await _block_time(rpc)
            await rpc.call("sandbox_advanceSlots", [max(1, behind * 1000 // SLOT_MS)])


async def _block_time(rpc: SvmRpc) -> int:
    seconds = await rpc.call("getBlockTime", [await rpc.slot()])
    assert isinstance(seconds, int)
    return seconds


@pytest.fixture
def restored_sandbox(sandbox: Sandbox, sandbox_loop: LoopThread) -> Iterator[Sandbox]:
    """The sandbox, whose chains are put back afterwards to where they were before the test."""
    with sandbox_loop.entered(restoring(sandbox)):
        yield sandbox
