"""The duration of a Solana chain's blocks: heights from the node's other answers, by this machine's clock.

Clusters change their slots' length: mainnet began with 400 ms, 200 ms are active since SIMD-0525 (2026-10), and a
private chain may have any. A blockhash is valid for a number of blocks, so its validity in seconds is measured.
"""

from collections.abc import Callable
from time import monotonic

LIFE_BLOCKS = 150
"""How many blocks a blockhash is valid after its own: MAX_PROCESSING_AGE of agave, solana-clock, read 2026-11-22."""
UNMEASURED_S = 0.2
"""The assumed block time until it is measured: if blocks take longer, a transaction only expires early."""
SHORTEST_S, LONGEST_S = 0.08, 0.8
"""The bounds of the block time, whatever a node says: twelve seconds or two minutes for a blockhash."""
_NEAREST_S, _BASE_S, _WINDOW_S, _OLDEST_S = 1.0, 5.0, 60.0, 600.0


class BlockPace:
    """Measures over the last minute, and at least five seconds; after a pause over up to ten minutes.

    ``now`` is in seconds. It makes no calls: it is informed of every height in a node's answers.
    """

    def __init__(self, now: Callable[[], float] = monotonic) -> None:
        self._now = now
        self._seen: list[tuple[float, int]] = []
        self._measured_s: float | None = None

    @property
    def block_s(self) -> float:
        """The seconds that a block lasts, within the bounds."""
        return UNMEASURED_S if self._measured_s is None else self._measured_s

    def note(self, height: int) -> None:
        """Take in that there are so many confirmed blocks now."""
        now = self._now()
        if self._seen and height < self._seen[-1][1] - LIFE_BLOCKS:
            # Another chain, or one that was set back: earlier heights are no reference.
            self._seen.clear()
        if self._seen and (now - self._seen[-1][0] < _NEAREST_S or height < self._seen[-1][1]):
            # Of several nodes behind one URL some are always a little behind.
            return
        self._seen.append((now, height))
        while len(self._seen) > 1 and self._is_spent(now):
            del self._seen[0]
        then, before = self._seen[0]
        if now - then >= _BASE_S:
            self._measured_s = min(max((now - then) / max(height - before, 1), SHORTEST_S), LONGEST_S)

    def _is_spent(self, now: float) -> bool:
        """Return whether the first is too old, or older than a minute with another that is old enough behind it."""
        first, second = self._seen[0][0], self._seen[1][0]
        return now - first > _OLDEST_S or (now - first > _WINDOW_S and now - second >= _BASE_S)
