from collections.abc import AsyncIterator

import aiohttp
import pytest
import pytest_asyncio

from rhumbline.devnet.sandbox import Sandbox
from rhumbline.gateways.nodes.evm.rpc import EvmRpc
from tests.adapters.uniswap.adapter_fixture import AdapterFixture, open_desk


@pytest_asyncio.fixture
async def session() -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession() as session:
        yield session


@pytest.fixture
def adapter_fixture(restored_sandbox: Sandbox, session: aiohttp.ClientSession) -> AdapterFixture:
    """The first chain, put back afterwards to where it was; the adapter has not seen anything of it."""
    chain = restored_sandbox.chains[0]
    rpc = EvmRpc(chain.rpc_url, session, chain.key, 30.0)
    return open_desk(chain, rpc, restored_sandbox.accounts[0].address)
