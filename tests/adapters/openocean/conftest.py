from collections.abc import AsyncIterator

import pytest_asyncio

from rhumbline.adapters.openocean import BLUEPRINT
from rhumbline.devnet.sandbox import Sandbox
from rhumbline.devnet.upstreams.openocean import OpenOcean
from tests.adapters.exchanges.desk import Desk, open_desk
from tests.adapters.openocean.shop import Shop, open_shop


@pytest_asyncio.fixture
async def desk(restored_sandbox: Sandbox) -> AsyncIterator[Desk]:
    async with open_desk(restored_sandbox, BLUEPRINT, OpenOcean) as opened:
        yield opened


@pytest_asyncio.fixture
async def shop(sandbox: Sandbox) -> AsyncIterator[Shop]:
    async with open_shop(sandbox) as opened:
        yield opened
