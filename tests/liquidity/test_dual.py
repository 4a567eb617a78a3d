"""The balanced prices bound every plan, and the linear systems are solved as a dense elimination solves them."""

import random
from math import log

import pytest

from rhumbline.liquidity.dual import Balance, Edge, Order, balance, solve_symmetric
from tests.liquidity.made_market import made_market


def dense(matrix: list[list[float]], right: list[float]) -> list[float]:
    """Gauss's elimination with pivots."""
    size = len(right)
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for column in range(size):
        best = max(range(column, size), key=lambda row: abs(rows[row][column]))
        rows[column], rows[best] = rows[best], rows[column]
        for row in range(size):
            if row != column:
                part = rows[row][column] / rows[column][column]
                rows[row] = [a - part * b for a, b in zip(rows[row], rows[column], strict=True)]
    return [rows[i][size] / rows[i][i] for i in range(size)]


@pytest.mark.parametrize("size", [1, 2, 7, 30])
def test_the_sparse_system_is_solved_as_the_dense_one(size: int) -> None:
    dice = random.Random(size)
    matrix = [[0.0] * size for _ in range(size)]
    for row in range(size):
        matrix[row][row] += dice.uniform(0.1, 1)
        for other in dice.sample(range(size), min(3, size)):
            if other != row:
                weight = 10 ** dice.uniform(-3, 3)
                for a, b, sign in ((row, row, 1), (other, other, 1), (row, other, -1), (other, row, -1)):
                    matrix[a][b] += sign * weight
    right = [dice.uniform(-1, 1) for _ in range(size)]
    rows = [{column: value for column, value in enumerate(row) if value} for row in matrix]
    assert solve_symmetric(rows, right) == pytest.approx(dense(matrix, right), rel=1e-6, abs=1e-9)


def question(seed: int, worth: float) -> tuple[dict[int, Edge], Order, list[float]]:
    market, usd = made_market(seed)
    edges = {}
    for number, pool in enumerate(pool for pools in market.pools.values() for pool in pools):
        state = market.state(pool)
        edges[number] = Edge(
            int(pool.token0, 16) - 1, int(pool.token1, 16) - 1, (state.ladder(True), state.ladder(False))
        )
    return edges, Order(len(usd), 0, 5, worth / usd[0]), [log(each / usd[5]) for each in usd]


@pytest.mark.parametrize("worth", [1e2, 1e5, 1e7])
@pytest.mark.parametrize("seed", range(4))
def test_the_balanced_prices_are_the_least_bound_and_what_flows_in_flows_on(seed: int, worth: float) -> None:
    edges, order, logs = question(seed, worth)
    best = balance(edges, order, logs)
    left = [0.0] * order.tokens
    left[order.origin] = order.amount
    for flow in best.flows:
        left[flow.token_in] -= flow.amount_in
        left[flow.token_out] += flow.amount_out
    received = left[order.destination]
    assert received == pytest.approx(best.bound, rel=1e-7)
    assert all(abs(each) < 1e-6 * order.amount * 2.72 ** (logs[0] - logs[n]) for n, each in enumerate(left[:5]))

    dice = random.Random(seed)
    for width in (1e-6, 1e-3, 0.3):
        moved = [each + dice.uniform(-width, width) for each in best.logs]
        moved[order.destination] = 0.0
        elsewhere = Balance(tuple(moved), (), 0.0, 0.0)
        # No step is taken from prices whose imbalance is within the tolerance: the bound there is what is told.
        assert balance(edges, order, elsewhere.logs, tolerance=1e9).bound >= best.bound * (1 - 1e-12)
        assert balance(edges, order, moved).bound == pytest.approx(best.bound, rel=1e-9)


def test_the_order_of_the_pools_does_not_matter() -> None:
    edges, order, logs = question(1, 1e6)
    turned = dict(reversed(edges.items()))
    assert balance(turned, order, logs).bound == pytest.approx(balance(edges, order, logs).bound, rel=1e-12)
