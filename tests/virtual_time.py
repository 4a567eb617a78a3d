"""An event loop whose clock goes on by itself: to the next timer, as soon as nothing else can be done.

Whoever waits ten seconds in it has waited ten seconds by its clock, and none by the wall's; nothing that a busy machine
does to a test changes what its timers say. It is for tests without sockets, threads and processes.
"""

import asyncio
import inspect
from collections.abc import Awaitable, Callable
from functools import wraps
from selectors import DefaultSelector, SelectorKey
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")
_TICK_S = 1e-9


class VirtualTimeLoop(asyncio.SelectorEventLoop):
    """A loop that begins at 0 seconds."""

    def __init__(self) -> None:
        self.seconds = 0.0
        super().__init__(_Selector(self))

    def time(self) -> float:
        return self.seconds


class _Selector(DefaultSelector):
    def __init__(self, loop: VirtualTimeLoop) -> None:
        super().__init__()
        self._virtual = loop

    def select(self, timeout: float | None = None) -> list[tuple[SelectorKey, int]]:
        ready = super().select(0)
        if ready or timeout == 0:
            return ready
        if timeout is None:
            raise RuntimeError("everybody waits for what no timer ends")
        # Like a real timer never early, whatever is lost to rounding.
        self._virtual.seconds += timeout + _TICK_S
        return ready


def in_virtual_time(test: Callable[P, Awaitable[T]]) -> Callable[P, T]:
    """Run a test in a `VirtualTimeLoop` of its own. Async fixtures belong to another loop: it takes none."""

    @wraps(test)
    def run(*args: P.args, **kwargs: P.kwargs) -> T:
        async def go() -> T:
            return await test(*args, **kwargs)

        with asyncio.Runner(loop_factory=VirtualTimeLoop) as runner:
            return runner.run(go())

    # Pytest looks for the parameters here, and for a coroutine function behind a wrapper.
    vars(run)["__signature__"] = inspect.signature(test)
    del vars(run)["__wrapped__"]
    return run
