from collections.abc import AsyncIterator

import aiohttp
import pytest
import pytest_asyncio

from rhumbline.devnet.sandbox import Sandbox
from tests.routing.quote_fixture import QuoteFixture, quotes_on


@pytest_asyncio.fixture
async def session() -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession() as opened:
        yield opened


@pytest.fixture
def quotes(restored_sandbox: Sandbox, session: aiohttp.ClientSession) -> QuoteFixture:
    """A quote service on the sandbox's first chain, which is put back afterwards."""
    return quotes_on(restored_sandbox, session)
