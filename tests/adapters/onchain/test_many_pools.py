"""Orders at random over pools of every kind: through the Diamond each delivers what was planned, to the unit."""

import os
import random
from dataclasses import replace

from rhumbline.adapters.onchain.plans import OnchainPlan, SwapPlan
from rhumbline.domain.errors import BelowMinimum, NoRoute
from rhumbline.domain.quote import Quote
from rhumbline.liquidity.kinds.pools import PoolKind
from tests.adapters.onchain.adapter_fixture import STRANGER, AdapterFixture
from tests.adapters.onchain.many_pools import ManyPools, with_many_pools

ORDERS = int(os.environ.get("POOL_ORDERS", "12"))
TOKENS, POOLS = (30, 200) if ORDERS > 100 else (12, 60)
BLOCKS, SWAPS = (50, 40) if ORDERS > 100 else (3, 6)
SEED = 20261127


async def test_orders_over_every_kind_of_pool_deliver_what_was_planned(adapter_fixture: AdapterFixture) -> None:
    fixture, many = await with_many_pools(adapter_fixture, TOKENS, POOLS, SEED)
    through, dice = fixture.by_plan(), random.Random(SEED)
    traded: set[PoolKind] = set()
    delivered = refused = 0
    while delivered < ORDERS:
        quote = await _quoted(through, many, dice)
        if quote is None:
            refused += 1
            assert refused < 2 * ORDERS + 20
            continue
        assert isinstance(quote.payload, SwapPlan)
        traded |= {hop.pool.kind for hop in quote.payload.hops}
        gained, _ = await through.swap(quote)
        assert gained == quote.output_amount, quote.payload.hops
        delivered += 1
        if delivered == ORDERS:
            # Some kinds are seldom the best: orders go on until each of them has been traded with.
            assert traded == set(PoolKind) or ORDERS < 100


async def test_while_others_trade_every_order_is_within_its_minimum(adapter_fixture: AdapterFixture) -> None:
    """Between a quote and its transaction a block of swaps is mined, over the same pools."""
    fixture, many = await with_many_pools(adapter_fixture, TOKENS, POOLS, SEED + 1)
    through, dice = fixture.by_plan(), random.Random(SEED)
    kept = 0
    while kept < BLOCKS:
        quote = await _quoted(through, many, dice)
        if quote is None:
            continue
        minimum = quote.output_amount * 99 // 100
        for _ in range(SWAPS):
            if (other := await _quoted(through, many, dice, 300)) is not None:
                await through.swap(other)
        gained, _ = await through.swap(replace(quote, output_amount=minimum))
        assert gained >= minimum
        kept += 1


async def _quoted(
    through: AdapterFixture, many: ManyPools, dice: random.Random, most_usd: float = 200_000
) -> Quote[OnchainPlan] | None:
    """Quote an order at random; None where no path of pools takes it."""
    first, second = dice.sample(list(many.cents), 2)
    amount = many.amount(first, most_usd ** dice.uniform(0.2, 1))
    origin, destination = ("ETH" if each == "WETH" and dice.random() < 0.5 else each for each in (first, second))
    try:
        return await through.quote(origin, destination, max(amount, 1), STRANGER)
    except (NoRoute, BelowMinimum):
        return None
