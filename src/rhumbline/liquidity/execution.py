"""From flows to hops: every amount in integers, as the Executor computes it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from rhumbline.liquidity.dual import Flow, Order
from rhumbline.liquidity.kinds.pools import Pool
from rhumbline.liquidity.kinds.unswappable import Unswappable
from rhumbline.liquidity.market import Hop, Market

SHARE_BITS = 32
MARGIN = 1 << 20
"""A pool that refuses its part is offered less by one part of so many: at its end flows are no more exact."""


@dataclass(frozen=True, slots=True)
class Executed:
    """Hops with the flow of each; none where a pool refuses its part, or gives nothing for it: ``refused`` is which."""

    hops: tuple[Hop, ...]
    flows: tuple[Flow, ...]
    refused: int | None = None


def run_flows(
    market: Market, pools: Sequence[Pool], tokens: Sequence[str], order: Order, amount: int, flows: Iterable[Flow]
) -> "Executed":
    """Turn flows into hops, each flow a share of what there is of its token.

    ``pools`` and ``tokens`` are by the flows' numbers, ``amount`` is the order's in raw units. Flows that do not
    balance are scaled by that, and what leads back, or nowhere, is left out.
    """
    exits, sorted_tokens = without_cycles(flows, order.origin, order.destination)
    have = {order.origin: amount}
    hops: list[Hop] = []
    used: list[Flow] = []
    for token in sorted_tokens:
        # Pools of native itself first: what is sold to them must not be wrapped before.
        ways = sorted(exits[token], key=lambda flow: not pools[flow.edge].native)
        sold = _sell(market, pools, tokens[token], have.pop(token, 0), ways)
        if isinstance(sold, Flow):
            return Executed((), (), sold.edge)
        for flow, hop in sold:
            have[flow.token_out] = have.get(flow.token_out, 0) + hop.amount_out
            hops.append(hop)
            used.append(flow)
    return Executed(tuple(hops), tuple(used))


def _sell(
    market: Market, pools: Sequence[Pool], token: str, amount: int, ways: Sequence[Flow]
) -> list[tuple[Flow, Hop]] | Flow:
    """Divide an amount over the hops that leave a token, or return a hop that refuses its part in any position.

    The last one takes the rest, which may be some units more than its share. A pool at the end of its liquidity refuses
    that, and is moved before the others.
    """
    order, moved = list(ways), set[int]()
    while True:
        found = _sell_in_order(market, pools, token, amount, order)
        if not isinstance(found, Flow) or found.edge in moved or len(order) == 1:
            return found
        moved.add(found.edge)
        order.remove(found)
        order.insert(0 if pools[found.edge].native else sum(pools[way.edge].native for way in order), found)


def _sell_in_order(
    market: Market, pools: Sequence[Pool], token: str, amount: int, order: Sequence[Flow]
) -> list[tuple[Flow, Hop]] | Flow:
    rest, flowing, sold = amount, sum(flow.amount_in for flow in order), []
    for place, flow in enumerate(order):
        pool, share = pools[flow.edge], 0 if place == len(order) - 1 else share_of(flow.amount_in / flowing)
        hop = hop_of_share(market, pool, token, rest, share)
        if hop is None and share:
            # No more than it was meant to get, where all were scaled up, and a little less.
            least = min(share, share_of(flow.amount_in / rest))
            hop = hop_of_share(market, pool, token, rest, max(least - least // MARGIN - 1, 1))
        if hop is None:
            return flow
        flowing -= flow.amount_in
        rest -= hop.amount_in
        sold.append((flow, hop))
    return sold


def hop_of_share(market: Market, pool: Pool, token_in: str, rest: int, share: int) -> Hop | None:
    """Swap a share of what there is, 0 for all of it; None where the pool refuses it, or gives nothing for it."""
    part = rest * share >> SHARE_BITS if share else rest
    try:
        hop = replace(market.hop(pool, token_in, part), share=share)
    except Unswappable:
        return None
    return hop if hop.amount_out else None


def run_again(market: Market, hops: Sequence[Hop], amount: int) -> tuple[Hop, ...]:
    """Run the same pools and shares with another input; empty where a pool refuses. More in never gives less out."""
    have = {hops[0].token_in: amount}
    again: list[Hop] = []
    for before in hops:
        hop = hop_of_share(market, before.pool, before.token_in, have.get(before.token_in, 0), before.share)
        if hop is None:
            return ()
        have[hop.token_in] -= hop.amount_in
        have[hop.token_out] = have.get(hop.token_out, 0) + hop.amount_out
        again.append(hop)
    return tuple(again)


def output_of(hops: Sequence[Hop]) -> int:
    """Return what hops bring of the last one's token."""
    return sum(hop.amount_out for hop in hops if hop.token_out == hops[-1].token_out)


def share_of(part: float) -> int:
    """Write a share of the present balance as a plan does: never 0, which means all of it."""
    return max(1, min(int(part * (1 << SHARE_BITS)), (1 << SHARE_BITS) - 1))


def without_cycles(
    flows: Iterable[Flow], origin: int, destination: int
) -> tuple[Mapping[int, list[Flow]], Sequence[int]]:
    """Return what leaves each token, least first, and the tokens such that every one comes after what feeds it.

    What leads back, or nowhere, is left out.
    """
    ways: dict[int, list[Flow]] = {}
    for flow in sorted(flows, key=lambda flow: (-flow.gain, flow.edge)):
        ways.setdefault(flow.token_in, []).append(flow)
    walk = _Walk(ways, destination)
    walk.reaches(origin)
    return walk.exits, [token for token in reversed(walk.tokens) if walk.exits[token]]


@dataclass(slots=True, eq=False)
class _Walk:
    """What leads from each visited token to the destination, and these tokens, each after all that it feeds.

    A function within a function that calls itself would be a ring, which stays until the garbage collector finds it.
    """

    ways: Mapping[int, list[Flow]]
    destination: int
    exits: dict[int, list[Flow]] = field(default_factory=dict)
    tokens: list[int] = field(default_factory=list)
    _open: set[int] = field(default_factory=set)

    def reaches(self, token: int) -> bool:
        """Visit a token, and tell whether the destination is reached from it."""
        if token == self.destination:
            return True
        if token in self._open:
            return False
        if token not in self.exits:
            self._open.add(token)
            ways = sorted(self.ways.get(token, ()), key=lambda flow: -flow.amount_in)
            kept = [flow for flow in ways if self.reaches(flow.token_out)]
            self._open.discard(token)
            self.exits[token] = kept[::-1]
            self.tokens.append(token)
        return bool(self.exits[token])
