from collections.abc import AsyncIterator

import pytest_asyncio

from tests.adapters.dflow.stub_upstream import StubUpstream, open_stub


@pytest_asyncio.fixture
async def stub_upstream() -> AsyncIterator[StubUpstream]:
    async with open_stub() as opened:
        yield opened
