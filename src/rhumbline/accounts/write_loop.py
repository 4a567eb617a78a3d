"""Writing what waits at regular times, beside requests."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

import structlog

LAST_S = 3.0
"""How long the last writing may take, when the process ends."""


async def write_regularly(write: Callable[[], Awaitable[None]], every_s: float, failed: str) -> None:
    """Write until cancelled, and then what is left; a failure is logged as ``failed``, and writing goes on."""
    try:
        while True:
            await asyncio.sleep(every_s)
            try:
                await write()
            except Exception:
                structlog.get_logger().exception(failed)
    finally:
        with suppress(TimeoutError):
            async with asyncio.timeout(LAST_S):
                await write()
