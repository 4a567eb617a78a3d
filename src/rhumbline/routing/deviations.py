"""Which adapters promised more than was measured, and for how long that lowers their promises."""

from collections.abc import Callable
from fractions import Fraction
from time import monotonic

from rhumbline.domain.amount import BASIS_POINTS
from rhumbline.domain.metrics import Metrics, NoMetrics
from rhumbline.domain.quote import QuoteRequest

MEMORY_S = 600.0
"""How long a shortfall lowers the rank, fading."""
MOST = 10_000
"""Most pairs of tokens that are stored, for all adapters together; the oldest shortfall makes room."""
_TRIFLE = Fraction(1, 100_000)
"""A tenth of a basis point: prices move by that between a quote and its simulation."""
_NONE = Fraction(0)
_Pair = tuple[str, int, str, str]


class Deviations:
    """Stores the worst recent shortfall of each adapter for each pair of tokens.

    By pair, because somebody who moves the price of a small pool can make an adapter fall short there, which must not
    affect other pairs.
    """

    def __init__(self, metrics: Metrics | None = None, now: Callable[[], float] = monotonic) -> None:
        self._metrics: Metrics = metrics or NoMetrics()
        self._now = now
        self._worst: dict[_Pair, tuple[Fraction, float]] = {}

    def note(self, adapter: str, quote_request: QuoteRequest, promised: int, measured: int) -> None:
        """Record the measured output of a promise, in raw units of listed tokens.

        ``measured`` must not depend on the caller: it is what a stand-in gains, not what a receiver keeps.
        """
        share = Fraction(promised - measured, promised)
        if share <= _TRIFLE:
            return
        self._metrics.fell_short(adapter, quote_request.origin.key, float(share * BASIS_POINTS))
        if share > self.penalty(adapter, quote_request):
            pair = _pair(adapter, quote_request)
            self._worst.pop(pair, None)
            self._worst[pair] = (share, self._now())
            if len(self._worst) > MOST:
                del self._worst[next(iter(self._worst))]

    def penalty(self, adapter: str, quote_request: QuoteRequest) -> Fraction:
        """Return the share, 0 to 1, by which a promise is reduced in the ranking of candidates."""
        known = self._worst.get(_pair(adapter, quote_request))
        if known is None:
            return _NONE
        share, at = known
        left_s = max(MEMORY_S - (self._now() - at), 0.0)
        return share * Fraction(round(left_s * 1000), round(MEMORY_S * 1000))


def _pair(adapter: str, quote_request: QuoteRequest) -> _Pair:
    return adapter, quote_request.origin.id, quote_request.origin_token.address, quote_request.destination_token.address
