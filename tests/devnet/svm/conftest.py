"""The chain, served; its slots go by as quickly as a test needs them to."""

from collections.abc import AsyncIterator

import pytest

from rhumbline.devnet.svm.running import RunningSolana, running_solana
from tests.devnet.svm.workshop import STARTED


@pytest.fixture(scope="session")
async def lively() -> AsyncIterator[RunningSolana]:
    """A chain whose slots go by by themselves, twenty times as fast as everywhere."""
    async with running_solana(slot_s=0.02, started=STARTED) as running:
        yield running


@pytest.fixture
async def still() -> AsyncIterator[RunningSolana]:
    """A chain of the test's own, whose slots go by only when it says so."""
    async with running_solana(slot_s=None, started=STARTED) as running:
        yield running
