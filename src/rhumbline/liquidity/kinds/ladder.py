"""One direction of a pool as floats: stretches of constant liquidity, for the search; never for amounts handed out.

With ``r`` the square root of (raw units in for one raw unit out), a stretch of liquidity ``L`` takes ``L * (r1 - r0)``
without its fee and gives ``L * (1 / r0 - 1 / r1)``, in both directions of constant product and concentrated liquidity
alike (Uniswap V3 whitepaper, 6.2).
"""

from bisect import bisect_right
from collections.abc import Sequence
from math import exp, log


class Ladder:
    """Stretches outwards from the present price; ``complete``: nothing is known to lie beyond the last."""

    __slots__ = ("_given", "_liquidities", "_logs", "_roots", "_taken", "complete", "depth", "half_fee", "start")

    def __init__(self, roots: Sequence[float], liquidities: Sequence[float], kept: float, complete: bool) -> None:
        """Take where each stretch begins, and its liquidity; ``kept`` is the share of the input that is swapped."""
        self.half_fee = -0.5 * log(kept)
        self.complete, self.depth = complete, liquidities[0]
        self._roots, self._liquidities = list(roots), list(liquidities)
        self._logs = [log(root) for root in roots]
        self._taken, self._given = [0.0], [0.0]
        for i in range(len(roots) - 1):
            step = (self._roots[i + 1] - self._roots[i]) * self._liquidities[i]
            self._taken.append(self._taken[-1] + step)
            self._given.append(self._given[-1] + step / self._roots[i] / self._roots[i + 1])
        self.start = self._logs[0] + self.half_fee
        """Half the logarithm of (out's price / in's price) above which a trade pays."""

    def trade(self, ratio: float) -> tuple[float, float, float]:
        """Return what pays at ``ratio`` (above ``start``): raw units in with the fee, out, and the out's slope."""
        root_log = ratio - self.half_fee
        i = bisect_right(self._logs, root_log) - 1
        root, near, liquidity = exp(root_log), self._roots[i], self._liquidities[i]
        step = liquidity * (root - near)
        taken = (self._taken[i] + step) * exp(2 * self.half_fee)
        return taken, self._given[i] + step / near / root, 0.5 * liquidity / root

    def ends_before(self, ratio: float) -> bool:
        """Tell whether the trade at ``ratio`` would go beyond what is known."""
        return not self.complete and ratio - self.half_fee >= self._logs[-1]
