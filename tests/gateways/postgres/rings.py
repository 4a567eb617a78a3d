"""What statements leave to the garbage collector."""

import gc
from collections.abc import Awaitable, Callable

_TIMES = 10


async def rings(ask: Callable[[], Awaitable[object]]) -> float:
    """Return how many objects of a call are freed by the garbage collector alone; the first call does not count."""
    await ask()
    gc.collect()
    gc.disable()
    try:
        for _ in range(_TIMES):
            await ask()
        return gc.collect() / _TIMES
    finally:
        gc.enable()
