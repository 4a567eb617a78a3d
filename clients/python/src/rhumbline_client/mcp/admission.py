"""How many calls are worked on at once, and how many may wait; the rest is told so."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio

from rhumbline_client.mcp.failures import ToolFailure


class Admission:
    """Places for calls.

    Args:
        at_once: how many calls are worked on at once.
        waiting: how many more may wait for a place.

    """

    def __init__(self, at_once: int, waiting: int) -> None:
        self._places = anyio.Semaphore(at_once)
        self._at_once = at_once
        self._waiting = waiting

    @asynccontextmanager
    async def place(self) -> AsyncIterator[None]:
        """Hold a place, which is waited for.

        Raises:
            ToolFailure: too many wait already.

        """
        if self._places.value == 0 and self._places.statistics().tasks_waiting >= self._waiting:
            raise ToolFailure(
                f"Too many calls at once: {self._at_once} are worked on and {self._waiting} wait. Wait for "
                "answers, then call again"
            )
        async with self._places:
            yield
