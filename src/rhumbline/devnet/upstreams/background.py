"""Work that goes on beside the rest: watched, and ended with its context."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager

import structlog


async def until_cancelled() -> None:
    """Wait for as long as nobody cancels it."""
    await asyncio.Event().wait()


async def _watched(work: Coroutine[object, object, None], name: str) -> None:
    try:
        await work
    except Exception:
        structlog.get_logger().exception("sandbox_work_ended", work=name)
        raise


@asynccontextmanager
async def kept_running(work: Coroutine[object, object, None], name: str) -> AsyncIterator[None]:
    """Run `work` while the context lasts; what made it end by itself is logged at once, and raised at the end."""
    task = asyncio.create_task(_watched(work, name), name=name)
    try:
        yield
    finally:
        if not task.done():
            task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
