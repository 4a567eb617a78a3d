"""Fixtures for tests that need the local chains: `tests/conftest.py` names this module in `pytest_plugins`.

One sandbox a test process (so one a worker under pytest-xdist), started from the snapshot that all share. It runs on a
thread of its own: tests may use whatever event loop they like, and need the description only.
"""

import asyncio
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

import aiohttp
import pytest

from rhumbline.devnet.sandbox import Sandbox, SandboxConfig, running_sandbox
from rhumbline.gateways.evm.rpc import EvmRpc

CACHE = Path(__file__).parents[1] / ".rhumbline" / "cache"

T = TypeVar("T")


class LoopThread:
    """An event loop on a thread of its own, so that a fixture's coroutines run beside whatever loop a test has."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(max_workers=1)
        self._runner = asyncio.Runner()

    def run(self, work: Coroutine[object, object, T]) -> T:
        return self._thread.submit(self._runner.run, work).result()

    def close(self) -> None:
        self._thread.submit(self._runner.close).result()
        self._thread.shutdown()


@pytest.fixture(scope="session")
def sandbox_loop() -> Iterator[LoopThread]:
    loop = LoopThread()
    yield loop
    loop.close()


@pytest.fixture(scope="session")
def sandbox(sandbox_loop: LoopThread) -> Iterator[Sandbox]:
    """Both chains, running. A test that changes a chain leaves the change behind: see `restored_sandbox`."""
    running = running_sandbox(SandboxConfig(cache=CACHE))

    async def start() -> Sandbox:
        return await running.__aenter__()

    async def stop() -> None:
        await running.__aexit__(None, None, None)

    yield sandbox_loop.run(start())
    sandbox_loop.run(stop())


async def _on_each(sandbox: Sandbox, method: str, params: list[list[object]]) -> list[object]:
    async with aiohttp.ClientSession() as session:
        return [
            await EvmRpc(chain.rpc_url, session, chain.key).call(method, each)
            for chain, each in zip(sandbox.chains, params, strict=True)
        ]


@pytest.fixture
def restored_sandbox(sandbox: Sandbox, sandbox_loop: LoopThread) -> Iterator[Sandbox]:
    """The sandbox, whose chains are put back afterwards to where they were before the test."""
    marks = sandbox_loop.run(_on_each(sandbox, "evm_snapshot", [[] for _ in sandbox.chains]))
    yield sandbox
    sandbox_loop.run(_on_each(sandbox, "evm_revert", [[mark] for mark in marks]))
