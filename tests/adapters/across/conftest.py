from collections.abc import AsyncIterator

import pytest_asyncio

from rhumbline.adapters.across import BLUEPRINT
from rhumbline.devnet.sandbox import Sandbox
from rhumbline.devnet.upstreams.across import Across
from rhumbline.devnet.upstreams.emulator import Outcome
from tests.adapters.across.pier import Pier
from tests.adapters.across.shop import Shop, open_shop
from tests.adapters.bridging.desk import open_desk


@pytest_asyncio.fixture
async def pier(restored_sandbox: Sandbox) -> AsyncIterator[Pier]:
    """Both chains, put back afterwards; nobody fills or refunds until a test does."""
    async with open_desk(restored_sandbox, BLUEPRINT, Across) as desk:
        desk.emulator.behaviour.outcome = Outcome.FAIL
        yield Pier(desk, restored_sandbox)


@pytest_asyncio.fixture
async def shop() -> AsyncIterator[Shop]:
    """The adapter against recorded answers."""
    async with open_shop() as opened:
        yield opened
