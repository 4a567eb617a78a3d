from collections.abc import AsyncIterator

import pytest_asyncio

from rhumbline.adapters.nordstern import SPEC
from rhumbline.devnet.sandbox import Sandbox
from rhumbline.devnet.upstreams.nordstern.emulator import Nordstern
from tests.adapters.exchanges.adapter_fixture import AdapterFixture, open_desk
from tests.adapters.nordstern.stub_upstream import StubUpstream, open_shop


@pytest_asyncio.fixture
async def adapter_fixture(restored_sandbox: Sandbox) -> AsyncIterator[AdapterFixture]:
    async with open_desk(restored_sandbox, SPEC, Nordstern) as opened:
        yield opened


@pytest_asyncio.fixture
async def stub_upstream() -> AsyncIterator[StubUpstream]:
    async with open_shop() as opened:
        yield opened
