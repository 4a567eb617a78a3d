from collections.abc import AsyncIterator

import pytest_asyncio

from rhumbline.adapters.kyberswap import BLUEPRINT
from rhumbline.devnet.sandbox import Sandbox
from rhumbline.devnet.upstreams.kyberswap import KyberSwap
from tests.adapters.exchanges.desk import Desk, open_desk
from tests.adapters.kyberswap.shop import Shop, open_shop


@pytest_asyncio.fixture
async def desk(restored_sandbox: Sandbox) -> AsyncIterator[Desk]:
    async with open_desk(restored_sandbox, BLUEPRINT, KyberSwap) as opened:
        yield opened


@pytest_asyncio.fixture
async def shop() -> AsyncIterator[Shop]:
    async with open_shop() as opened:
        yield opened
