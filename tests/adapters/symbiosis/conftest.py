from collections.abc import AsyncIterator

import pytest_asyncio

from rhumbline.adapters.symbiosis import BLUEPRINT
from rhumbline.devnet.sandbox import Sandbox
from rhumbline.devnet.upstreams.symbiosis import Symbiosis
from tests.adapters.bridging.desk import Desk, open_desk


@pytest_asyncio.fixture
async def desk(restored_sandbox: Sandbox) -> AsyncIterator[Desk]:
    async with open_desk(restored_sandbox, BLUEPRINT, Symbiosis) as opened:
        yield opened
