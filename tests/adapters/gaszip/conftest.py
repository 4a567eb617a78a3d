from collections.abc import AsyncIterator

import pytest_asyncio

from rhumbline.adapters.gaszip import SPEC
from rhumbline.devnet.upstreams.gaszip.emulator import GasZip
from tests.adapters.adapter_fixture import adapter_fixture_of
from tests.adapters.gaszip.stub_upstream import StubUpstream, open_stub

adapter_fixture = adapter_fixture_of(SPEC, GasZip)


@pytest_asyncio.fixture
async def stub_upstream() -> AsyncIterator[StubUpstream]:
    async with open_stub() as opened:
        yield opened
