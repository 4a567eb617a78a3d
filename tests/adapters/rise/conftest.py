from collections.abc import AsyncIterator

import pytest_asyncio

from rhumbline.adapters.rise import SPEC
from rhumbline.devnet.sandbox import Sandbox
from rhumbline.devnet.upstreams.rise.emulator import Rise
from rhumbline.devnet.upstreams.world import running_world
from tests.adapters.exchanges.svm.adapter_fixture import AdapterFixture, open_adapter
from tests.adapters.rise.stub_upstream import StubUpstream, open_stub
from tests.adapters.svm_fixture import Solana


@pytest_asyncio.fixture
async def solana(restored_sandbox: Sandbox) -> AsyncIterator[AdapterFixture]:
    async with running_world(restored_sandbox) as world, open_adapter(Solana(world), SPEC, Rise) as opened:
        yield opened


@pytest_asyncio.fixture
async def stub_upstream() -> AsyncIterator[StubUpstream]:
    async with open_stub() as opened:
        yield opened
