"""Asks every eligible adapter at once, under one adaptive deadline.

An adapter's call becomes an answer or a refusal here, one line of the log and its metrics; what surrounds each request
to its upstream is done by the guard of the upstream's host (`gateways/upstreams/guard/guard.py`).
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial
from time import monotonic
from typing import Any, TypeVar

import structlog
from structlog.contextvars import get_contextvars

from rhumbline.domain.errors import AdapterError, BelowMinimum, UpstreamFailed, release_frames
from rhumbline.domain.quote import Quote, QuoteRequest, Refusal
from rhumbline.domain.spans import span
from rhumbline.gateways.loop_watch import was_held_up
from rhumbline.gateways.upstreams.guard.budget import Purpose
from rhumbline.gateways.upstreams.guard.call import UpstreamCall
from rhumbline.routing.call_log import BOUND, CallNotes
from rhumbline.routing.selection import Ask

T = TypeVar("T")
Outcome = Quote[Any] | Refusal
_Task = asyncio.Task[Outcome]


@dataclass(frozen=True, slots=True)
class Deadlines:
    """In seconds from the request. After ``soft_s`` enough answers suffice; after ``hard_s`` nothing is awaited.

    A good set is a quote, and answers (quotes or refusals) from at least half of those asked. A form that is only the
    last resort is no good set's quote while another may still be answered.
    """

    soft_s: float = 1.2
    hard_s: float = 4.0


@dataclass(frozen=True, slots=True)
class Gathered:
    """The answers: each adapter that was asked has a quote or a refusal, in the order of asking."""

    quotes: tuple[Quote[Any], ...]
    refusals: tuple[Refusal, ...]


Listener = Callable[[Outcome], None]
"""Is called with each adapter's answer as it arrives, once per adapter; must not raise."""


async def gather_quotes(
    asks: Sequence[Ask],
    notes: CallNotes,
    deadlines: Deadlines,
    resorts: Sequence[QuoteRequest] = (),
    listener: Listener | None = None,
) -> Gathered:
    """Ask all adapters at once; those that are too late are cancelled and refused as late.

    ``resorts`` are the forms whose answers count only where no other form has one. ``listener`` gets each outcome when
    it comes.
    """
    loop = asyncio.get_running_loop()
    started = loop.time()
    calls = [(ask.adapter.info.key, notes.call(Purpose.QUOTE, ask.request)) for ask in asks]
    bound = BOUND.set(get_contextvars())
    tasks: dict[_Task, tuple[str, UpstreamCall]] = {}
    for ask, (key, call) in zip(asks, calls, strict=True):
        answering = guarded(key, call, notes, partial(ask.adapter.quote, ask.request))
        task = loop.create_task(answering if listener is None else _reported(answering, listener))
        tasks[task] = key, call
    BOUND.reset(bound)
    primary = {task for task, ask in zip(tasks, asks, strict=True) if ask.request not in resorts}
    try:
        await _await_good_set(set(tasks), primary, started, deadlines)
    finally:
        late = [task for task in tasks if not task.done()]
        for task in late:
            task.cancel()
    # As it was waited for: a difference may be a little less than what was added.
    overdue = loop.time() >= started + deadlines.hard_s
    outcomes = [
        _late(key, call, notes, loop.time() - started, overdue=overdue) if task in late else task.result()
        for task, (key, call) in tasks.items()
    ]
    for task, outcome in zip(tasks, outcomes, strict=True):
        if task in late and listener is not None:
            listener(outcome)
    return Gathered(
        quotes=tuple(outcome for outcome in outcomes if isinstance(outcome, Quote)),
        refusals=tuple(outcome for outcome in outcomes if isinstance(outcome, Refusal)),
    )


async def _reported(answering: Awaitable[Outcome], listener: Listener) -> Outcome:
    outcome = await answering
    listener(outcome)
    return outcome


async def _await_good_set(tasks: set[_Task], primary: set[_Task], started: float, deadlines: Deadlines) -> None:
    """Return when all have answered, when a good set has and the soft deadline is past, or at the hard deadline."""
    loop = asyncio.get_running_loop()
    soft, hard = started + deadlines.soft_s, started + deadlines.hard_s
    if not tasks:
        return
    # Until the soft deadline no single answer changes anything, so none wakes us.
    _, pending = await asyncio.wait(tasks, timeout=min(soft, hard) - loop.time())
    while pending and loop.time() < hard and not _is_good(tasks, primary):
        _, pending = await asyncio.wait(pending, timeout=hard - loop.time(), return_when=asyncio.FIRST_COMPLETED)


def _is_good(tasks: set[_Task], primary: set[_Task]) -> bool:
    """Return whether half have answered, and a ``primary`` adapter has a quote, or any if no wanted one is pending."""
    done = {task for task in tasks if task.done()}
    quotes = {task for task in done if isinstance(task.result(), Quote)}
    return 2 * len(done) >= len(tasks) and bool(quotes & primary or (quotes and primary <= done))


async def guarded(
    key: str, call: UpstreamCall, notes: CallNotes, work: Callable[[], Awaitable[T]], timeout_s: float | None = None
) -> T | Refusal:
    """Call an adapter; whatever it raises becomes a refusal, and the call one line in the log."""
    started, since = asyncio.get_running_loop().time(), monotonic()
    answer: T | Refusal
    with span(f"{call.purpose.value} {key}") as present:
        try:
            answer = await call.run(work, timeout_s)
        except AdapterError as error:
            minimum = error.minimum if isinstance(error, BelowMinimum) else None
            ours = isinstance(error, UpstreamFailed) and (error.is_ours or was_held_up(since))
            answer = Refusal(key, error.kind, error.reason, minimum, ours)
            release_frames(error)
        except TimeoutError:
            answer = Refusal(key, UpstreamFailed.kind, "did not answer in time", ours=was_held_up(since))
        except Exception:
            structlog.get_logger().exception("adapter_broke", adapter=key, call=call.purpose.value)
            answer = Refusal(key, UpstreamFailed.kind, "failed unexpectedly")
        if present is not None and isinstance(answer, Refusal):
            present.note("outcome", answer.kind)
            if answer.kind == UpstreamFailed.kind:
                present.fail(answer.kind)
    seconds = asyncio.get_running_loop().time() - started
    if isinstance(answer, Refusal):
        notes.note(key, call.purpose, answer.kind, seconds, answer.reason)
    else:
        notes.note(key, call.purpose, "answered", seconds)
    return answer


def _late(key: str, call: UpstreamCall, notes: CallNotes, seconds: float, *, overdue: bool) -> Refusal:
    """Refuse a cancelled adapter. It is the upstream's fault only at the hard deadline, and if it was asked."""
    if overdue and call.is_asking:
        call.overdue()
    notes.note(key, call.purpose, "late", seconds)
    return Refusal(key, UpstreamFailed.kind, f"did not answer within {seconds:.1f} s")
