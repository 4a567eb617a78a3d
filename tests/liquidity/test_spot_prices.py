"""Prices before any trade follow the deepest pools."""

from math import exp

import pytest

from rhumbline.liquidity.dual import Edge
from rhumbline.liquidity.kinds.linear import LinearState
from rhumbline.liquidity.kinds.pool_state import both_ladders
from rhumbline.liquidity.kinds.v2 import V2State
from rhumbline.liquidity.spot_prices import spot_logs

UNIT = 10**18


def edge(one: int, other: int, reserve0: int, reserve1: int) -> Edge:
    return Edge(one, other, both_ladders(V2State(reserve0 * UNIT, reserve1 * UNIT)))


def test_the_deepest_way_says_the_price() -> None:
    """A small pool that is off says nothing, even where it is the shorter way."""
    logs = spot_logs([edge(0, 2, 100, 900), edge(0, 1, 10_000, 20_000), edge(1, 2, 30_000, 10_000)], 2)
    assert {token: exp(log) for token, log in logs.items()} == pytest.approx({2: 1.0, 1: 1 / 3, 0: 2 / 3}, rel=1e-6)


def test_a_rate_counts_more_than_any_pool() -> None:
    stake = Edge(0, 1, both_ladders(LinearState(100, 110, 10**24, 10**24)))
    logs = spot_logs([edge(0, 2, 10**6, 10**6), edge(1, 2, 10**5, 2 * 10**5), stake], 2)
    assert exp(logs[1]) == pytest.approx(1.1, rel=1e-5)


def test_what_nothing_joins_has_no_price() -> None:
    assert spot_logs([edge(0, 1, 1, 1)], 2) == {2: 0.0}
