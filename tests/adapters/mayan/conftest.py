from collections.abc import AsyncIterator

import pytest_asyncio

from rhumbline.adapters.mayan import BLUEPRINTS
from rhumbline.devnet.sandbox import Sandbox
from rhumbline.devnet.upstreams.mayan import Mayan
from tests.adapters.bridging.desk import Desk, open_desk


@pytest_asyncio.fixture
async def desk(restored_sandbox: Sandbox) -> AsyncIterator[Desk]:
    """The adapter of all kinds; see `of_kind` for one of them."""
    async with open_desk(restored_sandbox, BLUEPRINTS[0], Mayan) as opened:
        yield opened
