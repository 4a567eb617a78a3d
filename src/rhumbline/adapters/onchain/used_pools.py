"""The pools of a split, as an answer names them."""

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from functools import partial

from rhumbline.domain.pool_plan import PoolPlan, PoolTrade
from rhumbline.domain.token import Token
from rhumbline.liquidity.engine import Split
from rhumbline.liquidity.explanation import explanation
from rhumbline.liquidity.kinds.tick_math import FEE_UNITS
from rhumbline.liquidity.market import Hop, Market, contract_of


def pool_plan(chain_id: int, split: Split, tokens: Mapping[str, Token]) -> PoolPlan:
    """Name the pools; ``tokens`` are those known, by the address under which pools have them."""
    plan, market, head = split.plan, split.market, split.head
    spent = Counter[str]()
    for hop in plan.hops:
        spent[hop.token_in] += hop.amount_in
    used = {token for hop in plan.hops for token in (hop.token_in, hop.token_out)}
    return PoolPlan(
        block=head.number,
        block_hash=head.hash,
        trades=tuple(_trade(market, hop, Fraction(hop.amount_in, spent[hop.token_in])) for hop in plan.hops),
        tokens={address: token for address, token in tokens.items() if address in used},
        input=spent[plan.hops[0].token_in],
        output=plan.output,
        net=Fraction(plan.net),
        bound=Fraction(plan.bound),
        net_bound=Fraction(plan.net_bound),
        explain=partial(explanation, chain_id, head, split.terms, market, plan),
    )


def _trade(market: Market, hop: Hop, share: Fraction) -> PoolTrade:
    pool = hop.pool
    # A pool whose kind has no fixed fee states the fee for this input.
    fee = Fraction(pool.fee, FEE_UNITS) if pool.fee else Fraction(market.fee(hop), hop.amount_in)
    return PoolTrade(
        source=pool.source,
        kind=pool.kind,
        pool=contract_of(pool),
        fee=fee,
        token_in=hop.token_in,
        token_out=hop.token_out,
        amount_in=hop.amount_in,
        amount_out=hop.amount_out,
        share=share,
    )
