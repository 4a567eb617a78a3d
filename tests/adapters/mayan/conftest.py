from collections.abc import AsyncIterator

import pytest_asyncio

from rhumbline.adapters.mayan import SPECS
from rhumbline.devnet.sandbox import Sandbox
from rhumbline.devnet.upstreams.mayan.emulator import Mayan
from tests.adapters.bridging.adapter_fixture import AdapterFixture, open_desk


@pytest_asyncio.fixture
async def adapter_fixture(restored_sandbox: Sandbox) -> AsyncIterator[AdapterFixture]:
    """The adapter of all kinds; see `of_kind` for one of them."""
    async with open_desk(restored_sandbox, SPECS[0], Mayan) as opened:
        yield opened
