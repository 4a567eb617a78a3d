"""Waiting for whatever comes first."""

import asyncio
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any


async def first_of(seconds: float, *events: asyncio.Event) -> bool:
    """Wait until one of the events is set, at most so long; tell whether one is. No event is cleared."""
    if any(event.is_set() for event in events):
        return True
    if len(events) == 1:
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await events[0].wait()
        return events[0].is_set()
    waiting = [asyncio.ensure_future(event.wait()) for event in events]
    try:
        await asyncio.wait(waiting, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in waiting:
            task.cancel()
    return any(event.is_set() for event in events)


async def unless(stop: asyncio.Event, work: Coroutine[Any, Any, None]) -> None:
    """Do work to its end, or until ``stop`` is set: then it is cancelled, and awaited. What it raises is raised."""
    working, stopping = asyncio.ensure_future(work), asyncio.ensure_future(stop.wait())
    try:
        await asyncio.wait((working, stopping), return_when=asyncio.FIRST_COMPLETED)
        if working.done():
            await working
    finally:
        working.cancel()
        stopping.cancel()
        await asyncio.gather(working, stopping, return_exceptions=True)
