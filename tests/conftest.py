import gc
import os
from collections.abc import AsyncIterator, Generator
from pathlib import Path

import pytest
from hypothesis import settings

from rhumbline.gateways.http.client import HttpClient

pytest_plugins = [
    "tests.sandbox_fixture",
    "tests.postgres_fixture",
    "tests.portal_fixture",
    "tests.redis_fixture",
    "tests.shares",
]

TESTS = Path(__file__).parent

# How long an example takes says something about the machine alone. `make campaign` tries many more.
settings.register_profile("any machine", deadline=None, max_examples=int(os.environ.get("PROPERTY_EXAMPLES", "30")))
settings.load_profile("any machine")


LONGEST = ("e2e", "portal", "tracking", "app", "clients", "steering", "chaos", "attack")
"""Folders whose files take longest: begun first, for at the end one long file would keep one process busy alone."""


@pytest.fixture
async def http() -> AsyncIterator[HttpClient]:
    async with HttpClient() as client:
        yield client


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """What collecting makes stays to the end: the garbage collector need not look at it, nor as often as by default."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(10_000)
        gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put folders of long files first, and each folder in one piece: a process starts what its files share once."""
    ranks = {folder: rank for rank, folder in enumerate(LONGEST)}
    items.sort(key=lambda item: ranks.get(item.path.relative_to(TESTS).parts[0], len(ranks)))
