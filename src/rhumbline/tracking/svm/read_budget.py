"""A bound on the work per second, because anybody can name a followed address and so cause reads."""

import asyncio
import math

A_SECOND = 1_000
"""Units of work per second: an answer is one, and each further 64 KiB of it is one more."""
_UNIT = 64 * 1024
_SAVED_S = 2.0


class ReadBudget:
    """Spreads work over time. Unused units are saved for two seconds, so that normally nothing waits."""

    def __init__(self, a_second: int = A_SECOND) -> None:
        self._a_second = a_second
        self._free_at = -math.inf

    async def spend(self, *sizes: int) -> None:
        """Note answers of so many bytes that were read, and wait until more may be."""
        now, units = asyncio.get_running_loop().time(), sum(1 + size // _UNIT for size in sizes)
        self._free_at = max(self._free_at, now - _SAVED_S) + units / self._a_second
        await asyncio.sleep(max(0.0, self._free_at - now))
