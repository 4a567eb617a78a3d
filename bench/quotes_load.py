"""Fifty quotes at once, for all quote scenarios."""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable

AT_ONCE = 50
LONGEST_PAUSE_S = 0.5
SEED = 20261121


async def keep_asking(ask: Callable[[], Awaitable[None]], until: Callable[[], bool]) -> int:
    """Keep fifty going, each after a pause that keeps them from marching in step; return how many were asked."""
    dice = random.Random(SEED)
    count = 0

    async def one_after_another() -> None:
        nonlocal count
        while not until():
            await asyncio.sleep(dice.random() * LONGEST_PAUSE_S)
            await ask()
            count += 1

    await asyncio.gather(*(one_after_another() for _ in range(AT_ONCE)))
    return count


def after(seconds: float) -> Callable[[], bool]:
    """Return what tells whether so much time has passed."""
    end = time.perf_counter() + seconds
    return lambda: time.perf_counter() >= end
