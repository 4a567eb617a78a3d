"""From an order to a plan: which pools take which part, exact to the unit, with bounds of what any plan could give."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import exp

from rhumbline.liquidity.dual import Balance, Edge, Flow, Order, balance
from rhumbline.liquidity.kinds.unswappable import Unswappable
from rhumbline.liquidity.market import Hop, Market
from rhumbline.liquidity.paths import best_path
from rhumbline.liquidity.pools import Pool

SHARE_BITS = 32
MOST_ROUNDS = 30
MOST_TRIALS = 8
MOST_POOLS = 24
_ROUGH = 1e-6


@dataclass(frozen=True, slots=True)
class Terms:
    """An order: raw units of ``origin`` for ``destination``; ``gas_price`` in raw units of ``native`` a unit.

    ``forks``: an intermediate token may leave through several pools, which SwapRouter02 cannot do.
    """

    origin: str
    destination: str
    amount: int
    native: str
    gas_price: int
    forks: bool = False


@dataclass(frozen=True, slots=True)
class Plan:
    """Hops in the order of their execution. ``net`` and the bounds are raw units of the destination token.

    No plan over the same pools gives more than ``bound``, nor, the gas of its swaps taken off, more than ``net_bound``.
    """

    hops: tuple[Hop, ...]
    output: int
    net: float
    bound: float
    net_bound: float


@dataclass(frozen=True, slots=True)
class Found:
    """``plan`` is None where nothing takes the order; ``short``: pools and directions whose ticks do not suffice."""

    plan: Plan | None
    short: tuple[tuple[Pool, bool], ...] = ()


def find_plan(market: Market, terms: Terms, paths: Sequence[Sequence[str]]) -> Found:
    """Split an order over all pools of a market, or send all of it along the best of ``paths`` where that nets more.

    Pure, and as exact as the states are. An output of 0 is a plan too: the order is below one unit.
    """
    return _Search(market, terms).run(paths)


class _Search:
    def __init__(self, market: Market, terms: Terms) -> None:
        self._market, self._terms = market, terms
        self._pools = [pool for pools in market.pools.values() for pool in pools]
        names = dict.fromkeys(token for pool in self._pools for token in (pool.token0, pool.token1))
        self._tokens = list(names)
        self._number = {token: place for place, token in enumerate(self._tokens)}
        self._edges: dict[int, Edge] = {}
        self._gas_cost = 0.0
        self._short: set[tuple[Pool, bool]] = set()

    def run(self, paths: Sequence[Sequence[str]]) -> Found:
        origin, destination = (self._number.get(each) for each in (self._terms.origin, self._terms.destination))
        if origin is None or destination is None:
            return Found(None)
        self._edges = self._read_edges()
        logs = _spot_logs(self._edges.values(), destination)
        if origin not in logs:
            return Found(None)
        native = logs.get(self._number.get(self._terms.native, -1))
        self._gas_cost = 0.0 if native is None else self._terms.gas_price * exp(native)
        self._edges = {
            number: Edge(each.token0, each.token1, each.ladders, each.gas_cost * self._gas_cost)
            for number, each in self._edges.items()
            if each.token0 in logs
        }
        order = Order(len(self._tokens), origin, destination, float(self._terms.amount))
        first = balance(self._edges, order, [logs.get(token, 0.0) for token in range(order.tokens)])
        self._note_short(first)
        best = None
        if not self._short:
            best = self._improve(order, first, first if self._terms.forks else self._one_exit(order, first))
        if single := best_path(self._market, paths, self._terms.amount, self._gas_cost):
            floor = self._plan(single, single[-1].amount_out, first)
            best = floor if best is None or floor.net > best.net else best
        return Found(best, tuple(self._short))

    def _read_edges(self) -> dict[int, Edge]:
        edges = {}
        for number, pool in enumerate(self._pools):
            try:
                state = self._market.state(pool)
                ladders = state.ladder(True), state.ladder(False)
            except Unswappable:
                continue
            edges[number] = Edge(self._number[pool.token0], self._number[pool.token1], ladders, state.least_gas)
        return edges

    def _note_short(self, now: Balance) -> None:
        for flow in now.flows:
            forward = self._edges[flow.edge].token0 == flow.token_in
            ladder = self._edges[flow.edge].ladders[not forward]
            if ladder.ends_before(0.5 * (now.logs[flow.token_out] - now.logs[flow.token_in])):
                self._short.add((self._pools[flow.edge], forward))

    def _one_exit(self, order: Order, now: Balance) -> Balance:
        """Close all exits of intermediate tokens but the largest of each, until no token has two."""
        for _ in range(order.tokens):
            exits, tokens = _without_cycles(now.flows, order)
            kept = {token: exits[token][-1].edge for token in tokens[1:] if len(exits[token]) > 1}
            if not kept:
                break
            for number, edge in self._edges.items():
                for place, token in enumerate((edge.token0, edge.token1)):
                    if kept.get(token, number) != number:
                        edge = edge.closed(place)
                self._edges[number] = edge
            now = self._again(order, now, self._edges)
        return now

    def _improve(self, order: Order, first: Balance, now: Balance) -> Plan | None:
        """Leave out what costs more gas than it gains, then try without each of the least valuable."""
        best = None
        for _ in range(MOST_ROUNDS):
            plan = self._execute(order, now, first)
            if plan is None:
                break
            best = _better(best, plan)
            used = {flow.edge for flow in plan.edges}
            drop = self._to_drop(order, now, used)
            if not drop or len(used) <= len(drop):
                break
            now = self._again(order, now, used - drop)
        for _ in range(MOST_TRIALS):
            if best is None or len(best.edges) < 2:
                break
            used = {flow.edge for flow in best.edges}
            least = sorted((flow.gain, flow.edge) for flow in best.balance.flows if flow.edge in used)[:3]
            tried = (self._again(order, best.balance, used - {edge}) for _, edge in least)
            found = (_better(best, self._execute(order, each, first)) for each in tried)
            if (improved := next((each for each in found if each is not best), None)) is None:
                break
            best = improved
        return best.plan if best else None

    def _again(self, order: Order, now: Balance, edges: Iterable[int]) -> Balance:
        again = balance({number: self._edges[number] for number in edges}, order, now.logs, _ROUGH)
        self._note_short(again)
        return again

    def _to_drop(self, order: Order, now: Balance, used: set[int]) -> set[int]:
        flows = [flow for flow in now.flows if flow.edge in used]
        worth = sorted((flow.gain - self._edges[flow.edge].gas_cost, flow.edge) for flow in flows)
        losing = [edge for value, edge in worth if value < 0]
        return set(losing[: max(1, len(losing) // 2)]) | {edge for _, edge in worth[: max(0, len(worth) - MOST_POOLS)]}

    def _execute(self, order: Order, now: Balance, first: Balance) -> "_Executed | None":
        exits, tokens = _without_cycles(now.flows, order)
        have = {order.origin: self._terms.amount}
        edges: list[Flow] = []
        hops: list[Hop] = []
        for token in tokens:
            rest = have.pop(token, 0)
            flowing = sum(flow.amount_in for flow in exits[token])
            for place, flow in enumerate(exits[token]):
                last = place == len(exits[token]) - 1
                share = 0 if last else _share(flow.amount_in / flowing)
                flowing -= flow.amount_in
                part = rest if last else rest * share >> SHARE_BITS
                rest -= part
                try:
                    hop = replace(self._market.hop(self._pools[flow.edge], self._tokens[token], part), share=share)
                except Unswappable:
                    return None
                if not hop.amount_out:
                    return None
                have[flow.token_out] = have.get(flow.token_out, 0) + hop.amount_out
                hops.append(hop)
                edges.append(flow)
        if not hops:
            return None
        return _Executed(self._plan(hops, have[order.destination], first), tuple(edges), now)

    def _plan(self, hops: Sequence[Hop], output: int, first: Balance) -> Plan:
        cost = self._market.swap_gas(hops) * self._gas_cost if self._gas_cost else 0.0
        return Plan(tuple(hops), output, output - cost, first.bound, first.net_bound)


@dataclass(frozen=True, slots=True)
class _Executed:
    plan: Plan
    edges: tuple[Flow, ...]
    balance: Balance


def _better(one: _Executed | None, other: _Executed | None) -> _Executed | None:
    return other if one is None or (other is not None and other.plan.net > one.plan.net) else one


def _share(part: float) -> int:
    """Write a part of what there is as a plan does: never 0, which stands for all of it."""
    return max(1, min(int(part * (1 << SHARE_BITS)), (1 << SHARE_BITS) - 1))


def _without_cycles(flows: Iterable[Flow], order: Order) -> tuple[Mapping[int, list[Flow]], Sequence[int]]:
    """Return what leaves each token, least first, and the tokens such that every one comes after what feeds it.

    What leads back, or nowhere, is left out.
    """
    ways: dict[int, list[Flow]] = {}
    for flow in sorted(flows, key=lambda flow: -flow.gain):
        ways.setdefault(flow.token_in, []).append(flow)
    exits: dict[int, list[Flow]] = {}
    tokens: list[int] = []
    open_tokens: set[int] = set()

    def visit(token: int) -> bool:
        """Tell whether the destination is reached from here."""
        if token == order.destination:
            return True
        if token in open_tokens:
            return False
        if token not in exits:
            open_tokens.add(token)
            kept = [
                flow for flow in sorted(ways.get(token, ()), key=lambda flow: -flow.amount_in) if visit(flow.token_out)
            ]
            open_tokens.discard(token)
            exits[token] = kept[::-1]
            tokens.append(token)
        return bool(exits[token])

    visit(order.origin)
    return exits, [token for token in reversed(tokens) if exits[token]]


def _spot_logs(edges: Iterable[Edge], destination: int) -> dict[int, float]:
    """Return the logarithm of each token's price in the destination, along the deepest pools first; only if reached."""
    near: dict[int, list[tuple[int, float]]] = {}
    for edge in sorted(edges, key=lambda each: -each.ladders[0].depth):
        log_price = -2 * (edge.ladders[0].start - edge.ladders[0].half_fee)
        near.setdefault(edge.token1, []).append((edge.token0, log_price))
        near.setdefault(edge.token0, []).append((edge.token1, -log_price))
    logs, queue = {destination: 0.0}, [destination]
    for token in queue:
        for other, step in near.get(token, ()):
            if other not in logs:
                logs[other] = logs[token] + step
                queue.append(other)
    return logs
