from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from rhumbline.devnet.sandbox import Sandbox
from rhumbline.gateways.http.client import HttpClient
from tests.routing.quote_fixture import QuoteFixture, quotes_on


@pytest_asyncio.fixture
async def http() -> AsyncIterator[HttpClient]:
    async with HttpClient() as opened:
        yield opened


@pytest.fixture
def quotes(restored_sandbox: Sandbox, http: HttpClient) -> QuoteFixture:
    """A quote service on the sandbox's first chain, which is put back afterwards."""
    return quotes_on(restored_sandbox, http)
