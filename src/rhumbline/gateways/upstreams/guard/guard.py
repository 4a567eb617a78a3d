"""Protects other hosts from a slow or failing one, and a host from too many calls.

A circuit breaker, a bound on concurrent calls, a budget of calls a second, and obedience to ``Retry-After``: one guard
for each host, shared by quotes, builds, transfer status and prices.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import KW_ONLY, dataclass, field
from functools import partial
from time import monotonic
from typing import TypeVar

import structlog

from rhumbline.domain.errors import UpstreamFailed
from rhumbline.domain.metrics import Metrics, NoMetrics
from rhumbline.domain.service_status import UpstreamState
from rhumbline.gateways.upstreams.guard.breaker import CLOSED, CallOrigin
from rhumbline.gateways.upstreams.guard.budget import (
    WAITING,
    CallBudget,
    Purpose,
    Spared,
    Spending,
    Turn,
    pace_of,
    size_of,
)
from rhumbline.gateways.upstreams.guard.call import CURRENT, JUDGED, UpstreamCall
from rhumbline.gateways.upstreams.guard.shared import SharedBudgets

T = TypeVar("T")
_SAME_REST_S = 1.0
RECENTLY_S = 600.0
"""How long an answer shows that a host answers."""
MOST_OF_AN_ERRAND = 16
"""The bucket size from which a host is asked for all parts of an errand."""
_UNTIMED = frozenset({Spared.USED_UP, Spared.PLANNED})
"""Reasons for not asking a host without a known time of the next attempt."""


@dataclass(frozen=True, slots=True)
class GuardRules:
    """``failures`` in a row open the breaker for ``pause_s`` seconds; at most ``at_once`` calls run at a time.

    ``calls_per_s`` is the host's budget of requests, None for no bound; two seconds' worth may be made at once.
    ``status_per_s`` is a budget of its own for questions about transfers, None where they share the other.
    """

    failures: int = 5
    pause_s: float = 15.0
    at_once: int = 32
    calls_per_s: float | None = None
    status_per_s: float | None = None

    def apart_per_s(self, purpose: Purpose) -> float | None:
        """Return the calls a second of a purpose that has a budget of its own."""
        return self.status_per_s if purpose is Purpose.STATUS else None


_USUAL = GuardRules()


class NotAsked(UpstreamFailed):
    """A host was not asked, and why; ``retry_after_s`` is when it may be, if known."""


@dataclass(slots=True)
class _OwnPlaces:
    """One requester's share of the concurrent calls, and how many of its calls hold or await a place."""

    free: asyncio.Semaphore
    waiting: int = 0


@dataclass(slots=True)
class Places:
    """The concurrency limit of a host: ``at_once`` calls in all, and at most half of them for one requester.

    Further calls wait. A requester is forgotten when its last call ends.
    """

    at_once: int
    _free: asyncio.Semaphore = field(init=False)
    _own: dict[str, _OwnPlaces] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self._free = asyncio.Semaphore(self.at_once)

    async def take(self, requester: str) -> None:
        """Wait for a place; an empty requester is the service itself, which may have all."""
        if not requester:
            await self._free.acquire()
            return
        own = self._own.get(requester)
        if own is None:
            own = self._own[requester] = _OwnPlaces(asyncio.Semaphore(max(1, self.at_once // 2)))
        own.waiting += 1
        try:
            await own.free.acquire()
            try:
                await self._free.acquire()
            except BaseException:
                own.free.release()
                raise
        except BaseException:
            self._unwanted(requester, own)
            raise

    def leave(self, requester: str) -> None:
        self._free.release()
        own = self._own.get(requester)
        if own is not None:
            own.free.release()
            self._unwanted(requester, own)

    def _unwanted(self, requester: str, own: _OwnPlaces) -> None:
        own.waiting -= 1
        if not own.waiting:
            del self._own[requester]


@dataclass(eq=False, repr=False)
class UpstreamGuard:
    """The guard of one host. A quote is refused at once if there is no call left for it.

    Builds, and further requests of a call that was let through, may overdraw the budget: later quotes are refused for
    them. Transfer status and prices wait for their turn, within their share. ``name`` is shown; ``key`` is that of the
    ``shared`` budget.
    """

    name: str
    rules: GuardRules = _USUAL
    _: KW_ONLY
    now: Callable[[], float] = monotonic
    metrics: Metrics = field(default_factory=NoMetrics)
    shared: SharedBudgets | None = None
    key: str = ""

    def __post_init__(self) -> None:
        self.key = self.key or self.name
        self._breaker = CLOSED
        self._budget = CallBudget(self.rules.calls_per_s, self.now())
        self._running = Places(self.rules.at_once)
        self._answered_at: float | None = None

    @property
    def state(self) -> UpstreamState:
        """How the host is doing, as its last calls have shown; nothing is asked."""
        now = self.now()
        if self._breaker.open_until is not None:
            return UpstreamState.BREAKER_OPEN
        if now < self._budget.rests_until:
            return UpstreamState.RATE_LIMITED
        recently = self._answered_at is not None and now - self._answered_at < RECENTLY_S
        return UpstreamState.ANSWERING if recently else UpstreamState.QUIET

    async def run(self, work: Callable[[], Awaitable[T]]) -> T:
        """Make one request when it may be made, as part of the present call; without one it counts as a quote.

        Raise what the work raises; NotAsked, without doing the work, where the host is to be left alone.
        """
        call = CURRENT.get()
        if call is not None and call.purpose in WAITING:
            await self._turn(call)
        requester = "" if call is None else call.requester
        await self._running.take(requester)
        try:
            await self._enter(call)
            return await (work() if call is None else call.request(self, work))
        finally:
            self._running.leave(requester)

    async def _turn(self, call: UpstreamCall) -> None:
        """Wait for the purpose's own turn, then for a call of the budget."""
        if not self._breaker.allows(self.now()):
            raise self._spare(call, Turn(0.0, Spared.PAUSED))
        patience_s, takes = call.patience_s, [partial(self._take_turn, call)]
        if self.rules.apart_per_s(call.purpose) is None:
            takes.append(partial(self._take_call, call))
        for take in takes:
            turn = await take(patience_s)
            if turn.spared is not None:
                raise self._spare(call, turn)
            if turn.wait_s > 0:
                patience_s -= turn.wait_s
                call.waits(turn.wait_s)
                await asyncio.sleep(turn.wait_s)

    async def _enter(self, call: UpstreamCall | None) -> None:
        """Let one request through; raise NotAsked."""
        now, entered = self.now(), False
        again, is_open = call is not None and self in call.asked, self._breaker.open_until is not None
        if not again:
            if is_open and not self._breaker.allows(now):
                raise self._spare(call, Turn(0.0, Spared.PAUSED))
            if call is not None and call.errand is not None and self._is_scarce:
                errand, part = call.errand
                if not errand.serves(self, part):
                    raise self._spare(call, Turn(0.0, Spared.PLANNED))
            entered = is_open and call is not None and call.purpose in JUDGED and not call.is_over
            if entered:
                self._breaker = self._breaker.entered()
        turn = None
        try:
            if call is not None and call.purpose in WAITING:
                # A rest may have begun while it waited.
                rest_s = self._budget.rests_until - now
                turn = Turn(rest_s, Spared.RESTING) if rest_s > 0 else Turn(0.0)
            else:
                may_overdraw = again or (call is not None and call.purpose is Purpose.BUILD)
                turn = await self._take_call(call, 0.0, may_overdraw=may_overdraw)
        finally:
            if entered and (turn is None or turn.spared is not None):
                self._breaker = self._breaker.left()
        if turn.spared is not None:
            raise self._spare(call, turn)

    @property
    def _is_scarce(self) -> bool:
        """Return whether the budget is too small for all requests of one errand."""
        rate = self.rules.calls_per_s
        return rate is not None and size_of(rate) < MOST_OF_AN_ERRAND

    async def _take_turn(self, call: UpstreamCall, patience_s: float) -> Turn:
        rules, purpose = self.rules, call.purpose
        pace = pace_of(purpose, rules.calls_per_s, call.per_s, rules.apart_per_s(purpose))
        turn = None if pace is None else await self._spend("turn", call.purpose, pace, patience_s)
        return self._budget.turn(self.now(), call.purpose, pace, patience_s) if turn is None else turn

    async def _take_call(self, call: UpstreamCall | None, patience_s: float, *, may_overdraw: bool = False) -> Turn:
        rate, what = self.rules.calls_per_s or 0.0, "owed" if may_overdraw else "take"
        purpose, requester = (Purpose.QUOTE, "") if call is None else (call.purpose, call.requester)
        turn = await self._spend(what, purpose, rate, patience_s, requester)
        return (
            self._budget.take(self.now(), patience_s, may_overdraw=may_overdraw, requester=requester)
            if turn is None
            else turn
        )

    async def _spend(
        self, what: str, purpose: Purpose, rate: float, seconds: float, requester: str = ""
    ) -> Turn | None:
        """Ask the processes' common budget; a rest in it is also stored here, in case it becomes unavailable."""
        if self.shared is None:
            return None
        spending = Spending(what, purpose, rate, size_of(self.rules.calls_per_s), seconds, requester)
        turn = await self.shared.spend(self.key, spending)
        if turn is not None and turn.spared is Spared.RESTING:
            self._budget.rest(self.now() + turn.wait_s)
        return turn

    def _spare(self, call: UpstreamCall | None, turn: Turn) -> NotAsked:
        why = turn.spared or Spared.PAUSED
        if call is not None:
            call.spared = why
        self.metrics.spared(self.name, Purpose.QUOTE if call is None else call.purpose, why.name.lower())
        retry_after_s = turn.wait_s
        if why is Spared.PAUSED and self._breaker.open_until is not None:
            retry_after_s = max(self._breaker.open_until - self.now(), 0.0)
        return NotAsked(why.value, None if why in _UNTIMED else retry_after_s)

    async def rest(self, seconds: float) -> None:
        """Ask the host nothing for so long, in any process that shares its budget."""
        now, known = self.now(), self._budget.rests_until
        if known > now and now + seconds - known < _SAME_REST_S:
            return
        if known <= now:
            structlog.get_logger().warning("upstream_rests", upstream=self.name, seconds=round(seconds))
        self._budget.rest(now + seconds)
        await self._spend("rest", Purpose.QUOTE, 0.0, seconds)

    def leave(self) -> None:
        self._breaker = self._breaker.left()

    def settle(self, *, ok: bool, origin: CallOrigin | None = None) -> None:
        """Record how a call ended; only temporary failures count, each once per requester and request."""
        if ok:
            self._answered_at = self.now()
            self._breaker = CLOSED
            return
        was_open = self._breaker.open_until is not None
        self._breaker = self._breaker.failed(self.now(), self.rules.failures, self.rules.pause_s, origin)
        if self._breaker.open_until is not None and not was_open:
            structlog.get_logger().warning("upstream_paused", upstream=self.name, seconds=self.rules.pause_s)
