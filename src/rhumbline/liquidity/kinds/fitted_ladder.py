"""Any concave curve as stretches of constant liquidity, split until they fit.

The curve is given by its marginal price alone: raw units out for the next raw unit in, as floats. The amount between
two prices is an integral: that of constant liquidity, plus the small remainder by Boole's rule. So no amount is the
difference of two large numbers.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from math import inf, sqrt
from typing import NamedTuple

from rhumbline.liquidity.kinds.ladder import Ladder
from rhumbline.liquidity.kinds.unswappable import Unswappable

TOLERANCE = 1e-6
"""The ladder gives what the curve gives, or more by at most this part (0.01 bp), down to LEAST_PRICE."""
LEAST_PRICE = 1e-4
"""Of the first price: there the ladder ends; beyond it the last stretch's liquidity goes on."""
_TAIL = 1e6
_FLAT = 1e-9
_SPLIT = 2 * TOLERANCE
"""The error of one stretch between two knots, relative to the output so far; the two stretches there halve it."""
_LOPSIDED = 2
"""How much more counts what differs between the halves of a stretch: two stretches miss that as one does."""
_MOST_FALL = 4.0
"""In a stretch over which prices fall farther, five of them may miss where it happens."""
_MOST_DOUBLINGS = 60
_SHORTEST = 2.0**-50
_MOST_KNOTS = 2_000
_PLACES = (0.25, 0.5, 0.75)

Price = Callable[[float], float]


class _Knot(NamedTuple):
    """A point of the curve, both amounts since its beginning, and the root of (in for one more out) there."""

    input: float
    output: float
    root: float


def fitted_ladder(price: Price, reach: float, kept: float) -> Ladder:
    """Fit ``price(taken)``, which falls from ``input`` 0 on and is never 0; ``kept`` is the share that is swapped.

    ``input`` is without what is not kept. ``reach`` is an amount in of the pool's own size: the end is looked for from
    there. Where the price rises instead, the ladder has the straight line that lies above the curve: a bound that is
    made with the ladder holds for the curve. Raise Unswappable for a curve that no number of stretches holds.
    """
    knots = _hull(_knots(price, _end(price, reach)))
    if len(knots) < 2:
        raise Unswappable("the pool's prices are no curve")
    steps = _steps(knots)
    roots, taken = [root * (1 - TOLERANCE / 4) for root, _ in steps], [each for _, each in steps]
    liquidities = [(b - a) / (far - near) for (near, far), (a, b) in zip(pairwise(roots), pairwise(taken), strict=True)]
    # A last stretch to practically no price, then nothing.
    return Ladder([*roots, roots[-1] * _TAIL], [*liquidities, liquidities[-1], 0.0], kept, complete=True)


def _end(price: Price, reach: float) -> float:
    least = price(0.0) * LEAST_PRICE
    for _ in range(_MOST_DOUBLINGS):
        if price(reach) <= least:
            break
        reach *= 2
    return reach


def _knots(price: Price, end: float) -> Iterator[_Knot]:
    """Halve stretches, the first ones first, until each is one of constant liquidity."""
    first = price(0.0)
    output, shortest, count = 0.0, end * _SHORTEST, 0
    open_stretches = [(0.0, first, end, price(end))]
    yield _Knot(0.0, 0.0, 1 / sqrt(first))
    while open_stretches:
        near, near_price, far, far_price = open_stretches.pop()
        width = far - near
        between = [price(near + width * place) for place in _PLACES]
        misses = _misses(near_price, between, far_price)
        gain = width * (sqrt(near_price * far_price) + _mean(misses))
        off = width * (abs(_mean(misses)) + _LOPSIDED * abs(misses[0] - misses[2]))
        seen = near_price <= _MOST_FALL * far_price
        if not (seen and off <= _SPLIT * (output + gain)) and width > shortest:
            middle = near + width / 2
            open_stretches += [(middle, between[1], far, far_price), (near, near_price, middle, between[1])]
        else:
            output += gain
            yield _Knot(far, output, 1 / sqrt(far_price))
            count += 1
            if count > _MOST_KNOTS:
                raise Unswappable("the pool's prices are no curve")


def _misses(near_price: float, between: Sequence[float], far_price: float) -> list[float]:
    """Return how far the curve's prices are above those of constant liquidity, whose root rises evenly."""
    near, far = 1 / sqrt(near_price), 1 / sqrt(far_price)
    return [each - (near + place * (far - near)) ** -2 for place, each in zip(_PLACES, between, strict=True)]


def _mean(misses: Sequence[float]) -> float:
    """Boole's rule for a function that is 0 at both ends."""
    return (32 * (misses[0] + misses[2]) + 12 * misses[1]) / 90


def _hull(knots: Iterator[_Knot]) -> list[_Knot]:
    """Leave out what lies below the straight line of its neighbours."""
    kept: list[_Knot] = []
    for knot in knots:
        if kept and knot.output <= kept[-1].output:
            # Too little to be visible beside the output before.
            continue
        while len(kept) > 1 and _slope(kept[-2], kept[-1]) <= _slope(kept[-1], knot):
            kept.pop()
        kept.append(knot)
    return kept


def _slope(a: _Knot, b: _Knot) -> float:
    return (b.output - a.output) / (b.input - a.input)


def _steps(knots: Sequence[_Knot]) -> list[tuple[float, float]]:
    """Return rising roots with the input up to each: two stretches between two knots.

    They meet at the knots' mean root, and so have exactly the curve's input and output between the knots; with one
    stretch errors would add up.
    """
    means = [sqrt((b.input - a.input) / (b.output - a.output)) for a, b in pairwise(knots)]
    ends = [min(max(low, each.root), high) for low, each, high in zip([0.0, *means], knots, [*means, inf], strict=True)]
    steps = [(ends[0], 0.0)]
    for a, near, mean, far, b in zip(knots, ends, means, ends[1:], knots[1:], strict=False):
        part = near * (far - mean) / (mean * (far - near)) if far > near else 0.5
        for root, taken in ((mean, a.input + part * (b.input - a.input)), (far, b.input)):
            steps.append((max(root, steps[-1][0] * (1 + _FLAT)), taken))
    return steps
