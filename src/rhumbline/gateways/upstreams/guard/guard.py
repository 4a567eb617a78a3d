"""Keeps one slow or failing host from harming the others, and us from harming a host.

A circuit breaker, a bound for calls at once, a budget of calls a second, and obedience to ``Retry-After``: one guard a
host, for quotes, builds, questions about transfers and prices alike, whoever asks.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import KW_ONLY, dataclass, field
from functools import partial
from time import monotonic
from typing import TypeVar

import structlog
from yarl import URL

from rhumbline.domain.errors import UpstreamFailed
from rhumbline.domain.metrics import Metrics, NoMetrics
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
from rhumbline.gateways.upstreams.guard.places import Places
from rhumbline.gateways.upstreams.guard.shared import SharedBudgets

T = TypeVar("T")
_SAME_REST_S = 1.0
MOST_OF_AN_ERRAND = 16
"""Calls that a bucket must hold to be asked for all parts of an errand."""
_UNTIMED = frozenset({Spared.USED_UP, Spared.PLANNED})
"""Why a host is not asked without its being known when it may be."""


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
    """A host was not asked, and why; ``retry_after_s`` is when it may be, where that is known."""


@dataclass(eq=False, repr=False)
class UpstreamGuard:
    """What stands before one host. A quote is refused at once where there is no call left for it.

    A build is owed, and so is what follows from a request that was let through: it is paid for later, by quotes
    that are not asked for. Questions about transfers and prices wait for their turn, within their share. ``name`` is
    shown; ``key`` is that of the budget where it is ``shared``.
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

    async def run(self, work: Callable[[], Awaitable[T]]) -> T:
        """Make one request when it may be made, as part of the call that goes on; without one it counts as a quote.

        Raise what the work raises; NotAsked, without doing the work, where the host is to be left alone.
        """
        call = CURRENT.get()
        if call is not None and call.purpose in WAITING:
            await self._turn(call)
        requester = "" if call is None else call.requester
        await self._running.take(requester)
        try:
            await self._enter(call)
            if call is None:
                return await work()
            call.asks(self)
            try:
                result = await work()
            except Exception as error:
                call.failed(self, error)
                raise
            call.answered(self)
            return result
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
        now = self.now()
        again = call is not None and call.has_asked(self)
        if not again:
            if not self._breaker.allows(now):
                raise self._spare(call, Turn(0.0, Spared.PAUSED))
            if call is not None and call.errand is not None and self._is_scarce:
                errand, part = call.errand
                if not errand.serves(self, part):
                    raise self._spare(call, Turn(0.0, Spared.PLANNED))
            if call is not None and call.purpose in JUDGED and not call.is_over:
                self._breaker = self._breaker.entered()
                call.enters(self)
        if call is not None and call.purpose in WAITING:
            # The rest may have begun while it waited.
            rest_s = self._budget.rests_until - now
            turn = Turn(rest_s, Spared.RESTING) if rest_s > 0 else Turn(0.0)
        else:
            owed = again or (call is not None and call.purpose is Purpose.BUILD)
            turn = await self._take_call(call, 0.0, owed=owed)
        if turn.spared is not None:
            if call is not None and not again:
                call.turns_away(self)
            raise self._spare(call, turn)

    @property
    def _is_scarce(self) -> bool:
        """Tell whether the budget does not hold all questions of one errand."""
        rate = self.rules.calls_per_s
        return rate is not None and size_of(rate) < MOST_OF_AN_ERRAND

    async def _take_turn(self, call: UpstreamCall, patience_s: float) -> Turn:
        rules, purpose = self.rules, call.purpose
        pace = pace_of(purpose, rules.calls_per_s, call.per_s, rules.apart_per_s(purpose))
        turn = None if pace is None else await self._spend("turn", call.purpose, pace, patience_s)
        return self._budget.turn(self.now(), call.purpose, pace, patience_s) if turn is None else turn

    async def _take_call(self, call: UpstreamCall | None, patience_s: float, *, owed: bool = False) -> Turn:
        rate, what = self.rules.calls_per_s or 0.0, "owed" if owed else "take"
        purpose, requester = (Purpose.QUOTE, "") if call is None else (call.purpose, call.requester)
        turn = await self._spend(what, purpose, rate, patience_s, requester)
        return self._budget.take(self.now(), patience_s, owed=owed, requester=requester) if turn is None else turn

    async def _spend(
        self, what: str, purpose: Purpose, rate: float, seconds: float, requester: str = ""
    ) -> Turn | None:
        """Ask the processes' common budget; its rest is kept, in case it is gone."""
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

    def settle(self, *, ok: bool, asking: CallOrigin | None = None) -> None:
        """Note how a call ended; only failures that may pass are any, each once for who asked and what was asked."""
        if ok:
            self._breaker = self._breaker.succeeded()
            return
        was_open = self._breaker.open_until is not None
        self._breaker = self._breaker.failed(self.now(), self.rules.failures, self.rules.pause_s, asking)
        if self._breaker.open_until is not None and not was_open:
            structlog.get_logger().warning("upstream_paused", upstream=self.name, seconds=self.rules.pause_s)


@dataclass(slots=True, eq=False)
class UpstreamGuards:
    """One guard a host, made when it is first asked for; ``rules`` are by ``host_and_port``, else the usual ones."""

    rules: Mapping[str, GuardRules] = field(default_factory=dict)
    metrics: Metrics = field(default_factory=NoMetrics)
    shared: SharedBudgets | None = None
    now: Callable[[], float] = monotonic
    _guards: dict[str, UpstreamGuard] = field(default_factory=dict, init=False)

    def of(self, url: str, name: str) -> UpstreamGuard:
        """Return the guard of a URL's host; ``name``, of whoever asks first, is what is shown of it."""
        host = host_and_port(url)
        guard = self._guards.get(host)
        if guard is None:
            rules = self.rules.get(host, _USUAL)
            guard = self._guards[host] = UpstreamGuard(
                name, rules, now=self.now, metrics=self.metrics, shared=self.shared, key=host
            )
        return guard


def host_and_port(url: str) -> str:
    """Return host and port of a URL, by which guards are kept; raise ValueError for one without a host."""
    here = URL(url)
    if here.host is None:
        raise ValueError("a URL without a host")
    return f"{here.host}:{here.port}"
