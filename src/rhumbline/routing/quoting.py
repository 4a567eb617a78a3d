"""Asks every eligible adapter at once, under one adaptive deadline.

What surrounds an adapter's call is done here and nowhere else: deadline, circuit breaker, bound, metrics, one log line.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import structlog

from rhumbline.domain.errors import AdapterError, BelowMinimum, UpstreamFailed
from rhumbline.domain.quote import Quote, Refusal
from rhumbline.routing.breaker import Guard, Guards
from rhumbline.routing.selection import Ask

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Deadlines:
    """In seconds from the question. Past ``soft_s`` a good set of answers is enough; past ``hard_s`` nobody is awaited.

    A good set is a quote, and answers (quotes or refusals) from at least half of those asked.
    """

    soft_s: float = 1.2
    hard_s: float = 4.0


@dataclass(frozen=True, slots=True)
class Gathered:
    """What came back: each adapter that was asked has a quote or a refusal, in the order in which they were asked."""

    quotes: tuple[Quote[Any], ...]
    refusals: tuple[Refusal, ...]


async def gather_quotes(asks: Sequence[Ask], guards: Guards, deadlines: Deadlines) -> Gathered:
    """Ask all adapters at once; those that are too late are cancelled and refused as late."""
    loop = asyncio.get_running_loop()
    started = loop.time()
    tasks = {loop.create_task(_ask(ask, guards.of(ask.adapter.info.key))): ask.adapter.info.key for ask in asks}
    try:
        await _await_good_set(set(tasks), started, deadlines)
    finally:
        late = [task for task in tasks if not task.done()]
        for task in late:
            task.cancel()
    overdue = loop.time() - started >= deadlines.hard_s
    outcomes = [
        _late(key, guards.of(key), loop.time() - started, overdue=overdue) if task in late else task.result()
        for task, key in tasks.items()
    ]
    return Gathered(
        quotes=tuple(outcome for outcome in outcomes if isinstance(outcome, Quote)),
        refusals=tuple(outcome for outcome in outcomes if isinstance(outcome, Refusal)),
    )


async def _await_good_set(tasks: set[asyncio.Task[Quote[Any] | Refusal]], started: float, deadlines: Deadlines) -> None:
    """Return when all have answered, when a good set has and the soft deadline is past, or at the hard deadline."""
    loop = asyncio.get_running_loop()
    pending = tasks
    while pending:
        passed = loop.time() - started
        good = _is_good(tasks)
        limit = deadlines.soft_s if good else deadlines.hard_s
        if passed >= limit:
            return
        _, pending = await asyncio.wait(pending, timeout=limit - passed, return_when=asyncio.FIRST_COMPLETED)


def _is_good(tasks: set[asyncio.Task[Quote[Any] | Refusal]]) -> bool:
    answers = [task.result() for task in tasks if task.done()]
    return 2 * len(answers) >= len(tasks) and any(isinstance(answer, Quote) for answer in answers)


async def _ask(ask: Ask, guard: Guard) -> Quote[Any] | Refusal:
    return await guarded(ask.adapter.info.key, "quote", guard, lambda: ask.adapter.quote(ask.request))


async def guarded(
    key: str, verb: str, guard: Guard, work: Callable[[], Awaitable[T]], timeout_s: float | None = None
) -> T | Refusal:
    """Call an adapter; whatever it raises becomes a refusal, and the call one line in the log."""
    started = asyncio.get_running_loop().time()
    refusal: Refusal
    try:
        async with asyncio.timeout(timeout_s) as timer:
            result = await guard.run(work)
    except AdapterError as error:
        minimum = error.minimum if isinstance(error, BelowMinimum) else None
        refusal = Refusal(key, error.kind, error.reason, minimum)
    except TimeoutError:
        if timer.expired():
            guard.overdue()
        refusal = Refusal(key, UpstreamFailed.kind, "did not answer in time")
    except Exception:
        structlog.get_logger().exception("adapter_broke", adapter=key, call=verb)
        refusal = Refusal(key, UpstreamFailed.kind, "failed unexpectedly")
    else:
        _log(guard, key, verb, "answered", started)
        return result
    _log(guard, key, verb, refusal.kind, started, reason=refusal.reason)
    return refusal


def _late(key: str, guard: Guard, seconds: float, *, overdue: bool) -> Refusal:
    """Refuse an adapter that was cancelled. Only at the hard deadline is it the adapter's fault."""
    if overdue:
        guard.overdue()
    guard.metrics.called(key, "quote", "late", seconds)
    structlog.get_logger().info("adapter_called", adapter=key, call="quote", outcome="late", ms=round(seconds * 1000))
    return Refusal(key, UpstreamFailed.kind, f"did not answer within {seconds:.1f} s")


def _log(guard: Guard, key: str, verb: str, outcome: str, started: float, **more: str) -> None:
    seconds = asyncio.get_running_loop().time() - started
    guard.metrics.called(key, verb, outcome, seconds)
    ms = round(seconds * 1000)
    structlog.get_logger().info("adapter_called", adapter=key, call=verb, outcome=outcome, ms=ms, **more)
