"""Which of several processes does shared work on the chains: the one that started last."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field


@dataclass
class DutyRoster:
    """One post for each name. Two solvers of one bridge on the same chains would pay every deposit twice."""

    _held: dict[str, list[object]] = field(default_factory=dict)

    @contextmanager
    def held(self, name: str) -> Iterator[Callable[[], bool]]:
        """Take a post for the length of the context, then return it to the previous holder; yields who is on duty."""
        mark = object()
        holders = self._held.setdefault(name, [])
        holders.append(mark)
        try:
            yield lambda: holders[-1] is mark
        finally:
            holders.remove(mark)
