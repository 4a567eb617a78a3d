"""A process that dies, as the work in it sees it: at a moment that is counted, not timed."""

import asyncio
import types
from collections.abc import Callable, Coroutine, Generator
from dataclasses import dataclass
from functools import partial
from typing import Any


@dataclass
class Mortal:
    """Runs work in a task that is cancelled where it waits for the ``deaths_at``-th time, and counts the waits."""

    deaths_at: int | None = None
    waits: int = 0

    async def run(self, work: Coroutine[Any, Any, object]) -> bool:
        """Tell whether the work came to its end."""
        try:
            await asyncio.create_task(self._counted(work))
        except asyncio.CancelledError:
            return False
        return True

    async def _counted(self, work: Coroutine[Any, Any, object]) -> None:
        await self._waits(work)

    @types.coroutine
    def _waits(self, work: Coroutine[Any, Any, object]) -> Generator[Any, Any, None]:
        resume: Callable[[], Any] = partial(work.send, None)
        while True:
            try:
                waits_for = resume()
            except StopIteration:
                return
            self.waits += 1
            if self.waits == self.deaths_at:
                task = asyncio.current_task()
                assert task is not None
                task.cancel()
            try:
                yield waits_for
                resume = partial(work.send, None)
            except BaseException as error:
                resume = partial(work.throw, error)
