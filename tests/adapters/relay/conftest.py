from collections.abc import AsyncIterator

import pytest_asyncio

from rhumbline.adapters.relay import SPEC
from rhumbline.devnet.upstreams.relay.emulator import Relay
from tests.adapters.adapter_fixture import adapter_fixture_of
from tests.adapters.relay.stub_upstream import StubUpstream, open_stub

adapter_fixture = adapter_fixture_of(SPEC, Relay)


@pytest_asyncio.fixture
async def stub_upstream() -> AsyncIterator[StubUpstream]:
    async with open_stub() as opened:
        yield opened
