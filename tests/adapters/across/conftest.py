from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from rhumbline.devnet.sandbox import Sandbox
from rhumbline.devnet.upstreams.across.emulator import Across
from rhumbline.devnet.upstreams.server import running_emulators
from rhumbline.devnet.upstreams.world import World
from tests.adapters.across.bridge_fixture import BridgeFixture, open_bridge
from tests.adapters.across.stub_upstream import open_stub
from tests.adapters.adapter_fixture import stub_upstream_of
from tests.sandbox_fixture import LoopThread

stub_upstream = stub_upstream_of(open_stub)


@pytest.fixture(scope="session")
def pool_on_solana(world: World, sandbox_loop: LoopThread) -> None:
    """Across's pool, made before a test marks the chains: it is there afterwards, and no test waits for its slot."""
    with sandbox_loop.entered(running_emulators(world, [Across])):
        pass


@pytest_asyncio.fixture
async def bridge_fixture(pool_on_solana: None, restored_sandbox: Sandbox) -> AsyncIterator[BridgeFixture]:
    """Both chains, put back afterwards."""
    async with open_bridge(restored_sandbox) as opened:
        yield opened
