"""Orders through pools of the shapes of Solidly and Slipstream: delivered is what was quoted, to the wei."""

import pytest

from rhumbline.adapters.onchain.plans import SwapPlan
from rhumbline.liquidity.kinds.pools import PoolKind
from tests.adapters.onchain.adapter_fixture import AdapterFixture
from tests.adapters.onchain.delivered import delivered_as_quoted
from tests.adapters.onchain.fork_fixture import with_forks

ONE = 10**18
ORDERS = [
    ("ETH", "USDC", 60 * ONE),
    ("USDC", "WETH", 190_000 * 10**6),
    ("USDT", "DAI", 700_000 * 10**6),
    ("DAI", "USDC", 900_000 * ONE),
    ("USDC", "USDT", 1_100_000 * 10**6),
    ("WBTC", "USDT", 3 * 10**8),
    ("WETH", "WBTC", 90 * ONE),
]
CHOICES = {
    "solidly": (PoolKind.SOLIDLY,),
    "slipstream": (PoolKind.SLIPSTREAM,),
    "both": (PoolKind.SOLIDLY, PoolKind.SLIPSTREAM),
    "every kind": (),
}


@pytest.mark.parametrize("choice", CHOICES)
async def test_what_is_quoted_is_delivered(adapter_fixture: AdapterFixture, choice: str) -> None:
    through = (await with_forks(adapter_fixture, alone=CHOICES[choice])).by_plan()
    used: set[PoolKind] = set()
    async for plan, _ in delivered_as_quoted(through, ORDERS):
        used |= {hop.pool.kind for hop in plan.hops}
    assert used == set(CHOICES[choice]) or (not CHOICES[choice] and used > {PoolKind.SOLIDLY, PoolKind.SLIPSTREAM})


async def test_without_the_diamond_they_are_not_used(adapter_fixture: AdapterFixture) -> None:
    """A wallet calls SwapRouter02, which knows Uniswap's own factories alone."""
    with_more = await with_forks(adapter_fixture)
    quote = await with_more.quote("USDC", "USDT", 1_100_000 * 10**6)
    assert isinstance(quote.payload, SwapPlan)
    assert {hop.pool.kind for hop in quote.payload.hops} <= {PoolKind.V2, PoolKind.V3}
