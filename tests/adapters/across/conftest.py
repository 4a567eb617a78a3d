from collections.abc import AsyncIterator

import pytest_asyncio

from rhumbline.adapters.across import SPEC
from rhumbline.devnet.sandbox import Sandbox
from rhumbline.devnet.upstreams.across import Across
from rhumbline.devnet.upstreams.emulator import Outcome
from tests.adapters.across.bridge_fixture import BridgeFixture
from tests.adapters.across.stub_upstream import StubUpstream, open_shop
from tests.adapters.bridging.adapter_fixture import open_desk


@pytest_asyncio.fixture
async def bridge_fixture(restored_sandbox: Sandbox) -> AsyncIterator[BridgeFixture]:
    """Both chains, put back afterwards; nobody fills or refunds until a test does."""
    async with open_desk(restored_sandbox, SPEC, Across) as adapter_fixture:
        adapter_fixture.emulator.behaviour.outcome = Outcome.FAIL
        yield BridgeFixture(adapter_fixture, restored_sandbox)


@pytest_asyncio.fixture
async def stub_upstream() -> AsyncIterator[StubUpstream]:
    """The adapter against recorded answers."""
    async with open_shop() as opened:
        yield opened
