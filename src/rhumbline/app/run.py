"""Runs a command's coroutine; a signal ends it gracefully and closes everything that it opened."""

import asyncio
import ctypes
import gc
import os
import signal
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

import uvloop

T = TypeVar("T")
_NEW_OBJECTS = 50_000
_RINGS_S = 60.0
_LARGE_BUFFER = 64 * 1024
_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD = -1, -3
_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class CommandFailed(Exception):
    """A command that cannot continue; the text says why and what to do."""


def run(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine on uvloop to its end.

    Modules loaded before stay as long as the process: the garbage collector need not scan them, which would block all
    answers for a tenth of a second. Nor need it run after every 700 new objects: a quote has some thousand objects
    while it waits, which it would scan repeatedly without finding garbage; reference counting frees the rest.
    """
    gc.freeze()
    gc.set_threshold(_NEW_OBJECTS)
    _give_back_large_buffers()
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(coroutine)


def _give_back_large_buffers() -> None:
    """Have the C library take large buffers from the system one by one, and give them back when they are freed.

    By itself it does so only until the first is freed; from then on they come from its heap, where what is long-lived
    settles between them and holes are left. Other C libraries have no such setting. Source: mallopt(3), glibc 2.36,
    "Dynamic mmap threshold", read 2026-11-28.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(_M_MMAP_THRESHOLD, _LARGE_BUFFER)
        mallopt(_M_TRIM_THRESHOLD, 4 * _LARGE_BUFFER)


async def free_rings() -> None:
    """Have the garbage collector look at all objects once a minute, which takes less than a tenth of a second.

    It hardly ever does so by itself. What was in use for long and is held only by itself now, such as a connection to
    the store that was given up in the middle of a statement, would stay, and memory would grow under load.
    """
    while True:
        await asyncio.sleep(_RINGS_S)
        gc.collect()


async def until_signalled(coroutine: Coroutine[Any, Any, None], hung_up: Callable[[], None] | None = None) -> None:
    """Run a coroutine until it ends or SIGINT or SIGTERM arrives, which cancels it and counts as a good end.

    At SIGHUP ``hung_up`` is called, where it is given; it is an end too when it came because the terminal was closed.
    """
    loop = asyncio.get_running_loop()
    task = asyncio.ensure_future(coroutine)
    signalled = asyncio.Event()

    def stop() -> None:
        signalled.set()
        task.cancel()

    at_terminal = os.isatty(2)

    def hang_up() -> None:
        if hung_up is None or (at_terminal and not os.isatty(2)):
            stop()
        else:
            hung_up()

    for number in _SIGNALS:
        loop.add_signal_handler(number, hang_up if number == signal.SIGHUP else stop)
    try:
        await task
    except asyncio.CancelledError:
        if not signalled.is_set():
            raise
    finally:
        for number in _SIGNALS:
            loop.remove_signal_handler(number)
