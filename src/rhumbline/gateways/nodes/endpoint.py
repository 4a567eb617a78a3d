"""One endpoint of a chain: its purposes, recent failures and speed, missing abilities, and why it is set aside."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from time import monotonic
from typing import Generic, TypeVar

R = TypeVar("R")
LACKING_FOR_S = 600.0
"""How long an endpoint is not asked first for what it could not do; an upgrade or another plan may add it."""
LATE_S = 1.0
"""An answer that comes longer than this after its caller left counts as none."""
_HALF_LIFE_S = 30.0
_MOST_COUNTED = 10.0
_FEWEST_FAILURES = 1.5
_FAILING_SHARE = 0.25
_LATENCY_WEIGHT = 0.2
_UNKNOWN_LATENCY_S = 0.15


class Use(StrEnum):
    """The purpose of reading a chain."""

    QUOTES = "quotes"
    SIMULATION = "simulation"
    TRACKING = "tracking"
    ARCHIVE = "archive"


class Lack(StrEnum):
    """Why another endpoint may be able to do what one refused."""

    METHOD = "does not have the method"
    RANGE = "refuses so many blocks or logs at once"
    OLD_STATE = "does not have the state of blocks so old"
    NOW = "has no answer now"


@dataclass(frozen=True, slots=True)
class EndpointTerms:
    """The operator's settings of an endpoint. ``name`` is shown in the log and in metrics; its URL never is.

    The lowest ``order`` is asked first; endpoints of the same order share calls by ``weight``, which is also their vote
    when endpoints contradict each other. Without ``uses`` it serves all purposes.
    """

    name: str
    order: int = 0
    weight: int = 1
    uses: frozenset[Use] = frozenset()

    def serves(self, use: Use) -> bool:
        return not self.uses or use in self.uses


class Endpoint(Generic[R]):
    """An endpoint and its recent behaviour; ``rpc`` makes its calls, ``now`` is in seconds.

    ``set_aside`` is why it is not asked at all, None if it is; ``head`` is the newest block that it reported.
    """

    def __init__(self, rpc: R, terms: EndpointTerms, now: Callable[[], float] = monotonic) -> None:
        self.rpc = rpc
        self.terms = terms
        self.set_aside: str | None = None
        self.head: int | None = None
        self.share = 0
        self._now = now
        self._failed = self._answered = 0.0
        self._counted_at = now()
        self._lacks: dict[tuple[Use, str], tuple[Lack, float]] = {}
        self._latency: dict[str, float] = {}

    @property
    def name(self) -> str:
        return self.terms.name

    @property
    def failing(self) -> float:
        """The recent share of failed calls if it is too high, else 0: failing endpoints are asked last.

        Each counts half after 30 s, and there are ten of a kind at most: a sound one is found out within four failures,
        a failing one is tried again after a minute or so.
        """
        self._age()
        share = self._failed / ((self._failed + self._answered) or 1.0)
        return share if self._failed >= _FEWEST_FAILURES and share > _FAILING_SHARE else 0.0

    def answered(self, method: str, seconds: float) -> None:
        self._age()
        self._answered = min(self._answered + 1, _MOST_COUNTED)
        known = self._latency.get(method, seconds)
        self._latency[method] = known + _LATENCY_WEIGHT * (seconds - known)

    def failed(self) -> None:
        self._age()
        self._failed = min(self._failed + 1, _MOST_COUNTED)

    def latency_s(self, method: str) -> float:
        """Return how long its answers to a method take, as a moving average."""
        return self._latency.get(method, _UNKNOWN_LATENCY_S)

    def cannot(self, use: Use, method: str, lack: Lack) -> None:
        """Learn that it refuses a method, as it is used so; a passing refusal is a failure."""
        if lack is Lack.NOW:
            self.failed()
        else:
            self._lacks[use, method] = lack, self._now() + LACKING_FOR_S

    def lacks(self, use: Use, method: str) -> Lack | None:
        """Return why a method cannot be used for a purpose; None if nothing is known against it."""
        lack, until = self._lacks.get((use, method), (None, 0.0))
        return lack if self._now() < until else None

    def _age(self) -> None:
        now = self._now()
        if now > self._counted_at:
            left = 0.5 ** ((now - self._counted_at) / _HALF_LIFE_S)
            self._failed, self._answered, self._counted_at = self._failed * left, self._answered * left, now


def next_of(equal: Sequence[Endpoint[R]]) -> Endpoint[R]:
    """Choose by weight, evenly spread: each gains its weight, and the chosen one pays the total."""
    for each in equal:
        each.share += each.terms.weight
    chosen = max(equal, key=lambda each: each.share)
    chosen.share -= sum(each.terms.weight for each in equal)
    return chosen
