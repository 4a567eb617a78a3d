from collections.abc import AsyncIterator

import pytest_asyncio

from rhumbline.adapters.symbiosis import SPEC
from rhumbline.devnet.sandbox import Sandbox
from rhumbline.devnet.upstreams.symbiosis.emulator import Symbiosis
from tests.adapters.bridging.adapter_fixture import AdapterFixture, open_desk


@pytest_asyncio.fixture
async def adapter_fixture(restored_sandbox: Sandbox) -> AsyncIterator[AdapterFixture]:
    async with open_desk(restored_sandbox, SPEC, Symbiosis) as opened:
        yield opened
