from collections.abc import AsyncIterator

import pytest_asyncio

from rhumbline.adapters.gaszip import SPEC
from rhumbline.devnet.sandbox import Sandbox
from rhumbline.devnet.upstreams.gaszip.emulator import GasZip
from tests.adapters.bridging.adapter_fixture import AdapterFixture, open_desk
from tests.adapters.gaszip.stub_upstream import StubUpstream, open_shop


@pytest_asyncio.fixture
async def adapter_fixture(restored_sandbox: Sandbox) -> AsyncIterator[AdapterFixture]:
    async with open_desk(restored_sandbox, SPEC, GasZip) as opened:
        yield opened


@pytest_asyncio.fixture
async def stub_upstream() -> AsyncIterator[StubUpstream]:
    async with open_shop() as opened:
        yield opened
