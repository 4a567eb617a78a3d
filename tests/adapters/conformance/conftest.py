"""A adapter_fixture for the case that a test is about; its emulator behaves well again afterwards.

These tests have chains of their own, for they spend what others count on. The chains are not set back: deposits would
get the numbers of others that a solver is still dealing with.
"""

from collections.abc import AsyncIterator, Iterator, Mapping

import pytest

from rhumbline.devnet.local_chains import running_sandbox
from rhumbline.devnet.sandbox import Sandbox, SandboxConfig
from rhumbline.devnet.upstreams.emulator import Emulator
from rhumbline.devnet.upstreams.server import running_emulators
from rhumbline.devnet.upstreams.world import running_world
from tests.adapters.conformance.adapter_fixture import AdapterFixture, open_adapter
from tests.adapters.conformance.cases import CASES, EMULATORS
from tests.sandbox_fixture import CACHE, LoopThread


@pytest.fixture(scope="package")
def sandbox(sandbox_loop: LoopThread) -> Iterator[Sandbox]:
    with sandbox_loop.entered(running_sandbox(SandboxConfig(cache=CACHE))) as running:
        yield running


@pytest.fixture(scope="package")
def emulators(sandbox: Sandbox, sandbox_loop: LoopThread) -> Iterator[Mapping[str, Emulator]]:
    with (
        sandbox_loop.entered(running_world(sandbox)) as world,
        sandbox_loop.entered(running_emulators(world, EMULATORS)) as running,
    ):
        yield running


@pytest.fixture
async def adapter_fixture(
    key: str, sandbox: Sandbox, emulators: Mapping[str, Emulator]
) -> AsyncIterator[AdapterFixture]:
    case = CASES[key]
    emulator = emulators[case.emulator.key]
    emulator.reset()
    try:
        async with open_adapter(sandbox, emulator, case) as opened:
            yield opened
    finally:
        emulator.reset()
