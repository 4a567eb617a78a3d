"""A small cache for answers that may be slightly old, bounded in age and number."""

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

V = TypeVar("V")


@dataclass(slots=True)
class TtlCache(Generic[V]):
    """Caches at most `size` answers, each for `age_s` seconds, by ``now``, from the moment of its request."""

    age_s: float
    size: int
    now: Callable[[], float] = time.monotonic
    _answers: dict[object, tuple[float, V]] = field(default_factory=dict)
    _generation: int = 0

    async def get(self, question: object, ask: Callable[[], Awaitable[V]]) -> V:
        kept = self._answers.get(question)
        asked_at = self.now()
        if kept is not None and asked_at - kept[0] < self.age_s:
            return kept[1]
        generation = self._generation
        answer = await ask()
        if generation == self._generation:
            # Taken out first, so that the order of the dict is about the order of age, and the first one is the oldest.
            self._answers.pop(question, None)
            self._answers[question] = (asked_at, answer)
            now = self.now()
            while self._answers:
                oldest = next(iter(self._answers))
                if len(self._answers) <= self.size and now - self._answers[oldest][0] < self.age_s:
                    break
                del self._answers[oldest]
        return answer

    def known(self, question: object) -> V | None:
        """Return the answer if it is cached and fresh, without a call."""
        kept = self._answers.get(question)
        return None if kept is None or self.now() - kept[0] >= self.age_s else kept[1]

    def forget(self) -> None:
        """Drop everything, answers that are under way included."""
        self._generation += 1
        self._answers.clear()
