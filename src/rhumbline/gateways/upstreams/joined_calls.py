"""One call for all who make the same request at the same time."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class _Flight:
    """A call in progress, and how many wait for its answer."""

    task: asyncio.Task[Any]
    waiting: int = 0


@dataclass(slots=True, eq=False)
class JoinedCalls:
    """Joins identical calls while they are in progress; nothing is cached afterwards.

    A cancelled waiter does not affect the others: the call ends early only when nobody waits for it any more.
    """

    _flights: dict[Hashable, _Flight] = field(default_factory=dict, init=False)

    @contextmanager
    def join(self, question: Hashable, call: Callable[[], Coroutine[Any, Any, Any]]) -> Iterator[Awaitable[Any]]:
        """Start the call at once, or join an identical one; yield its answer, to be awaited within."""
        flight = self._flights.get(question)
        if flight is None:
            flight = self._flights[question] = _Flight(asyncio.create_task(call()))
            flight.task.add_done_callback(lambda task: self._landed(question, task))
        flight.waiting += 1
        answer = asyncio.shield(flight.task)
        # Looked at here, in case it fails before it is awaited, and never is.
        answer.add_done_callback(_look_at)
        try:
            yield answer
        finally:
            flight.waiting -= 1
            if not flight.waiting and not flight.task.done():
                del self._flights[question]
                flight.task.cancel()

    def _landed(self, question: Hashable, task: asyncio.Task[Any]) -> None:
        flight = self._flights.get(question)
        if flight is not None and flight.task is task:
            del self._flights[question]
        _look_at(task)


def _look_at(done: asyncio.Future[Any]) -> None:
    """Have a failure count as seen: else the loop logs it as lost."""
    if not done.cancelled():
        done.exception()
