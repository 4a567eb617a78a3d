from collections.abc import AsyncIterator

import pytest_asyncio

from rhumbline.adapters.near_intents import BLUEPRINT
from rhumbline.devnet.sandbox import Sandbox
from rhumbline.devnet.upstreams.near_intents import NearIntents
from tests.adapters.bridging.desk import Desk, open_desk


@pytest_asyncio.fixture
async def desk(restored_sandbox: Sandbox) -> AsyncIterator[Desk]:
    async with open_desk(restored_sandbox, BLUEPRINT, NearIntents) as opened:
        yield opened
