"""The best split of an order over pools, by the prices of its dual.

Every token has a price; each pool alone trades what pays at these prices, and prices move until what the pools take and
give balances. For any prices at all, the order's worth plus what the pools' trades gain is an upper bound of the
output, so the bound needs no trust in the search. Method: Diamandis, Resnick, Chitra, Angeris, "An Efficient
Algorithm for Optimal Routing Through Constant Function Market Makers" (2023); here by Newton's method on the
logarithms of prices.
Floats: whoever executes the flows recomputes every amount in integers.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp, inf
from typing import NamedTuple

from rhumbline.liquidity.kinds.ladder import Ladder

MOST_STEPS = 60
MOST_TRIES = 12
TOLERANCE = 1e-9
"""Imbalance of a token, of the order's worth, at which the prices are good."""


CLOSED = Ladder([inf], [0.0], 1.0, complete=True)


@dataclass(frozen=True, slots=True)
class Edge:
    """A pool between two tokens, by their numbers; ``ladders`` has the direction 0 → 1 first."""

    token0: int
    token1: int
    ladders: tuple[Ladder, Ladder]
    gas_cost: float = 0.0
    """The least it costs to use it, in raw units of the destination token."""

    def closed(self, direction: int) -> "Edge":
        """Return the pool without one direction: 0 for 0 → 1."""
        forward, backward = self.ladders
        ladders = (CLOSED, backward) if direction == 0 else (forward, CLOSED)
        return Edge(self.token0, self.token1, ladders, self.gas_cost)


class Flow(NamedTuple):
    """What one pool trades at the prices: raw units; ``gain`` in raw units of the destination token."""

    edge: int
    token_in: int
    token_out: int
    amount_in: float
    amount_out: float
    slope: float
    gain: float


@dataclass(frozen=True, slots=True)
class Order:
    """An amount of one token for as much as possible of another; tokens by their numbers below ``tokens``."""

    tokens: int
    origin: int
    destination: int
    amount: float


@dataclass(frozen=True, slots=True)
class Balance:
    """The dual at some prices: ``logs`` by token, the destination's being 0; bounds in raw units of that token.

    No plan over the same pools gives more than ``bound``, nor, its gas taken off, more than ``net_bound``.
    """

    logs: tuple[float, ...]
    flows: tuple[Flow, ...]
    bound: float
    net_bound: float


def balance(edges: Mapping[int, Edge], order: Order, logs: Sequence[float], tolerance: float = TOLERANCE) -> Balance:
    """Search from given prices for those that balance; after ``MOST_STEPS`` the best prices found."""
    now, damping = _at(edges, order, logs), 1e-3
    slack = _imbalance(now, order)
    for _ in range(MOST_STEPS):
        worth, worst = exp(now.logs[order.origin]) * order.amount, max(map(abs, slack))
        if worst < tolerance * worth:
            break
        for _ in range(MOST_TRIES):
            move = solve_symmetric(_system(now, order, slack, damping * worth), [-each for each in slack])
            move = [min(max(each, -0.5), 0.5) for each in move]
            move[order.destination] = 0.0
            tried = _at(edges, order, [a + b for a, b in zip(now.logs, move, strict=True)])
            left = _imbalance(tried, order)
            falls = tried.bound <= now.bound + 1e-4 * sum(a * b for a, b in zip(slack, move, strict=True))
            # Near the least bound its changes drown in rounding; the imbalance still shows the way.
            if falls or (tried.bound <= now.bound * (1 + 1e-13) and max(map(abs, left)) < worst / 2):
                break
            damping *= 8
        else:
            break
        now, slack, damping = tried, left, max(damping / 5, 1e-9)
    return now


def _at(edges: Mapping[int, Edge], order: Order, logs: Sequence[float]) -> Balance:
    prices = [exp(each) for each in logs]
    flows: list[Flow] = []
    bound = net_bound = prices[order.origin] * order.amount
    for number, edge in edges.items():
        a, b = edge.token0, edge.token1
        ratio = 0.5 * (logs[b] - logs[a])
        forward, backward = edge.ladders
        if ratio > forward.start:
            taken, given, slope = forward.trade(ratio)
        elif -ratio > backward.start:
            taken, given, slope = backward.trade(-ratio)
            a, b = b, a
        else:
            continue
        if taken <= 0:
            continue
        # Never negative, but for rounding where prices are many digits apart.
        gain = max(0.0, prices[b] * given - prices[a] * taken)
        flows.append(Flow(number, a, b, taken, given, slope, gain))
        bound += gain
        net_bound += max(0.0, gain - edge.gas_cost)
    return Balance(tuple(logs), tuple(flows), bound, net_bound)


def _imbalance(now: Balance, order: Order) -> list[float]:
    """Return what is left of every token, by its worth: the slope of the bound, 0 for the destination."""
    prices = [exp(each) for each in now.logs]
    slack = [0.0] * order.tokens
    slack[order.origin] = prices[order.origin] * order.amount
    for flow in now.flows:
        slack[flow.token_out] += prices[flow.token_out] * flow.amount_out
        slack[flow.token_in] -= prices[flow.token_in] * flow.amount_in
    slack[order.destination] = 0.0
    return slack


Rows = list[dict[int, float]]


def _system(now: Balance, order: Order, slack: Sequence[float], damping: float) -> Rows:
    """Return the bound's second derivatives, with a damped diagonal; the destination's price does not move."""
    rows: Rows = [{token: damping + max(slack[token], 0.0)} for token in range(order.tokens)]
    for flow in now.flows:
        a, b, weight = flow.token_in, flow.token_out, flow.slope * exp(now.logs[flow.token_out])
        rows[a][a] += weight
        rows[b][b] += weight
        if order.destination not in (a, b):
            rows[a][b] = rows[a].get(b, 0.0) - weight
            rows[b][a] = rows[b].get(a, 0.0) - weight
    return rows


def solve_symmetric(rows: Rows, right: Sequence[float]) -> list[float]:
    """Solve a positive definite symmetric system; each row maps columns to what is not 0, and is used up.

    Rows with the fewest neighbours are eliminated first, which keeps the rest sparse.
    """
    values, live = list(right), set(range(len(rows)))
    done: list[tuple[int, float, list[tuple[int, float]]]] = []
    while live:
        row = min(live, key=lambda each: len(rows[each]))
        live.discard(row)
        pivot = rows[row].pop(row)
        if pivot <= 0:
            # Nothing but rounding is left of it: this one stays where it is.
            pivot = inf
        others = list(rows[row].items())
        for place, (other, factor) in enumerate(others):
            mine = rows[other]
            del mine[row]
            part = factor / pivot
            mine[other] -= part * factor
            values[other] -= part * values[row]
            for third, more in others[place + 1 :]:
                mine[third] = rows[third][other] = mine.get(third, 0.0) - part * more
        done.append((row, pivot, others))
    for row, pivot, others in reversed(done):
        values[row] = (values[row] - sum(factor * values[other] for other, factor in others)) / pivot
    return values
