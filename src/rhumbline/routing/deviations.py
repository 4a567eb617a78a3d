"""Who promised more than was measured, and for how long that counts against them."""

from collections.abc import Callable
from fractions import Fraction
from time import monotonic

from rhumbline.domain.amount import BASIS_POINTS
from rhumbline.domain.metrics import Metrics, NoMetrics
from rhumbline.domain.quote import QuoteRequest

MEMORY_S = 600.0
"""So long a shortfall lowers the rank, less and less."""
MOST = 10_000
"""So many pairs of tokens are remembered, of all adapters together; the one that fell short longest ago makes room."""
_TRIFLE = Fraction(1, 100_000)
"""A tenth of a basis point: a price moves so much between a quote and its simulation."""
_Pair = tuple[str, int, str, str]


class Deviations:
    """Remembers the worst recent shortfall of each adapter for each pair of tokens.

    By pair, because whoever moves the price of a small pool makes an adapter fall short there, and must not be able to
    do so elsewhere.
    """

    def __init__(self, metrics: Metrics | None = None, now: Callable[[], float] = monotonic) -> None:
        self._metrics: Metrics = metrics or NoMetrics()
        self._now = now
        self._worst: dict[_Pair, tuple[Fraction, float]] = {}

    def note(self, adapter: str, asked: QuoteRequest, promised: int, measured: int) -> None:
        """Take note of what a run showed of a promise, in raw units of listed tokens.

        ``measured`` must be what no caller has a hand in: what a stand-in gains, not what a receiver keeps.
        """
        share = Fraction(promised - measured, promised)
        if share <= _TRIFLE:
            return
        self._metrics.fell_short(adapter, asked.origin.key, float(share * BASIS_POINTS))
        if share > self.penalty(adapter, asked):
            pair = _pair(adapter, asked)
            self._worst.pop(pair, None)
            self._worst[pair] = (share, self._now())
            if len(self._worst) > MOST:
                del self._worst[next(iter(self._worst))]

    def penalty(self, adapter: str, asked: QuoteRequest) -> Fraction:
        """Return the share by which a promise is believed less when candidates are put in order: 0 to 1."""
        known = self._worst.get(_pair(adapter, asked))
        if known is None:
            return Fraction(0)
        share, at = known
        left_s = max(MEMORY_S - (self._now() - at), 0.0)
        return share * Fraction(round(left_s * 1000), round(MEMORY_S * 1000))


def _pair(adapter: str, asked: QuoteRequest) -> _Pair:
    return adapter, asked.origin.id, asked.origin_token.address, asked.destination_token.address
