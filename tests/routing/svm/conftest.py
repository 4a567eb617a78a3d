import time
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from rhumbline.devnet.svm.chains import RunningSolana, running_solana
from rhumbline.devnet.svm.slots import SLOT_MS
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.nodes.svm.moment import Moment
from rhumbline.gateways.nodes.svm.rpc import SvmRpc
from tests.routing.svm.quote_fixture import PATIENCE_S, SvmQuotes, quotes_on_solana


@pytest.fixture(scope="session")
async def running() -> AsyncIterator[RunningSolana]:
    async with running_solana(slot_s=None) as chain:
        yield chain


@pytest_asyncio.fixture
async def quotes(running: RunningSolana) -> AsyncIterator[SvmQuotes]:
    """A quote service on a Solana chain as it began, whose slots go by only when the test says so."""
    chain = running.server.chain
    mark = chain.snapshot()
    behind_s = int(time.time()) - chain.slots.time(chain.slots.slot)
    chain.advance(max(1, behind_s * 1000 // SLOT_MS))
    async with HttpClient() as http:
        # What quotes share lasts until a slot goes by.
        moment = Moment(lambda: chain.slots.slot)
        yield quotes_on_solana(running, SvmRpc(running.server.rpc_url, http, timeout_s=PATIENCE_S, moment=moment))
    chain.restore(mark)
