"""The accounts against the real store, at a time that stands still, and as another process sees them."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.accounts.service import Accounts
from rhumbline.gateways.postgres.engine import create_engine
from tests.clocks import Clock, Seconds
from tests.portal_fixture import BEGIN

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)


@pytest.fixture
def accounts(store_engine: AsyncEngine) -> Accounts:
    return Accounts(store_engine, lambda: NOW)


@pytest.fixture
def seconds() -> Seconds:
    return Seconds(1000.0)


@pytest.fixture
async def elsewhere(store_dsn: str, seconds: Seconds) -> AsyncIterator[Accounts]:
    """The accounts as another process sees them: its own connections, its own cache, whose age the test moves."""
    engine = create_engine(store_dsn)
    yield Accounts(engine, lambda: NOW, seconds)
    await engine.dispose()


@pytest.fixture
def clock() -> Clock:
    return Clock(BEGIN)
