"""A fitted ladder is its curve, not below it, and at most 0.01 bp above it."""

from itertools import accumulate, pairwise
from math import exp, log, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhumbline.liquidity.kinds.fitted_ladder import LEAST_PRICE, TOLERANCE, Price, fitted_ladder
from rhumbline.liquidity.kinds.ladder import Ladder

SCALE = 10**12


def stable_output(x: int, y: int, a: int, taken: int) -> int:
    """Two coins of Curve's first paper, x and y in 1e-12 of what is traded, by bisection on the invariant itself."""

    def excess(x: int, y: int, d: int) -> int:
        return 4 * a * (x + y) * 4 * x * y + 4 * x * y * d - 4 * a * d * 4 * x * y - d**3

    low, high = 0, x + y
    while high - low > 1:
        d = (low + high) // 2
        low, high = (d, high) if excess(x, y, d) >= 0 else (low, d)
    d, (low, high) = low, (0, y)
    while high - low > 1:
        left = (low + high) // 2
        low, high = (low, left) if excess(x + taken, left, d) >= 0 else (left, high)
    return y - high


def stable_price(x: float, y: float, a: float) -> Price:
    """Solve the same invariant as a quadratic equation, at the first point for D by Newton's method."""
    d = x + y
    for _ in range(100):
        product = d**3 / (4 * x * y)
        d = (4 * a * (x + y) + 2 * product) * d / ((4 * a - 1) * d + 3 * product)

    def price(taken: float) -> float:
        now = x + taken
        b, c = now + d / (4 * a) - d, d / (2 * now) * d * d / (8 * a)
        root = sqrt(b * b + 4 * c)
        left = 2 * c / (b + root) if b > 0 else (root - b) / 2
        both = d**3 / (4 * now * left)
        return (4 * a + both / now) / (4 * a + both / left)

    return price


def trades(ladder: Ladder) -> list[tuple[float, float, float]]:
    """Everywhere from just above the first price to LEAST_PRICE of it."""
    last = -0.5 * log(LEAST_PRICE)
    return [ladder.trade(ladder.start + last * exp(-step / 4)) for step in range(1, 50)]


@given(st.integers(1, 100_000), st.floats(-4, 4), st.integers(10, 30))
def test_it_holds_a_stable_curve(a: int, skew: float, size: int) -> None:
    x, y = int(exp(skew) * 10**size), 10**size
    ladder = fitted_ladder(stable_price(float(x), float(y), float(a)), float(x), 0.999)
    for taken, given_out, _ in trades(ladder):
        counted = int(taken * 0.999 * SCALE)
        if given_out < 1e-3 * y:
            # What rounding to whole 1e-12 leaves of D is no longer small beside the output.
            continue
        exact = stable_output(x * SCALE, y * SCALE, a, counted) / SCALE
        assert exact * (1 - 1e-9) <= given_out <= exact * (1 + TOLERANCE + 1e-9)


def test_what_one_stretch_holds_has_few() -> None:
    ladder = fitted_ladder(lambda taken: 6e48 / (2e24 + taken) ** 2, 2e24, 0.997)
    for taken, given_out, _ in trades(ladder):
        counted = taken * 0.997
        assert given_out == pytest.approx(counted * 3e24 / (2e24 + counted), rel=TOLERANCE)
    assert ladder.depth == pytest.approx(sqrt(6) * 1e24, rel=TOLERANCE)


def test_a_price_that_never_falls_is_a_line() -> None:
    ladder = fitted_ladder(lambda _: 3.0, 1e18, 1.0)
    assert ladder.start == pytest.approx(-0.5 * log(3), abs=TOLERANCE)
    taken, given_out, _ = ladder.trade(ladder.start + 1e-6)
    assert given_out == pytest.approx(3 * taken, rel=1e-5)


def test_a_price_that_rises_first_bounds_what_pays() -> None:
    """A fee that falls towards the balance does that. At any price the ladder gains what the best trade gains."""
    step = 1 / 2048
    prices = [(1 + 4e-4 * t * exp(-t)) * exp(-((t / 4) ** 4)) for t in (step * place for place in range(16_385))]
    given_out = [0.0, *accumulate(step * (a + b) / 2 for a, b in pairwise(prices))]
    ladder = fitted_ladder(lambda t: (1 + 4e-4 * t * exp(-t)) * exp(-((t / 4) ** 4)), 4.0, 1.0)
    for ratio in (1e-6, 5e-5, 7e-5, 9e-5, 1e-3, 0.1, 1.0):
        taken, gives, _ = ladder.trade(ratio) if ratio > ladder.start else (0.0, 0.0, 0.0)
        price = exp(-2 * ratio)
        best = max(out - price * place * step for place, out in enumerate(given_out))
        assert gives - price * taken == pytest.approx(best, abs=2 * TOLERANCE * gives + 1e-7)


@given(st.floats(1, 1e40), st.floats(1e-30, 1e30))
def test_the_measure_of_amounts_does_not_matter(reach: float, scale: float) -> None:
    """The more is taken the less is given for it, whatever a raw unit is worth; the slope is that of the amounts."""
    ladder = fitted_ladder(lambda taken: scale / (1 + taken / reach) ** 1.7, reach, 0.9996)
    before = (0.0, 0.0)
    for taken, given_out, slope in reversed(trades(ladder)):
        assert taken > before[0]
        assert given_out > before[1]
        assert slope > 0
        before = (taken, given_out)
