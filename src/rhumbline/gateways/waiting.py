"""Waiting for whatever comes first."""

import asyncio
from contextlib import suppress


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
