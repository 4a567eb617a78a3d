"""The limits of a plan's size, and what to remove from a larger one."""

from collections.abc import Sequence

from rhumbline.liquidity.dual import Flow
from rhumbline.liquidity.kinds.registry import KINDS
from rhumbline.liquidity.market import Hop, Market, contract_of

MOST_POOLS = 64
MOST_IN_A_ROW = 6
MOST_GAS = 6_000_000
MOST_BYTES = 4_096
"""Of the whole calldata; ``_FRAME_BYTES`` of it are not the plan's."""
_FRAME_BYTES, _HOP_BYTES, _TOKEN_BYTES = 900, 7, 20


def is_within(market: Market, hops: Sequence[Hop]) -> bool:
    """Tell whether a plan keeps to all limits."""
    contracts = {contract_of(hop.pool) for hop in hops}
    return (
        len(hops) <= MOST_POOLS
        and len(contracts) == len(hops)
        and max(_ways(hops)) <= MOST_IN_A_ROW
        and market.swap_gas(hops) <= MOST_GAS
        and size_of(hops) <= MOST_BYTES
    )


def excess(market: Market, hops: Sequence[Hop], flows: Sequence[Flow], worth: Sequence[int]) -> set[int]:
    """Return which edges to leave out of a plan that keeps not to all limits, the least valuable ones.

    ``flows`` are those of the hops in their order, ``worth`` has their edges, the least valuable first.
    """
    if not hops:
        return set()
    if twice := _lesser_of_a_contract(hops, flows, worth):
        return twice
    long = {flow.edge for flow, way in zip(flows, _ways(hops), strict=True) if way > MOST_IN_A_ROW}
    if long:
        return set([edge for edge in worth if edge in long][:1])
    if len(hops) > MOST_POOLS:
        # A part of them: once these are removed, others may be worth less.
        return set(worth[: max(1, (len(hops) - MOST_POOLS) // 3)])
    if market.swap_gas(hops) > MOST_GAS or size_of(hops) > MOST_BYTES:
        return set(worth[:1])
    return set()


def size_of(hops: Sequence[Hop]) -> int:
    """Return how many bytes of calldata a swap through the Diamond has."""
    tokens = {token for hop in hops for token in (hop.token_in, hop.token_out)}
    places = sum(len(KINDS[hop.pool.kind].place(hop.pool, hop.token_in)) for hop in hops)
    return _FRAME_BYTES + _TOKEN_BYTES * len(tokens) + _HOP_BYTES * len(hops) + places


def _ways(hops: Sequence[Hop]) -> list[int]:
    """Return of how many hops the longest way through each hop is made."""
    before: dict[str, int] = {}
    for hop in hops:
        before[hop.token_out] = max(before.get(hop.token_out, 0), before.get(hop.token_in, 0) + 1)
    behind: dict[str, int] = {}
    for hop in reversed(hops):
        behind[hop.token_in] = max(behind.get(hop.token_in, 0), behind.get(hop.token_out, 0) + 1)
    return [before.get(hop.token_in, 0) + 1 + behind.get(hop.token_out, 0) for hop in hops]


def _lesser_of_a_contract(hops: Sequence[Hop], flows: Sequence[Flow], worth: Sequence[int]) -> set[int]:
    """Return the edges of a contract that is used more than once, all but the most valuable one."""
    of_edge = {flow.edge: contract_of(hop.pool) for hop, flow in zip(hops, flows, strict=True)}
    seen: set[str] = set()
    lesser = set()
    for edge in reversed([edge for edge in worth if edge in of_edge]):
        if of_edge[edge] in seen:
            lesser.add(edge)
        seen.add(of_edge[edge])
    return lesser
