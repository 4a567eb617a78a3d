from collections.abc import AsyncIterator

import pytest_asyncio

from rhumbline.devnet.svm.chains import running_solana
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.nodes.svm.rpc import SvmRpc
from tests.routing.svm.quote_fixture import PATIENCE_S, SvmQuotes, quotes_on_solana


@pytest_asyncio.fixture
async def quotes() -> AsyncIterator[SvmQuotes]:
    """A quote service on a Solana chain of the test's own, whose slots go by only when it says so."""
    async with running_solana(slot_s=None) as running, HttpClient() as http:
        yield quotes_on_solana(running, SvmRpc(running.server.rpc_url, http, timeout_s=PATIENCE_S))
