"""Background work that is supervised, and ends with its context."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager

import structlog


async def until_cancelled() -> None:
    """Wait until cancelled."""
    await asyncio.Event().wait()


async def _watched(work: Coroutine[object, object, None], name: str) -> None:
    try:
        await work
    except Exception:
        structlog.get_logger().exception("sandbox_work_ended", work=name)
        raise


@asynccontextmanager
async def kept_running(work: Coroutine[object, object, None], name: str) -> AsyncIterator[None]:
    """Run `work` for the length of the context; an error of it is logged at once, and raised at the end."""
    task = asyncio.create_task(_watched(work, name), name=name)
    try:
        yield
    finally:
        if not task.done():
            task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
