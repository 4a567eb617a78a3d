"""One direction of a pool as floats: stretches of constant liquidity, for the search; never for amounts handed out.

With ``r`` the square root of (raw units in for one raw unit out), a stretch of liquidity ``L`` takes ``L * (r1 - r0)``
without its fee and gives ``L * (1 / r0 - 1 / r1)``, in both directions of constant product and concentrated liquidity
alike (Uniswap V3 whitepaper, 6.2).
"""

from bisect import bisect_right
from collections.abc import Sequence
from math import exp, inf, log


class Ladder:
    """Stretches outwards from the present price; ``complete``: nothing is known to lie beyond the last."""

    __slots__ = ("_inputs", "_liquidities", "_logs", "_outputs", "_roots", "complete", "depth", "half_fee", "start")

    def __init__(self, roots: Sequence[float], liquidities: Sequence[float], kept: float, complete: bool) -> None:
        """Take where each stretch begins, and its liquidity; ``kept`` is the share of the input that is swapped."""
        self.half_fee = -0.5 * log(kept)
        self.complete, self.depth = complete, liquidities[0]
        self._roots, self._liquidities = list(roots), list(liquidities)
        self._logs = [log(root) for root in roots]
        self._inputs, self._outputs = [0.0], [0.0]
        for i in range(len(roots) - 1):
            step = (self._roots[i + 1] - self._roots[i]) * self._liquidities[i]
            self._inputs.append(self._inputs[-1] + step)
            self._outputs.append(self._outputs[-1] + step / self._roots[i] / self._roots[i + 1])
        self.start = self._logs[0] + self.half_fee
        """Half the logarithm of (out's price / in's price) above which a trade pays."""

    def trade(self, ratio: float) -> tuple[float, float, float]:
        """Return what pays at ``ratio`` (above ``start``): raw units in with the fee, out, and the out's slope."""
        root_log = ratio - self.half_fee
        i = bisect_right(self._logs, root_log) - 1
        root, near, liquidity = exp(root_log), self._roots[i], self._liquidities[i]
        step = liquidity * (root - near)
        taken = (self._inputs[i] + step) * exp(2 * self.half_fee)
        return taken, self._outputs[i] + step / near / root, 0.5 * liquidity / root

    @property
    def reserve(self) -> int:
        """The raw units out at the present price: the known liquidity, at most as if it never changed."""
        return int(min(self._outputs[-1], self.depth / self._roots[0]))

    @property
    def end(self) -> float:
        """Half the logarithm of the price, in for out, at the end of the last stretch."""
        return self._logs[-1]

    @property
    def capacity(self) -> float:
        """Raw units in, without the fee, up to there."""
        return self._inputs[-1]

    @property
    def is_line(self) -> bool:
        """Whether the price is the same for any amount, and nothing is taken off."""
        return self.complete and not self.half_fee and 0 < self.end - self._logs[0] < _LINE

    def ends_before(self, ratio: float) -> bool:
        """Return whether the trade at ``ratio`` would go beyond the known liquidity."""
        return not self.complete and ratio - self.half_fee >= self._logs[-1]


CLOSED = Ladder([inf], [0.0], 1.0, complete=True)
"""A direction in which nothing can be traded."""
_LINE = 1e-6


def line_of(ladders: tuple[Ladder, Ladder]) -> float | None:
    """Return the logarithm of token1 out for one token0 in of a pool that gives it for any amount, and back as well.

    None for another. ``ladders`` has the direction 0 → 1 first.
    """
    forward, backward = ladders
    return -2 * forward.end if forward.is_line and backward.is_line else None


def line_gain(ladders: tuple[Ladder, Ladder], price0: float, price1: float) -> float:
    """Return the largest gain at two prices of a pool of which ``line_of`` is a rate: it trades all or nothing."""
    forward, backward = ladders
    ways = (forward, price0, price1), (backward, price1, price0)
    return max(0.0, *(way.capacity * (bought * exp(-2 * way.end) - sold) for way, sold, bought in ways))


def most_gain(ladders: tuple[Ladder, Ladder], ratio: float, price0: float, price1: float) -> float:
    """Return the most that a pool gains at two prices; ``ratio`` is half the logarithm of price1 / price0."""
    if line_of(ladders) is not None:
        return line_gain(ladders, price0, price1)
    gain = 0.0
    for ladder, at, sold, bought in (ladders[0], ratio, price0, price1), (ladders[1], -ratio, price1, price0):
        if at > ladder.start:
            amount_in, amount_out, _ = ladder.trade(at)
            gain = max(gain, bought * amount_out - sold * amount_in)
    return gain
