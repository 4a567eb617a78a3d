"""So many at a time, in the order in which they come."""

import asyncio
from collections import deque


class Places:
    """So many at a time, in the order in which they come. One event loop."""

    __slots__ = ("_free", "_waiting")

    def __init__(self, number: int) -> None:
        self._free = number
        self._waiting: deque[asyncio.Future[None]] = deque()

    def take(self) -> bool:
        if not self._free:
            return False
        self._free -= 1
        return True

    async def turn(self) -> None:
        """Wait for a place and take it; who is cancelled while waiting has none."""
        waiting = asyncio.get_running_loop().create_future()
        self._waiting.append(waiting)
        try:
            await waiting
        except asyncio.CancelledError:
            if waiting.done() and not waiting.cancelled():
                self.leave()
            raise

    def leave(self) -> None:
        """Give a place back: to whoever waits longest, so that nobody who comes now is served before."""
        while self._waiting:
            waiting = self._waiting.popleft()
            if not waiting.done():
                waiting.set_result(None)
                return
        self._free += 1
