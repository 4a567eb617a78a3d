from collections.abc import AsyncIterator

import pytest

from rhumbline_client import AsyncRhumbline, Retries
from rhumbline_client.mcp.service import Service
from tests.clients.python.mcp.answers import ONE_CHAIN
from tests.clients.python.scripted_service import ScriptedService, scripted


@pytest.fixture
async def answering() -> AsyncIterator[ScriptedService]:
    """A service with a chain of two tokens, which answers what the test adds."""
    async with scripted() as running:
        running.replies = {name: list(replies) for name, replies in ONE_CHAIN.items()}
        yield running


@pytest.fixture
async def service(answering: ScriptedService) -> AsyncIterator[Service]:
    async with AsyncRhumbline(answering.url, retries=Retries(attempts=1)) as client:
        yield Service(client)
