from collections.abc import AsyncIterator

import pytest_asyncio

from rhumbline.adapters.openocean import SPEC
from rhumbline.devnet.sandbox import Sandbox
from rhumbline.devnet.upstreams.openocean.emulator import OpenOcean
from tests.adapters.exchanges.adapter_fixture import AdapterFixture, open_desk
from tests.adapters.openocean.stub_upstream import StubUpstream, open_shop


@pytest_asyncio.fixture
async def adapter_fixture(restored_sandbox: Sandbox) -> AsyncIterator[AdapterFixture]:
    async with open_desk(restored_sandbox, SPEC, OpenOcean) as opened:
        yield opened


@pytest_asyncio.fixture
async def stub_upstream(sandbox: Sandbox) -> AsyncIterator[StubUpstream]:
    async with open_shop(sandbox) as opened:
        yield opened
