"""The endpoints of one chain as one node: which is asked first, and which next if that one fails or is late.

An endpoint that is on another chain, behind the others or contradicts them is not asked (``comparison.py``); one that
failed recently, or cannot do what is requested, is asked last. Everything happens within the one deadline of a call.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from time import monotonic
from typing import Generic, NamedTuple, NoReturn, Protocol, TypeVar

from rhumbline.domain.errors import NodeRefused, NodeUnavailable
from rhumbline.domain.metrics import Metrics, NoMetrics
from rhumbline.domain.spans import PRESENT, SpanKind
from rhumbline.gateways.loop_watch import was_held_up
from rhumbline.gateways.nodes.endpoint import LATE_S, Endpoint, Lack, Use, next_of
from rhumbline.gateways.nodes.identity import NodeOnOtherChain
from rhumbline.gateways.nodes.json_rpc import AnswerTooLarge, UnexpectedAnswer

R = TypeVar("R")
T = TypeVar("T")
Refusals = Sequence[tuple[str, NodeRefused]]
_SENDING = frozenset({"eth_sendRawTransaction", "sendTransaction"})
_BATCH = "a batch"
_IMPATIENT = frozenset({Use.QUOTES, Use.SIMULATION})
_SOONEST_S = 0.1
_LEAST_S = 0.001
_PATIENCE = 3.0
"""A quote's read goes to a second endpoint after this many times the first one's average duration."""


class Reading:
    """Related calls: those to one chain go to one endpoint, as long as it answers."""

    __slots__ = ("_answered",)

    def __init__(self) -> None:
        self._answered: dict[str, list[str]] = {}

    def names(self, chain: str) -> tuple[str, ...]:
        """Return which endpoints of a chain, by its key, have answered, the last one first."""
        return tuple(reversed(self._answered.get(chain, ())))

    def answered(self, chain: str, endpoint: str) -> None:
        known = self._answered.setdefault(chain, [])
        if known[-1:] != [endpoint]:
            known[:] = [*(each for each in known if each != endpoint), endpoint]


_READING: ContextVar[Reading | None] = ContextVar("reading", default=None)


@contextmanager
def reading() -> Iterator[Reading]:
    """Make calls that belong together, including those of tasks started within; a reading within a reading joins it."""
    outer = _READING.get()
    if outer is not None:
        yield outer
        return
    token = _READING.set(made := Reading())
    try:
        yield made
    finally:
        _READING.reset(token)


class Comparing(Protocol):
    """Sets endpoints aside, and takes them back, by comparing all of a chain."""

    async def refresh(self, *, seldom: bool, urgent: bool) -> None: ...


class Outcome(NamedTuple, Generic[T]):
    """One endpoint's answer, and its rank among others; a sound answer ends the call."""

    worth: int
    taken: Callable[[], T]


_ELSEWHERE, _SILENT, _UNREADABLE, _REFUSED, _SOUND = range(5)


@dataclass(frozen=True, slots=True)
class Endpoints(Generic[R]):
    """The endpoints of the chain with the key ``chain``, for one ``use``.

    ``comparison`` is None for a single endpoint. ``lack_of`` classifies a refusal that another endpoint may not share.
    All state is in the ``every`` endpoints, and so shared with the chain's other uses.
    """

    chain: str
    every: tuple[Endpoint[R], ...]
    lack_of: Callable[[str, NodeRefused], Lack | None]
    comparison: Comparing | None = None
    metrics: Metrics = field(default_factory=NoMetrics)
    use: Use = Use.QUOTES

    def of(self, use: Use) -> "Endpoints[R]":
        return replace(self, use=use)

    def only(self, name: str) -> "Endpoints[R]":
        """Return one of them by its name, set aside or not."""
        return replace(self, every=tuple(each for each in self.every if each.name == name))

    def other_than(self, names: Collection[str]) -> "Endpoints[R] | None":
        """Return the endpoints with other names that are not set aside; None if there are none."""
        rest = tuple(each for each in self.every if each.name not in names and each.set_aside is None)
        return replace(self, every=rest) if rest else None

    def lack(self, method: str) -> Lack | None:
        """Return why no endpoint supports a method; None if one may."""
        lacks = [each.lacks(self.use, method) for each in self._serving()]
        return lacks[0] if lacks and all(lacks) else None

    async def run(
        self,
        methods: Sequence[str],
        attempt: Callable[[R, float], Awaitable[T]],
        timeout_s: float,
        refusals: Callable[[T], Refusals] = lambda _: (),
    ) -> T:
        """Make calls of these methods by ``attempt``, which is given an endpoint's calls and the seconds left.

        ``refusals`` are those within an answer. Raise what says the most of all that the endpoints raised.
        """
        if len(self.every) == 1:
            return (await self._tried(self.every[0], methods, attempt, timeout_s, refusals)).taken()
        candidates = await self._candidates(methods)
        if not _SENDING.isdisjoint(methods):
            # A transaction that was sent may be on its way, whatever became of the answer.
            del candidates[1:]
        if len(candidates) == 1:
            return (await self._tried(candidates[0], methods, attempt, timeout_s, refusals)).taken()
        return await self._first(candidates, methods, attempt, timeout_s, refusals)

    async def _first(
        self,
        candidates: Sequence[Endpoint[R]],
        methods: Sequence[str],
        attempt: Callable[[R, float], Awaitable[T]],
        timeout_s: float,
        refusals: Callable[[T], Refusals],
    ) -> T:
        """Ask one after the other, the next one also while one is late; return the first sound answer."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + timeout_s
        patience_s = timeout_s / len(candidates)
        if self.use in _IMPATIENT:
            usual_s = candidates[0].latency_s(_kind(methods))
            patience_s = min(max(_PATIENCE * usual_s, _SOONEST_S), patience_s)
        waiting, best = list(candidates), Outcome[T](-1, _none_asked)
        running: set[asyncio.Task[Outcome[T]]] = set()
        try:
            while running or waiting:
                if waiting:
                    left_s = max(deadline - loop.time(), _LEAST_S)
                    attempted = self._tried(waiting.pop(0), methods, attempt, left_s, refusals)
                    running.add(loop.create_task(attempted))
                done, running = await asyncio.wait(
                    running, timeout=patience_s if waiting else None, return_when=asyncio.FIRST_COMPLETED
                )
                for task in done:
                    outcome = task.result()
                    if outcome.worth == _SOUND:
                        return outcome.taken()
                    best = outcome if outcome.worth > best.worth else best
            return best.taken()
        finally:
            for task in running:
                task.cancel()

    async def _tried(
        self,
        endpoint: Endpoint[R],
        methods: Sequence[str],
        attempt: Callable[[R, float], Awaitable[T]],
        timeout_s: float,
        refusals: Callable[[T], Refusals],
    ) -> Outcome[T]:
        now = asyncio.get_running_loop().time
        began, since, result = now(), monotonic(), "late"
        present = PRESENT.get()
        recorded = None if present is None else present.child(_kind(methods), SpanKind.CLIENT)
        try:
            answer = await attempt(endpoint.rpc, timeout_s)
            refused = refusals(answer)
            lacking = bool(refused) and self._learn(endpoint, refused)
            outcome, result = Outcome(_SOUND - lacking, lambda: answer), "refused" if lacking else "answered"
        except NodeRefused as error:
            lacking, result = self._learn(endpoint, [(methods[0], error)]), "refused"
            outcome = Outcome(_SOUND - lacking, _raising(error))
        except NodeUnavailable as error:
            if not was_held_up(since):
                endpoint.failed()
            outcome, result = Outcome(_worth(error), _raising(error)), "failed"
            if recorded is not None:
                recorded.fail(result)
            if isinstance(error, NodeOnOtherChain):
                endpoint.set_aside = f"is on {error.found}"
        except asyncio.CancelledError:
            if now() - began > LATE_S and not was_held_up(since):
                endpoint.failed()
            raise
        finally:
            seconds = now() - began
            self.metrics.asked_node(self.chain, endpoint.terms.name, methods, self.use.value, result, seconds)
            if recorded is not None:
                about = {"chain": self.chain, "node": endpoint.terms.name, "purpose": self.use.value}
                for key, value in (about | {"methods": " ".join(methods), "outcome": result}).items():
                    recorded.note(key, value)
                recorded.end()
        # How one answered decides whom of several to ask.
        if outcome.worth >= _REFUSED and self.comparison is not None:
            if not was_held_up(since):
                endpoint.answered(_kind(methods), seconds)
            if (calls := _READING.get()) is not None:
                calls.answered(self.chain, endpoint.name)
        return outcome

    def _learn(self, endpoint: Endpoint[R], refused: Refusals) -> bool:
        """Remember what an endpoint cannot do; return whether another one may."""
        lacking = False
        for method, error in refused:
            if (lack := self.lack_of(method, error)) is not None:
                endpoint.cannot(self.use, method, lack)
                lacking = True
        return lacking

    def _serving(self) -> list[Endpoint[R]]:
        able = [each for each in self.every if each.set_aside is None]
        # What those for tracking have forgotten an archive may still have.
        uses = (self.use, Use.ARCHIVE) if self.use is Use.TRACKING else (self.use,)
        return [each for each in able if any(map(each.terms.serves, uses))] or able

    async def _candidates(self, methods: Sequence[str]) -> list[Endpoint[R]]:
        """Return the endpoints to ask, in order; raise NodeUnavailable if all are set aside."""
        if self.comparison is not None:
            nobody = all(each.set_aside is not None for each in self.every)
            await self.comparison.refresh(seldom=self.use not in _IMPATIENT, urgent=nobody)
        serving = self._serving()
        if not serving:
            raise set_aside(self.chain, self.every)
        calls = _READING.get()
        before = () if calls is None else calls.names(self.chain)
        lacking = {each.name for each in serving if any(each.lacks(self.use, method) for method in methods)}

        def place(each: Endpoint[R]) -> tuple[bool, bool, float, int, int]:
            known = before.index(each.name) if each.name in before else len(before)
            return not each.terms.serves(self.use), each.name in lacking, each.failing, known, each.terms.order

        places = {each.name: place(each) for each in serving}
        ranked = sorted(serving, key=lambda each: places[each.name])
        if len(lacking) == len(serving):
            # All refuse it: to hear that from each would only cost.
            return ranked[:1]
        equal = [each for each in ranked if places[each.name] == places[ranked[0].name]]
        if len(equal) > 1:
            chosen = next_of(equal)
            ranked = [chosen, *(each for each in ranked if each is not chosen)]
        return ranked


class SetAside(NodeUnavailable):
    """Every endpoint of a chain is set aside (wrong chain, or contradictions); the operator must act.

    ``why`` says so in words that may be shown.
    """

    def __init__(self, chain: str, why: str) -> None:
        super().__init__(f"{chain}: {why}")
        self.why = why


def set_aside(chain: str, every: Sequence[Endpoint[R]]) -> SetAside:
    """Return the error that says why no endpoint can be asked."""
    return SetAside(chain, "; ".join(f"endpoint {each.name} {each.set_aside}" for each in every))


def _raising(error: Exception) -> Callable[[], NoReturn]:
    def taken() -> NoReturn:
        raise error

    return taken


def _none_asked() -> NoReturn:
    raise AssertionError("at least one endpoint is asked")


def _worth(error: NodeUnavailable) -> int:
    if isinstance(error, NodeOnOtherChain):
        return _ELSEWHERE
    return _UNREADABLE if isinstance(error, AnswerTooLarge | UnexpectedAnswer) else _SILENT


def _kind(methods: Sequence[str]) -> str:
    return methods[0] if len(methods) == 1 else _BATCH
