"""Who is on duty on the chains: of several that would do the same work, the one that came last."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field


@dataclass
class DutyRoster:
    """One post a name. Two solvers of one bridge on the same chains would pay every deposit twice."""

    _held: dict[str, list[object]] = field(default_factory=dict)

    @contextmanager
    def held(self, name: str) -> Iterator[Callable[[], bool]]:
        """Take a post until the context ends, and give it back to who had it; what is yielded tells who is on duty."""
        mark = object()
        holders = self._held.setdefault(name, [])
        holders.append(mark)
        try:
            yield lambda: holders[-1] is mark
        finally:
            holders.remove(mark)
