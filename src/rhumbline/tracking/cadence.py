"""When a chain is polled next: often while a transaction of ours may be mined on it, otherwise seldom."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from math import inf
from time import monotonic

LONGEST_IDLE_S = 60.0
"""A chain without an awaited transaction is polled once a minute, even if its heads are announced."""
BLOCKS_READ = 9
"""How many of the last blocks show how long one takes."""
_FEWEST_GAPS = 4
_LEARN_EVERY_S = 60.0
_SPARED = 0.75
"""The share of the block time that can pass without a poll: no recent block came sooner."""
_ANNOUNCED = 3


LeftReader = Callable[[], Awaitable[float]]
"""Reads for how many seconds a transaction may still be mined on a chain."""
BlocksReader = Callable[[], Awaitable[Sequence[tuple[int, datetime]]]]
"""Reads numbers and times of the last blocks of a chain that were read, in order."""


async def no_blocks() -> Sequence[tuple[int, datetime]]:
    """Read nothing: for chains whose blocks are not kept."""
    return ()


@dataclass(frozen=True, slots=True)
class Cadence:
    """``poll_s`` is the pause while a transaction is awaited, ``idle_s`` the one while none is."""

    poll_s: float
    idle_s: float

    def rest_s(self, *, block_s: float | None, head_for_s: float) -> float:
        """Return the pause while a transaction is awaited and heads are not announced.

        ``block_s`` is what each block took of late, None where they are irregular; ``head_for_s`` is for how long the
        newest one may have been there.
        """
        ahead_s = 0.0 if block_s is None else _SPARED * block_s - head_for_s
        return max(self.poll_s, min(ahead_s, self.idle_s))

    def idle_rest_s(self, *, announced: bool) -> float:
        """Return the pause while no transaction is awaited; longer if ``announced`` heads show that all is well."""
        wanted_s = self.idle_s * _ANNOUNCED if announced else self.idle_s
        return max(self.poll_s, min(wanted_s, LONGEST_IDLE_S))


def usual_block_s(blocks: Sequence[tuple[int, datetime]]) -> float | None:
    """Return the seconds that each of a chain's blocks takes, by numbers and times of some, in order.

    All of them took that or a multiple, for some are left out; else, or from too few, None: then nobody knows when the
    next one comes.
    """
    gaps = [((above[1] - below[1]).total_seconds(), above[0] - below[0]) for below, above in pairwise(blocks)]
    least = min((seconds / count for seconds, count in gaps), default=0.0)
    if len(gaps) < _FEWEST_GAPS or least <= 0 or any(seconds % least for seconds, _ in gaps):
        return None
    return least


class Pace:
    """When one chain is polled next, by its last polls; ``now`` is in seconds."""

    __slots__ = (
        "_block_s",
        "_blocks",
        "_head",
        "_head_after",
        "_learnt_at",
        "_left_s",
        "_looked_at",
        "_now",
        "_until",
        "cadence",
    )

    def __init__(
        self,
        cadence: Cadence,
        left_s: LeftReader,
        blocks: BlocksReader = no_blocks,
        now: Callable[[], float] = monotonic,
    ) -> None:
        """Before the first read nothing is awaited."""
        self.cadence = cadence
        self._left_s = left_s
        self._blocks = blocks
        self._now = now
        self._until = 0.0
        self._block_s: float | None = None
        self._learnt_at: float | None = None
        self._head: int | None = None
        self._head_after = self._looked_at = -inf

    @property
    def awaits(self) -> bool:
        """Return whether a transaction may still be mined; also true if there is no slower pace."""
        return self.cadence.idle_s <= self.cadence.poll_s or self._now() < self._until

    async def look(self) -> None:
        """Read what is awaited, if nothing is known to be, and the block time. Raise a database error."""
        if not self.awaits:
            left_s = await self._left_s()
            self._until = self._now() + left_s
        if self.awaits and (self._learnt_at is None or self._now() - self._learnt_at >= _LEARN_EVERY_S):
            self._block_s, self._learnt_at = usual_block_s(await self._blocks()), self._now()

    def rest_s(self, head: int | None) -> float:
        """Return the pause after a poll that saw this head, while a transaction is awaited."""
        if head != self._head:
            self._head, self._head_after = head, self._looked_at
        self._looked_at = self._now()
        return self.cadence.rest_s(block_s=self._block_s, head_for_s=self._looked_at - self._head_after)
