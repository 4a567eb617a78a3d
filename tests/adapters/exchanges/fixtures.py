"""An exchange's adapter, against its emulator and against recorded answers."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio

from rhumbline.devnet.sandbox import Sandbox
from tests.adapters.adapter_fixture import AdapterFixture, open_adapter
from tests.adapters.exchanges.exchange import Exchange
from tests.adapters.exchanges.stub_upstream import StubUpstream, open_stub


@pytest_asyncio.fixture
async def adapter_fixture(exchange: Exchange, restored_sandbox: Sandbox) -> AsyncIterator[AdapterFixture]:
    async with open_adapter(restored_sandbox, exchange.spec, exchange.emulator) as opened:
        yield opened


@pytest_asyncio.fixture
async def stub_upstream(exchange: Exchange, sandbox: Sandbox) -> AsyncIterator[StubUpstream]:
    async with open_stub(exchange, sandbox) as opened:
        yield opened


def exchange_of(exchange: Exchange) -> Any:
    """The fixture ``exchange`` of one adapter, for the conftest of its tests."""
    return pytest.fixture(name="exchange")(lambda: exchange)
