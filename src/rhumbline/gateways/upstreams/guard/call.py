"""One call of an adapter or a price source: what it is for, which hosts it has asked, and what that tells of them.

The guards of the hosts are asked deep within an adapter, which knows nothing of them; so the call that goes on is kept
in a context variable.
"""

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from contextvars import ContextVar
from dataclasses import KW_ONLY, dataclass, field
from enum import Enum, auto
from time import monotonic
from typing import Protocol, TypeVar

from rhumbline.domain.errors import AdapterError, NodeRefused, NodeUnavailable, UpstreamFailed
from rhumbline.gateways.loop_watch import was_held_up
from rhumbline.gateways.upstreams.guard.breaker import CallOrigin
from rhumbline.gateways.upstreams.guard.budget import Purpose, Spared

T = TypeVar("T")
PATIENCE_S = 60.0
JUDGED = frozenset({Purpose.QUOTE, Purpose.BUILD})
"""Purposes by whose calls an upstream is judged: what follows transfers and prices has a patience of its own."""


class HostUnreachable(Exception):
    """No connection to a host could be made: nothing was asked, so it cannot be for what was asked."""


class Judged(Protocol):
    """What stands before a host, as the end of a call tells it: ``leave`` where the call told nothing of the host."""

    def settle(self, *, ok: bool, asking: CallOrigin | None = None) -> None: ...

    def leave(self) -> None: ...

    async def rest(self, seconds: float) -> None: ...


class _CallStage(Enum):
    ENTERED = auto()
    ASKING = auto()
    ANSWERED = auto()
    FAILED = auto()
    UNREACHED = auto()


@dataclass(slots=True, eq=False, repr=False)
class UpstreamCall:
    """One call; ``spared`` is why a host was not asked, ``waited_s`` for how long it waited for its turns.

    An upstream that says no works: a failure is what an adapter raises as UpstreamFailed or did not foresee, and being
    late. It is of the host whose request failed, else of the one that was asked last; what a node of ours failed at is
    no host's, and what failed while our own event loop was held up is not either. A call that ``is_over`` may have a
    request that others wait for still.

    It waits ``patience_s`` for each request, of which ``per_s`` bounds how many are made a second. ``requester`` is on
    whose behalf it is made, empty for the service's own; ``question`` is what is asked. ``errand`` is what it is made
    for together with others, and for which part of that.
    """

    purpose: Purpose
    patience_s: float = PATIENCE_S
    per_s: float | None = None
    _: KW_ONLY
    requester: str = ""
    question: Hashable = None
    errand: "tuple[Errand, Hashable] | None" = None
    spared: Spared | None = field(default=None, init=False)
    waited_s: float = field(default=0.0, init=False)
    is_over: bool = field(default=False, init=False)
    _began: float = field(default_factory=monotonic, init=False)
    _stages: dict[Judged, _CallStage] = field(default_factory=dict, init=False)
    _timer: asyncio.Timeout | None = field(default=None, init=False)

    async def run(self, work: Callable[[], Awaitable[T]], timeout_s: float | None = None) -> T:
        """Do the work as this call; raise what it raises, and TimeoutError after ``timeout_s``, turns not counted."""
        token = CURRENT.set(self)
        try:
            if timeout_s is None:
                # The caller cancels. No timer either: it would hold the task, and a task that was cancelled would hold
                # it, with all that the call has in hand, until the garbage collector looks for such rings.
                result = await work()
            else:
                result = await self._in_time(work, timeout_s)
        except asyncio.CancelledError:
            self._end(None)
            raise
        except Exception as error:
            ours = _is_ours(error)
            self._end(None if ours else isinstance(error, AdapterError) and not isinstance(error, UpstreamFailed))
            if isinstance(error, UpstreamFailed) and error.retry_after_s and self.spared is None and not ours:
                for guard in self._blamed():
                    await guard.rest(error.retry_after_s)
            raise
        else:
            self._end(True)
            return result
        finally:
            CURRENT.reset(token)

    async def _in_time(self, work: Callable[[], Awaitable[T]], timeout_s: float) -> T:
        try:
            async with asyncio.timeout(timeout_s) as self._timer:
                return await work()
        except TimeoutError:
            if self._timer is not None and self._timer.expired():
                self.overdue()
            raise
        finally:
            self._timer = None

    @property
    def is_asking(self) -> bool:
        """Tell whether a host was asked; until then the call waits for a place, and nobody was."""
        return any(stage is not _CallStage.ENTERED for stage in self._stages.values())

    def has_asked(self, guard: Judged) -> bool:
        return self._stages.get(guard, _CallStage.ENTERED) is not _CallStage.ENTERED

    def enters(self, guard: Judged) -> None:
        self._stages.setdefault(guard, _CallStage.ENTERED)

    def turns_away(self, guard: Judged) -> None:
        if self._stages.pop(guard, None) is not None:
            guard.leave()

    def asks(self, guard: Judged) -> None:
        """Note that a host is being asked, as the last one."""
        self._stages.pop(guard, None)
        self._stages[guard] = _CallStage.ASKING

    def answered(self, guard: Judged) -> None:
        self._stages[guard] = _CallStage.ANSWERED

    def failed(self, guard: Judged, error: Exception) -> None:
        self._stages[guard] = _CallStage.UNREACHED if isinstance(error, HostUnreachable) else _CallStage.FAILED

    def waits(self, seconds: float) -> None:
        """Put the call's own deadline off: a turn that is waited for is no slowness of the host's."""
        self.waited_s += seconds
        ends_at = None if self._timer is None else self._timer.when()
        if self._timer is not None and ends_at is not None:
            self._timer.reschedule(ends_at + seconds)

    def overdue(self) -> None:
        """Note that the call was given up because it was too late: a failure of the host that is being asked."""
        self._end(False)

    def _end(self, ok: bool | None) -> None:
        if self.is_over:
            return
        self.is_over = True
        if self.purpose not in JUDGED:
            return
        told_nothing = ok is None or (not ok and (self.spared is not None or was_held_up(self._began)))
        blamed = () if ok or told_nothing else self._blamed()
        for guard, stage in self._stages.items():
            if told_nothing or stage is _CallStage.ENTERED:
                guard.leave()
            else:
                anyhow = stage is _CallStage.UNREACHED or not self.requester
                asking = None if anyhow else CallOrigin(self.requester, self.question)
                guard.settle(ok=guard not in blamed, asking=asking)

    def _blamed(self) -> tuple[Judged, ...]:
        for wanted in ({_CallStage.ASKING}, {_CallStage.FAILED, _CallStage.UNREACHED}, {_CallStage.ANSWERED}):
            found = [guard for guard, stage in self._stages.items() if stage in wanted]
            if found:
                return tuple(found) if _CallStage.ANSWERED not in wanted else (found[-1],)
        return ()


def _is_ours(error: Exception) -> bool:
    """Tell whether a node of the service's failed, which tells nothing of who is asked beside it."""
    return isinstance(error, NodeUnavailable | NodeRefused) or (isinstance(error, UpstreamFailed) and error.is_ours)


class Errand:
    """What several calls are made for that ask a host with a small budget once, together: a plan of several steps.

    Such a host serves the one part for which it was asked first, with all questions about that.
    """

    __slots__ = ("_parts",)

    def __init__(self) -> None:
        self._parts: dict[Judged, Hashable] = {}

    def serves(self, guard: Judged, part: Hashable) -> bool:
        """Tell whether a host may be asked for a part, and keep it for that."""
        return self._parts.setdefault(guard, part) == part


CURRENT: ContextVar[UpstreamCall | None] = ContextVar("upstream_call", default=None)
"""The call that goes on here."""
