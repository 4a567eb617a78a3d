"""Waiting for what comes in its own time, however busy the machine is."""

import asyncio
from collections.abc import Awaitable, Callable
from itertools import repeat

PATIENCE_S = 120.0


async def until(holds: Callable[[], Awaitable[bool]]) -> None:
    """Ask again and again, until it holds; TimeoutError when it never does."""
    async with asyncio.timeout(PATIENCE_S):
        for pause in repeat(0.01):
            if await holds():
                return
            await asyncio.sleep(pause)
