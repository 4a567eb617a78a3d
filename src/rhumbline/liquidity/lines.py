"""Pools that give the same rate for any amount: they tie their tokens' prices together, and take what is left over.

For such a pool there is no price at which it trades a part: below its rate it takes all, above it nothing. So the
search keeps these prices at the rate exactly, where the pool gains nothing and the bound is not widened, and moves the
tokens that are tied as one. What goes through the pool is what the other pools leave over.
"""

from collections.abc import Mapping, Sequence
from math import exp

from rhumbline.liquidity.kinds.ladder import Ladder, line_of

Ends = tuple[int, int, tuple[Ladder, Ladder]]
"""The numbers of a pool's two tokens, and its ladders."""


class Lines:
    """Which tokens are tied: ``group`` has each token's representative; the destination represents its own group."""

    def __init__(self, edges: Mapping[int, Ends], tokens: int, destination: int) -> None:
        """Take edges by their numbers; of several that tie the same tokens the first counts."""
        self.group = list(range(tokens))
        self._above = [0.0] * tokens
        self._ties: list[tuple[int, int, int]] = []
        near: dict[int, list[tuple[int, int, float]]] = {}
        for number, (token0, token1, ladders) in edges.items():
            if (rate := line_of(ladders)) is not None:
                near.setdefault(token0, []).append((number, token1, -rate))
                near.setdefault(token1, []).append((number, token0, rate))
        seen: set[int] = set()
        for first in (destination, *near):
            self._grow(first, near, seen)
        self.used = frozenset(number for number, _, _ in self._ties)

    def _grow(self, first: int, near: Mapping[int, list[tuple[int, int, float]]], seen: set[int]) -> None:
        """Tie to a token all that can be, however far; a tie is an edge, its token, and the one nearer to the first."""
        if first in seen:
            return
        seen.add(first)
        queue = [first]
        for token in queue:
            for number, other, step in near.get(token, ()):
                if other not in seen:
                    seen.add(other)
                    self.group[other], self._above[other] = first, self._above[token] + step
                    self._ties.append((number, other, token))
                    queue.append(other)

    def aligned(self, logs: Sequence[float]) -> list[float]:
        """Return prices with those of tied tokens at their rates."""
        return [logs[of] + above for of, above in zip(self.group, self._above, strict=True)]

    def together(self, values: Sequence[float], destination: int) -> list[float]:
        """Return sums by group, at its representative, 0 elsewhere; and for the destination's group."""
        sums = [0.0] * len(values)
        for of, value in zip(self.group, values, strict=True):
            sums[of] += value
        sums[destination] = 0.0
        return sums

    def flows(
        self, left: Sequence[float], logs: Sequence[float], least: float
    ) -> list[tuple[int, int, int, float, float]]:
        """Return what goes through the ties: edge, token in, token out, raw units in and out.

        ``left`` is what the other pools leave over of each token, by its worth; below ``least`` it is nothing.
        """
        values, found = list(left), []
        for number, token, nearer in reversed(self._ties):
            value = values[token]
            values[nearer] += value
            if abs(value) > least:
                sold, bought = (token, nearer) if value > 0 else (nearer, token)
                found.append((number, sold, bought, abs(value) / exp(logs[sold]), abs(value) / exp(logs[bought])))
        return found
