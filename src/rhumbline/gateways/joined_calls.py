"""One call for all who ask the same at the same time."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Hashable, Iterator
from contextlib import contextmanager
from typing import Any


class _Flight:
    """A call that goes on, and how many want its answer."""

    __slots__ = ("task", "wanted")

    def __init__(self, task: asyncio.Task[Any]) -> None:
        self.task = task
        self.wanted = 0


class JoinedCalls:
    """Joins identical calls while they are in flight; nothing is kept afterwards.

    Whoever is cancelled harms nobody else: the call ends early only when nobody wants its answer any more.
    """

    __slots__ = ("_flights",)

    def __init__(self) -> None:
        """Begin without a call."""
        self._flights: dict[Hashable, _Flight] = {}

    @contextmanager
    def join(self, question: Hashable, ask: Callable[[], Coroutine[Any, Any, Any]]) -> Iterator[Awaitable[Any]]:
        """Begin the call, or join the one that asks the same ``question``; offer its answer, to be awaited within.

        It is begun at once, so that who has something else to find out first may do so meanwhile.
        """
        flight = self._flights.get(question)
        if flight is None:
            flight = self._flights[question] = _Flight(asyncio.create_task(ask()))
            flight.task.add_done_callback(lambda task: self._landed(question, task))
        flight.wanted += 1
        try:
            yield asyncio.shield(flight.task)
        finally:
            flight.wanted -= 1
            if not flight.wanted and not flight.task.done():
                self._forget(question, flight.task)
                flight.task.cancel()

    def _landed(self, question: Hashable, task: asyncio.Task[Any]) -> None:
        self._forget(question, task)
        if not task.cancelled():
            # Looked at here, in case nobody awaits it any more.
            task.exception()

    def _forget(self, question: Hashable, task: asyncio.Task[Any]) -> None:
        flight = self._flights.get(question)
        if flight is not None and flight.task is task:
            del self._flights[question]
