"""Who promised more than was measured, and for how long that counts against them."""

from collections.abc import Callable
from fractions import Fraction
from time import monotonic

from rhumbline.domain.amount import BASIS_POINTS
from rhumbline.domain.chain import Chain
from rhumbline.domain.metrics import Metrics, NoMetrics

MEMORY_S = 600.0
"""So long a shortfall lowers the rank, less and less."""
_TRIFLE = Fraction(1, 100_000)
"""A tenth of a basis point: a price moves so much between a quote and its simulation."""


class Deviations:
    """Remembers the worst recent shortfall of each adapter on each chain."""

    __slots__ = ("_metrics", "_now", "_worst")

    def __init__(self, metrics: Metrics | None = None, now: Callable[[], float] = monotonic) -> None:
        self._metrics: Metrics = metrics or NoMetrics()
        self._now = now
        self._worst: dict[tuple[str, int], tuple[Fraction, float]] = {}

    def note(self, adapter: str, chain: Chain, promised: int, measured: int) -> None:
        """Take note of what a simulation measured of a promise (both positive, raw units of a listed token)."""
        share = Fraction(promised - measured, promised)
        if share <= _TRIFLE:
            return
        self._metrics.fell_short(adapter, chain.key, float(share * BASIS_POINTS))
        if share > self.penalty(adapter, chain.id):
            self._worst[adapter, chain.id] = (share, self._now())

    def penalty(self, adapter: str, chain_id: int) -> Fraction:
        """Return the share by which a promise is believed less when candidates are put in order: 0 to 1."""
        if (adapter, chain_id) not in self._worst:
            return Fraction(0)
        share, at = self._worst[adapter, chain_id]
        left_s = max(MEMORY_S - (self._now() - at), 0.0)
        return share * Fraction(round(left_s * 1000), round(MEMORY_S * 1000))
