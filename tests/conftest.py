import asyncio
import gc
import os
import warnings
from collections.abc import AsyncIterator, Generator

import pytest
import uvloop
from hypothesis import settings

from rhumbline.gateways.http.client import HttpClient

pytest_plugins = [
    "tests.sandbox_fixture",
    "tests.postgres_fixture",
    "tests.portal_fixture",
    "tests.redis_fixture",
    "tests.kept_log",
    "tests.shares",
    "tests.unread",
]

# The loop that the service runs on: its clock and its transports are not those of asyncio's own.
with warnings.catch_warnings():
    # From Python 3.14 on there is another way, which not everything that makes a loop here knows yet.
    warnings.simplefilter("ignore", DeprecationWarning)
    asyncio.set_event_loop_policy(uvloop.EventLoopPolicy())

# How long an example takes says something about the machine alone. `make campaign` tries many more.
settings.register_profile("any machine", deadline=None, max_examples=int(os.environ.get("PROPERTY_EXAMPLES", "30")))
settings.load_profile("any machine")


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
        gc.set_threshold(50_000)
        gc.enable()
