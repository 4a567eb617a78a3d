"""An answer explained so that anybody can recompute it: states, plan, prices and bounds (docs/liquidity.md)."""

from collections.abc import Mapping

from rhumbline.liquidity.block_reads import Head
from rhumbline.liquidity.explanation_check import digest_of
from rhumbline.liquidity.kinds.written_state import write_pool
from rhumbline.liquidity.market import BETWEEN_GAS, Hop, Market
from rhumbline.liquidity.plan import Plan, Terms

ENGINE = "1"
"""Of the rules by which an explanation is recomputed."""


def explanation(chain_id: int, head: Head, terms: Terms, market: Market, plan: Plan) -> dict[str, object]:
    """Return JSON; numbers are decimal texts, those of floats with every digit."""
    states = {pool: state for pools in market.pools.values() for pool in pools if (state := market.states[pool.key])}
    reached = {pool: state for pool, state in states.items() if {pool.token0, pool.token1} <= plan.dual.logs.keys()}
    document: dict[str, object] = {
        "engine": ENGINE,
        "chainId": str(chain_id),
        "block": {
            "number": str(head.number),
            "hash": head.hash,
            "timestamp": str(head.timestamp),
            "baseFee": str(head.base_fee),
        },
        "input": {"token": terms.origin, "amount": str(terms.amount)},
        "output": {"token": terms.destination, "amount": str(plan.output)},
        "pools": [write_pool(*each) for each in sorted(reached.items(), key=lambda each: each[0].key)],
        "plan": [_hop(hop) for hop in plan.hops],
        "gas": {
            "native": terms.native,
            "price": str(terms.gas_price),
            "between": str(BETWEEN_GAS),
            "swaps": str(market.swap_gas(plan.hops)),
            "unitCost": repr(plan.dual.gas_cost),
            "net": repr(plan.net),
        },
        "dual": {token: repr(log) for token, log in plan.dual.logs.items()},
        "bound": {"gross": repr(plan.bound), "net": repr(plan.net_bound)},
        "floors": {name: repr(net) for name, net in plan.floors.items()},
    }
    return {**document, "digest": digest_of(document)}


def _hop(hop: Hop) -> Mapping[str, object]:
    return {
        "pool": hop.pool.key,
        "tokenIn": hop.token_in,
        "tokenOut": hop.token_out,
        "share": str(hop.share),
        "amountIn": str(hop.amount_in),
        "amountOut": str(hop.amount_out),
    }
