from collections.abc import AsyncIterator

import pytest_asyncio

from rhumbline.adapters.rise import SPEC
from rhumbline.devnet.sandbox import Sandbox
from rhumbline.devnet.upstreams.rise.emulator import Rise
from tests.adapters.exchanges.solana_fixture import SolanaFixture, solana_fixture
from tests.adapters.rise.stub_upstream import StubUpstream, open_stub


@pytest_asyncio.fixture
async def solana(restored_sandbox: Sandbox) -> AsyncIterator[SolanaFixture]:
    async with solana_fixture(restored_sandbox, SPEC, Rise) as opened:
        yield opened


@pytest_asyncio.fixture
async def stub_upstream() -> AsyncIterator[StubUpstream]:
    async with open_stub() as opened:
        yield opened
