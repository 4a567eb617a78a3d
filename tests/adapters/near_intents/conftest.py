from collections.abc import AsyncIterator

import pytest_asyncio

from rhumbline.adapters.near_intents import SPEC
from rhumbline.devnet.sandbox import Sandbox
from rhumbline.devnet.upstreams.near_intents.emulator import NearIntents
from tests.adapters.bridging.adapter_fixture import AdapterFixture, open_desk


@pytest_asyncio.fixture
async def adapter_fixture(restored_sandbox: Sandbox) -> AsyncIterator[AdapterFixture]:
    async with open_desk(restored_sandbox, SPEC, NearIntents) as opened:
        yield opened
