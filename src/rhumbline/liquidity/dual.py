"""The best split of an order over pools, by the prices of its dual.

Every token has a price; each pool alone makes its best trade at these prices, and prices move until the pools' inputs
and outputs balance. For any prices, the order's worth plus the gains of the pools' trades is an upper bound of the
output, so the bound needs no trust in the search. Method: Diamandis, Resnick, Chitra, Angeris, "An Efficient Algorithm
for Optimal Routing Through Constant Function Market Makers" (2023); here by Newton's method on the logarithms of
prices. It uses floats: the code that executes the flows recomputes every amount in integers.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import exp, inf
from typing import NamedTuple

from rhumbline.liquidity.kinds.ladder import CLOSED, Ladder, line_gain, line_of
from rhumbline.liquidity.lines import Lines

MOST_STEPS = 60
MOST_TRIES = 24
TOLERANCE = 1e-9
"""Imbalance of a token, of the order's worth, at which the prices are good."""


@dataclass(frozen=True, slots=True)
class Edge:
    """A pool between two tokens, by their numbers; ``ladders`` has the direction 0 → 1 first."""

    token0: int
    token1: int
    ladders: tuple[Ladder, Ladder]
    gas_cost: float = 0.0
    """The least it costs to use it, in raw units of the destination token; plays no part in the search."""

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
    ``imbalance`` is the largest of a token, as a part of the order's worth.
    """

    logs: tuple[float, ...]
    flows: tuple[Flow, ...]
    bound: float
    net_bound: float
    imbalance: float = 0.0


def balance(edges: Mapping[int, Edge], order: Order, logs: Sequence[float], tolerance: float = TOLERANCE) -> Balance:
    """Search from given prices for those that balance; after ``MOST_STEPS`` return the best prices found."""
    lines = Lines({n: (e.token0, e.token1, e.ladders) for n, e in edges.items()}, order.tokens, order.destination)
    now, damping = at_prices(edges, order, lines.aligned(logs)), 1e-3
    slack = lines.together(_imbalance(now, order), order.destination)
    for _ in range(MOST_STEPS):
        worth, worst = exp(now.logs[order.origin]) * order.amount, max(map(abs, slack))
        if worst < tolerance * worth:
            break
        for _ in range(MOST_TRIES):
            rows = _system(now, order, lines, slack, damping * worth)
            move = [min(max(each, -0.5), 0.5) for each in solve_symmetric(rows, [-each for each in slack])]
            move[order.destination] = 0.0
            tried = at_prices(edges, order, lines.aligned([a + b for a, b in zip(now.logs, move, strict=True)]))
            left = lines.together(_imbalance(tried, order), order.destination)
            falls = tried.bound <= now.bound + 1e-4 * sum(a * b for a, b in zip(slack, move, strict=True))
            # Near the least bound its changes drown in rounding; the imbalance still shows the way.
            if falls or (tried.bound <= now.bound * (1 + 1e-13) and max(map(abs, left)) < worst / 2):
                break
            damping *= 8
        else:
            break
        now, slack, damping = tried, left, max(damping / 5, 1e-9)
    worth = exp(now.logs[order.origin]) * order.amount
    tied = lines.flows(_imbalance(now, order), now.logs, TOLERANCE * worth)
    flows = (*now.flows, *(Flow(*each, 0.0, 0.0) for each in tied))
    return replace(now, flows=flows, imbalance=max(map(abs, slack)) / worth)


def at_prices(edges: Mapping[int, Edge], order: Order, logs: Sequence[float]) -> Balance:
    """Let each pool trade what pays at given prices, but for those of one rate (``Lines``); the bounds hold at any."""
    prices = [exp(each) for each in logs]
    flows: list[Flow] = []
    bound = net_bound = prices[order.origin] * order.amount
    for number, edge in edges.items():
        if line_of(edge.ladders) is not None:
            gain = line_gain(edge.ladders, prices[edge.token0], prices[edge.token1])
            bound, net_bound = bound + gain, net_bound + max(0.0, gain - edge.gas_cost)
            continue
        ratio = 0.5 * (logs[edge.token1] - logs[edge.token0])
        forward, backward = edge.ladders
        if ratio > forward.start:
            flow = _traded(number, edge.token0, edge.token1, forward, ratio, prices)
        elif -ratio > backward.start:
            flow = _traded(number, edge.token1, edge.token0, backward, -ratio, prices)
        else:
            continue
        if flow.amount_in <= 0:
            continue
        flows.append(flow)
        bound += flow.gain
        net_bound += max(0.0, flow.gain - edge.gas_cost)
    return Balance(tuple(logs), tuple(flows), bound, net_bound)


def _traded(number: int, token_in: int, token_out: int, ladder: Ladder, ratio: float, prices: Sequence[float]) -> Flow:
    amount_in, amount_out, slope = ladder.trade(ratio)
    if slope <= 0:
        # Beyond the end nothing more is traded; towards it the flow must be seen to change, or no step is short enough.
        slope = 0.5 * amount_out / (ratio - ladder.start)
    # Never negative, but for rounding where prices are many digits apart.
    gain = max(0.0, prices[token_out] * amount_out - prices[token_in] * amount_in)
    return Flow(number, token_in, token_out, amount_in, amount_out, slope, gain)


def _imbalance(now: Balance, order: Order) -> list[float]:
    """Return each token's surplus, at its price: the slope of the bound, 0 for the destination."""
    prices = [exp(each) for each in now.logs]
    slack = [0.0] * order.tokens
    slack[order.origin] = prices[order.origin] * order.amount
    for flow in now.flows:
        slack[flow.token_out] += prices[flow.token_out] * flow.amount_out
        slack[flow.token_in] -= prices[flow.token_in] * flow.amount_in
    slack[order.destination] = 0.0
    return slack


Rows = list[dict[int, float]]


def _system(now: Balance, order: Order, lines: Lines, slack: Sequence[float], damping: float) -> Rows:
    """Return the bound's second derivatives, with a damped diagonal; the destination's price does not move."""
    rows: Rows = [{token: damping + max(slack[token], 0.0)} for token in range(order.tokens)]
    for flow in now.flows:
        a, b, weight = (
            lines.group[flow.token_in],
            lines.group[flow.token_out],
            flow.slope * exp(now.logs[flow.token_out]),
        )
        if a == b:
            continue
        rows[a][a] += weight
        rows[b][b] += weight
        if order.destination not in (a, b):
            rows[a][b] = rows[a].get(b, 0.0) - weight
            rows[b][a] = rows[b].get(a, 0.0) - weight
    return rows


def solve_symmetric(rows: Rows, right: Sequence[float]) -> list[float]:
    """Solve a positive definite symmetric system; each row maps columns to its nonzeros, and is modified.

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
