"""One call of an adapter or a price source: its purpose, the hosts that it used, and what it shows about them.

The guards of the hosts are called deep within an adapter, which does not know them; so the current call is in a context
variable.
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
"""Purposes whose calls count for the circuit breaker; status polls and prices have their own patience."""


class HostUnreachable(Exception):
    """No connection to a host could be made, so the request cannot be the cause."""


class Judged(Protocol):
    """The guard of a host, as the end of a call informs it: ``leave`` if the call showed nothing about the host."""

    def settle(self, *, ok: bool, origin: CallOrigin | None = None) -> None: ...

    def leave(self) -> None: ...

    async def rest(self, seconds: float) -> None: ...


class _CallStage(Enum):
    IN_PROGRESS = auto()
    ANSWERED = auto()
    FAILED = auto()
    UNREACHED = auto()


@dataclass(slots=True, eq=False, repr=False)
class UpstreamCall:
    """One call; ``spared`` is why a host was not asked, ``waited_s`` how long it waited for its turns.

    ``asked`` are the hosts that it used, by their guards. A refusal is no failure: a failure is an UpstreamFailed or an
    unforeseen exception of an adapter, or a time-out. It is attributed to the host whose request failed, otherwise to
    the one asked last; a failure of a node of ours belongs to no host, nor does one while our own event loop was
    blocked. A call that ``is_over`` may have a request for which others still wait. It waits ``patience_s`` for each
    request; ``per_s`` bounds its requests a second. ``requester`` is for whom it is made, empty for the service's own;
    ``question`` identifies the request. ``errand`` identifies the plan for which it is made, and the part of it.
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
    asked: dict[Judged, _CallStage] = field(default_factory=dict, init=False)
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
        """Return whether a host was asked; until then the call waits for its turn."""
        return bool(self.asked)

    async def request(self, guard: Judged, work: Callable[[], Awaitable[T]]) -> T:
        """Make a request to a host, the last one of this call that is asked, and note its outcome."""
        self.asked.pop(guard, None)
        self.asked[guard] = _CallStage.IN_PROGRESS
        try:
            answer = await work()
        except Exception as error:
            self.asked[guard] = _CallStage.UNREACHED if isinstance(error, HostUnreachable) else _CallStage.FAILED
            raise
        self.asked[guard] = _CallStage.ANSWERED
        return answer

    def waits(self, seconds: float) -> None:
        """Put the call's own deadline off: a turn that is waited for is no slowness of the host's."""
        self.waited_s += seconds
        ends_at = None if self._timer is None else self._timer.when()
        if self._timer is not None and ends_at is not None:
            self._timer.reschedule(ends_at + seconds)

    def overdue(self) -> None:
        """Note that the call was given up because it was late: a failure of the host being asked."""
        self._end(False)

    def _end(self, ok: bool | None) -> None:
        if self.is_over:
            return
        self.is_over = True
        if self.purpose not in JUDGED:
            return
        told_nothing = ok is None or (not ok and (self.spared is not None or was_held_up(self._began)))
        blamed = () if ok or told_nothing else self._blamed()
        for guard, stage in self.asked.items():
            if told_nothing:
                guard.leave()
            else:
                anyhow = stage is _CallStage.UNREACHED or not self.requester
                origin = None if anyhow else CallOrigin(self.requester, self.question)
                guard.settle(ok=guard not in blamed, origin=origin)

    def _blamed(self) -> tuple[Judged, ...]:
        for stages in ({_CallStage.IN_PROGRESS}, {_CallStage.FAILED, _CallStage.UNREACHED}, {_CallStage.ANSWERED}):
            found = [guard for guard, stage in self.asked.items() if stage in stages]
            if found:
                return tuple(found) if _CallStage.ANSWERED not in stages else (found[-1],)
        return ()


def _is_ours(error: Exception) -> bool:
    """Return whether a node of the service failed, which shows nothing about the upstream."""
    return isinstance(error, NodeUnavailable | NodeRefused) or (isinstance(error, UpstreamFailed) and error.is_ours)


class Errand:
    """Several calls of one plan, which together ask a host with a small budget once.

    Such a host serves the one part for which it was asked first, with all questions about that.
    """

    __slots__ = ("_parts",)

    def __init__(self) -> None:
        self._parts: dict[Judged, Hashable] = {}

    def serves(self, guard: Judged, part: Hashable) -> bool:
        """Return whether a host may be asked for a part, and reserve it for that."""
        return self._parts.setdefault(guard, part) == part


CURRENT: ContextVar[UpstreamCall | None] = ContextVar("upstream_call", default=None)
"""The present call in this context."""
