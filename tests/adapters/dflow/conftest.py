from collections.abc import AsyncIterator

import pytest_asyncio

from rhumbline.adapters.dflow import SPEC
from rhumbline.devnet.sandbox import Sandbox
from rhumbline.devnet.upstreams.dflow.emulator import Dflow
from tests.adapters.dflow.stub_upstream import StubUpstream, open_stub
from tests.adapters.exchanges.solana_fixture import SolanaFixture, solana_fixture


@pytest_asyncio.fixture
async def stub_upstream() -> AsyncIterator[StubUpstream]:
    async with open_stub() as opened:
        yield opened


@pytest_asyncio.fixture
async def solana(restored_sandbox: Sandbox) -> AsyncIterator[SolanaFixture]:
    async with solana_fixture(restored_sandbox, SPEC, Dflow) as opened:
        yield opened
