"""Asks every eligible adapter at once, under one adaptive deadline.

What surrounds an adapter's call is done here and nowhere else: deadline, circuit breaker, bound, metrics, one log line.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

import structlog
from structlog.contextvars import get_contextvars

from rhumbline.domain.errors import AdapterError, BelowMinimum, UpstreamFailed
from rhumbline.domain.quote import Quote, QuoteRequest, Refusal
from rhumbline.routing.breaker import Guard, Guards
from rhumbline.routing.call_log import BOUND
from rhumbline.routing.selection import Ask

T = TypeVar("T")
_Task = asyncio.Task[Quote[Any] | Refusal]


@dataclass(frozen=True, slots=True)
class Deadlines:
    """In seconds from the question. Past ``soft_s`` a good set of answers is enough; past ``hard_s`` nobody is awaited.

    A good set is a quote, and answers (quotes or refusals) from at least half of those asked. A form that is only the
    last resort is no good set's quote while another may still be answered.
    """

    soft_s: float = 1.2
    hard_s: float = 4.0


@dataclass(frozen=True, slots=True)
class Gathered:
    """What came back: each adapter that was asked has a quote or a refusal, in the order in which they were asked."""

    quotes: tuple[Quote[Any], ...]
    refusals: tuple[Refusal, ...]


Resort = Callable[[QuoteRequest], bool]
"""Tells whether a form is answered only when no other is."""


async def gather_quotes(
    asks: Sequence[Ask], guards: Guards, deadlines: Deadlines, last_resort: Resort = lambda _: False
) -> Gathered:
    """Ask all adapters at once; those that are too late are cancelled and refused as late."""
    loop = asyncio.get_running_loop()
    started = loop.time()
    asked = [(ask.adapter.info.key, guards.of(ask.adapter.info.key)) for ask in asks]
    bound = BOUND.set(get_contextvars())
    tasks = {
        loop.create_task(guarded(key, "quote", guard, partial(ask.adapter.quote, ask.request))): (key, guard)
        for ask, (key, guard) in zip(asks, asked, strict=True)
    }
    BOUND.reset(bound)
    wanted = {task for task, ask in zip(tasks, asks, strict=True) if not last_resort(ask.request)}
    try:
        await _await_good_set(set(tasks), wanted, started, deadlines)
    finally:
        late = [task for task in tasks if not task.done()]
        for task in late:
            task.cancel()
    overdue = loop.time() - started >= deadlines.hard_s
    outcomes = [
        _late(key, guard, loop.time() - started, overdue=overdue and guard.is_asking(task))
        if task in late
        else task.result()
        for task, (key, guard) in tasks.items()
    ]
    return Gathered(
        quotes=tuple(outcome for outcome in outcomes if isinstance(outcome, Quote)),
        refusals=tuple(outcome for outcome in outcomes if isinstance(outcome, Refusal)),
    )


async def _await_good_set(tasks: set[_Task], wanted: set[_Task], started: float, deadlines: Deadlines) -> None:
    """Return when all have answered, when a good set has and the soft deadline is past, or at the hard deadline."""
    loop = asyncio.get_running_loop()
    soft, hard = started + deadlines.soft_s, started + deadlines.hard_s
    if not tasks:
        return
    # Until the soft deadline no single answer changes anything, so none wakes us.
    _, pending = await asyncio.wait(tasks, timeout=min(soft, hard) - loop.time())
    while pending and loop.time() < hard and not _is_good(tasks, wanted):
        _, pending = await asyncio.wait(pending, timeout=hard - loop.time(), return_when=asyncio.FIRST_COMPLETED)


def _is_good(tasks: set[_Task], wanted: set[_Task]) -> bool:
    """Tell whether half have answered, and one that is ``wanted`` has a quote, or another once none is waited for."""
    done = {task for task in tasks if task.done()}
    quotes = {task for task in done if isinstance(task.result(), Quote)}
    return 2 * len(done) >= len(tasks) and bool(quotes & wanted or (quotes and wanted <= done))


async def guarded(
    key: str,
    verb: str,
    guard: Guard,
    work: Callable[[], Awaitable[T]],
    timeout_s: float | None = None,
    *,
    owed: bool = False,
) -> T | Refusal:
    """Call an adapter; whatever it raises becomes a refusal, and the call one line in the log.

    ``owed`` as in ``Guard.run``.
    """
    started = asyncio.get_running_loop().time()
    refusal: Refusal
    try:
        if timeout_s is None:
            # The caller cancels. No timer either: it would hold the task, and a task that was cancelled would hold it,
            # with all that the call has in hand, until the garbage collector looks for such rings.
            result = await guard.run(work, owed=owed)
        else:
            result = await _in_time(guard, partial(guard.run, work, owed=owed), timeout_s)
    except AdapterError as error:
        minimum = error.minimum if isinstance(error, BelowMinimum) else None
        refusal = Refusal(key, error.kind, error.reason, minimum)
    except TimeoutError:
        refusal = Refusal(key, UpstreamFailed.kind, "did not answer in time")
    except Exception:
        structlog.get_logger().exception("adapter_broke", adapter=key, call=verb)
        refusal = Refusal(key, UpstreamFailed.kind, "failed unexpectedly")
    else:
        _log(guard, key, verb, "answered", started)
        return result
    _log(guard, key, verb, refusal.kind, started, reason=refusal.reason)
    return refusal


async def _in_time(guard: Guard, work: Callable[[], Awaitable[T]], timeout_s: float) -> T:
    """Do the work; being too late is a failure of the adapter's."""
    try:
        async with asyncio.timeout(timeout_s) as timer:
            return await work()
    except TimeoutError:
        if timer.expired():
            guard.overdue()
        raise


def _late(key: str, guard: Guard, seconds: float, *, overdue: bool) -> Refusal:
    """Refuse an adapter that was cancelled. Only at the hard deadline, and once asked, is it the adapter's fault."""
    if overdue:
        guard.overdue()
    guard.metrics.called(key, "quote", "late", seconds)
    guard.log(adapter=key, call="quote", outcome="late", ms=round(seconds * 1000))
    return Refusal(key, UpstreamFailed.kind, f"did not answer within {seconds:.1f} s")


def _log(guard: Guard, key: str, verb: str, outcome: str, started: float, reason: str | None = None) -> None:
    seconds = asyncio.get_running_loop().time() - started
    guard.metrics.called(key, verb, outcome, seconds)
    guard.log(adapter=key, call=verb, outcome=outcome, ms=round(seconds * 1000), reason=reason)
