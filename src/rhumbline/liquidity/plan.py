"""From an order to a plan: which pools take which part, exact to the unit, with upper bounds for any plan."""

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import exp

from rhumbline.liquidity.dual import Balance, Edge, Flow, Order, at_prices, balance
from rhumbline.liquidity.execution import Executed, output_of, run_flows, without_cycles
from rhumbline.liquidity.grid_search import grid_search, run_parts
from rhumbline.liquidity.kinds.ladder import line_of
from rhumbline.liquidity.kinds.pool_state import both_ladders
from rhumbline.liquidity.kinds.pools import Pool
from rhumbline.liquidity.kinds.unswappable import Unswappable
from rhumbline.liquidity.limits import excess, is_within
from rhumbline.liquidity.market import Hop, Market, contract_of
from rhumbline.liquidity.paths import best_path
from rhumbline.liquidity.spot_prices import spot_logs

MOST_ROUNDS = 60
MOST_TRIALS = 8
GRID_POOLS = 40
GRID_ABOVE = 1e-4
"""The grid is searched too where the net bound leaves more than this part of itself."""
FEW_UNITS = 10**7
"""The grid is searched too for an order of fewer raw units: what a pool rounds off counts there."""
BALANCED = 1e-6
"""An imbalance, of the order's worth, up to which the prices count as found."""


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
class Dual:
    """The prices at which the bounds hold: logarithms by token that can be traded, the destination's being 0.

    ``gas_cost`` is what a unit of gas costs in raw units of the destination token.
    """

    logs: Mapping[str, float]
    gas_cost: float


@dataclass(frozen=True, slots=True)
class Plan:
    """Hops in the order of their execution. ``net`` and the bounds are raw units of the destination token.

    No plan over the same pools gives more than ``bound``, nor, the gas of its swaps taken off, more than ``net_bound``.
    ``floors`` are what simpler searches net, by their names, as far as they were made.
    """

    hops: tuple[Hop, ...]
    output: int
    net: float
    bound: float
    net_bound: float
    dual: Dual
    floors: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Found:
    """``plan`` is None where nothing takes the order; ``short``: pools and directions whose ticks do not suffice.

    ``balanced`` is False where the search for prices ended before they were found: the bounds hold, and are wider.
    """

    plan: Plan | None
    short: tuple[tuple[Pool, bool], ...] = ()
    balanced: bool = True


def find_plan(market: Market, terms: Terms, paths: Sequence[Sequence[str]]) -> Found:
    """Split an order over all pools of a market, or take what a simpler search finds where that nets more.

    Pure, as exact as the states are, and the same in whatever order the pools are given. An output of 0 is a plan too:
    the order is below one unit.
    """
    return _Search(market, terms).run(paths)


def spot_price(market: Market, terms: Terms) -> float | None:
    """Return about how many raw units a unit of the input is worth before any trade; None where nothing joins them."""
    return _Search(market, terms).spot_price()


class _Search:
    def __init__(self, market: Market, terms: Terms) -> None:
        self._market, self._terms = market, terms
        self._pools = sorted((pool for pools in market.pools.values() for pool in pools), key=lambda pool: pool.key)
        self._tokens = sorted({token for pool in self._pools for token in (pool.token0, pool.token1)})
        self._number = {token: place for place, token in enumerate(self._tokens)}
        self._edges: dict[int, Edge] = {}
        self._gas_cost = 0.0
        self._logs: Mapping[str, float] = {}
        self._short: set[tuple[Pool, bool]] = set()

    def spot_price(self) -> float | None:
        origin, destination = (self._number.get(each) for each in (self._terms.origin, self._terms.destination))
        logs = {} if destination is None else spot_logs(self._read_edges().values(), destination)
        return exp(logs[origin]) if origin in logs else None

    def run(self, paths: Sequence[Sequence[str]]) -> Found:
        origin, destination = (self._number.get(each) for each in (self._terms.origin, self._terms.destination))
        if origin is None or destination is None:
            return Found(None)
        self._edges = self._read_edges()
        logs = spot_logs(self._edges.values(), destination)
        if origin not in logs:
            return Found(None)
        self._edges = {number: edge for number, edge in self._edges.items() if edge.token0 in logs}
        order = Order(len(self._tokens), origin, destination, float(self._terms.amount))
        first = balance(self._edges, order, [logs.get(token, 0.0) for token in range(order.tokens)])
        first = self._with_gas(order, first, logs)
        self._note_short(first)
        best = None
        if not self._short:
            apart = self._one_of_a_contract(order, first)
            best = self._improve(order, first, apart if self._terms.forks else self._one_exit(order, apart))
        return Found(self._or_simpler(best, first, paths), tuple(self._short), first.imbalance <= BALANCED)

    def _with_gas(self, order: Order, found: Balance, reached: Container[int]) -> Balance:
        """Price gas at the prices that were found, and return their bounds with it."""
        native = self._number.get(self._terms.native, -1)
        self._gas_cost = self._terms.gas_price * exp(found.logs[native]) if native in reached else 0.0
        self._logs = {self._tokens[token]: log for token, log in enumerate(found.logs) if token in reached}
        self._edges = {
            number: replace(edge, gas_cost=self._market.state(self._pools[number]).least_gas * self._gas_cost)
            for number, edge in self._edges.items()
        }
        return replace(found, net_bound=at_prices(self._edges, order, found.logs).net_bound)

    def _read_edges(self) -> dict[int, Edge]:
        edges = {}
        for number, pool in enumerate(self._pools):
            try:
                ladders = both_ladders(self._market.state(pool))
            except Unswappable:
                continue
            edges[number] = Edge(self._number[pool.token0], self._number[pool.token1], ladders)
        return edges

    def _note_short(self, now: Balance) -> None:
        for flow in now.flows:
            forward = self._edges[flow.edge].token0 == flow.token_in
            ladder = self._edges[flow.edge].ladders[not forward]
            if ladder.ends_before(0.5 * (now.logs[flow.token_out] - now.logs[flow.token_in])):
                self._short.add((self._pools[flow.edge], forward))

    def _one_of_a_contract(self, order: Order, now: Balance) -> Balance:
        """Exclude all edges through a contract but the one with the largest gain, as long as several use it."""
        for _ in range(order.tokens):
            most: dict[str, Flow] = {}
            for flow in sorted(now.flows, key=lambda flow: (flow.gain, flow.edge)):
                most[contract_of(self._pools[flow.edge])] = flow
            if len(most) == len(now.flows):
                break
            kept = {contract: flow.edge for contract, flow in most.items()}
            self._edges = {
                number: edge
                for number, edge in self._edges.items()
                if kept.get(contract_of(self._pools[number]), number) == number
            }
            now = self._again(order, now, self._edges)
        return now

    def _one_exit(self, order: Order, now: Balance) -> Balance:
        """Close all exits of intermediate tokens but the largest of each, until no token has two."""
        for _ in range(order.tokens):
            exits, tokens = without_cycles(now.flows, order.origin, order.destination)
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

    def _improve(self, order: Order, first: Balance, now: Balance) -> "_Tried | None":
        """Remove hops beyond the limits or with a gain below their gas, then try without each of the least valuable."""
        best = None
        for _ in range(MOST_ROUNDS):
            tried = self._try(order, now, first)
            best = self._better(best, tried)
            used = {flow.edge for flow in tried.run.flows or now.flows}
            drop = self._to_drop(now, tried)
            if not drop or len(used) <= len(drop):
                break
            now = self._again(order, now, used - drop)
        for _ in range(MOST_TRIALS):
            if best is None or len(best.run.flows) < 2:
                break
            used = {flow.edge for flow in best.run.flows}
            least = sorted((flow.gain, flow.edge) for flow in best.balance.flows if flow.edge in used)[:3]
            again = (self._again(order, best.balance, used - {edge}) for _, edge in least)
            found = (self._better(best, self._try(order, each, first)) for each in again)
            if (improved := next((each for each in found if each is not best), None)) is None:
                break
            best = improved
        return best

    def _again(self, order: Order, now: Balance, edges: Iterable[int]) -> Balance:
        again = balance({number: self._edges[number] for number in sorted(edges)}, order, now.logs, BALANCED)
        self._note_short(again)
        return again

    def _to_drop(self, now: Balance, tried: "_Tried") -> set[int]:
        if tried.run.refused is not None:
            return {tried.run.refused}
        used = {flow.edge for flow in tried.run.flows}
        flows = [flow for flow in now.flows if flow.edge in used]
        worth = sorted((flow.gain - self._edges[flow.edge].gas_cost, flow.edge) for flow in flows)
        # A pool of one rate gains nothing by itself: its value is in the gain of others.
        losing = [edge for value, edge in worth if value < 0 and line_of(self._edges[edge].ladders) is None]
        return set(losing[: max(1, len(losing) // 2)]) or excess(
            self._market, tried.run.hops, tried.run.flows, [edge for _, edge in worth]
        )

    def _try(self, order: Order, now: Balance, first: Balance) -> "_Tried":
        run = run_flows(self._market, self._pools, self._tokens, order, self._terms.amount, now.flows)
        return _Tried(run, self._plan(run.hops, first) if run.hops else None, now)

    def _better(self, one: "_Tried | None", other: "_Tried") -> "_Tried | None":
        if other.plan is None or not is_within(self._market, other.plan.hops):
            return one
        return other if one is None or one.plan is None or other.plan.net > one.plan.net else one

    def _or_simpler(self, found: "_Tried | None", first: Balance, paths: Sequence[Sequence[str]]) -> Plan | None:
        """Take the best single path, or the grid's answer, where it nets more; what they net is noted."""
        best, floors = None if found is None else found.plan, {}
        single = best_path(self._market, paths, self._terms.amount, self._gas_cost)
        tried = [("single path", single)]
        if single and self._terms.forks and self._may_gain_by_grid(best):
            tried.append(("grid", self._grid(first, single)))
        for name, hops in tried:
            if hops:
                plan = self._plan(hops, first)
                floors[name] = plan.net
                within = name == "single path" or is_within(self._market, hops)
                best = plan if best is None or (within and plan.net > best.net) else best
        return None if best is None else replace(best, floors=floors)

    def _may_gain_by_grid(self, best: Plan | None) -> bool:
        if best is None or self._terms.amount < FEW_UNITS:
            return True
        return best.net < (1 - GRID_ABOVE) * best.net_bound

    def _grid(self, first: Balance, single: Sequence[Hop]) -> tuple[Hop, ...]:
        """Search the grid over the pools that gain most, and those of the best single path."""
        terms = self._terms
        gaining = sorted(first.flows, key=lambda flow: (-flow.gain, flow.edge))
        pools = dict.fromkeys([*(hop.pool for hop in single), *(self._pools[flow.edge] for flow in gaining)])
        some = sorted(list(pools)[:GRID_POOLS], key=lambda pool: pool.key)
        parts = grid_search(self._market, some, terms.origin, terms.destination, terms.amount, self._gas_cost)
        return run_parts(self._market, parts, terms.amount)

    def _plan(self, hops: tuple[Hop, ...], first: Balance) -> Plan:
        output = output_of(hops)
        cost = self._market.swap_gas(hops) * self._gas_cost if self._gas_cost else 0.0
        return Plan(hops, output, output - cost, first.bound, first.net_bound, Dual(self._logs, self._gas_cost))


@dataclass(frozen=True, slots=True)
class _Tried:
    run: Executed
    plan: Plan | None
    balance: Balance
