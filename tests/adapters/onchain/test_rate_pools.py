"""Orders through stable pools and vaults: delivered is what was quoted, to the wei."""

from dataclasses import replace

import pytest

from rhumbline.adapters.onchain.plans import SwapPlan
from rhumbline.devnet.evm.nodes import go_back
from rhumbline.devnet.evm.operator import encoded
from rhumbline.gateways.evm.abi import selector
from rhumbline.gateways.nodes.evm.rpc import RpcError
from rhumbline.liquidity.kinds.pools import PoolKind
from rhumbline.liquidity.market import Hop
from tests.adapters.onchain.adapter_fixture import STRANGER, AdapterFixture
from tests.adapters.onchain.delivered import delivered_as_quoted
from tests.adapters.onchain.rate_fixture import with_rates

ONE = 10**18
ORDERS = [
    ("USDC", "DAI", 700_000 * 10**6),
    ("DAI", "USDT", 900_000 * ONE),
    ("USDT", "USDC", 1_100_000 * 10**6),
    ("USDC", "vDAI", 300_000 * 10**6),
    ("vDAI", "USDT", 250_000 * ONE),
    ("DAI", "vDAI", 123_456 * ONE + 789),
]
CHOICES = {"rates alone": (PoolKind.CURVE, PoolKind.VAULT), "every kind": ()}


@pytest.mark.parametrize("choice", CHOICES)
async def test_what_is_quoted_is_delivered(adapter_fixture: AdapterFixture, choice: str) -> None:
    rates = await with_rates(adapter_fixture, alone=CHOICES[choice])
    through, share = rates.adapter.by_plan(), rates.adapter.tokens["vDAI"].address
    hops: list[Hop] = []
    async for plan, _ in delivered_as_quoted(through, ORDERS):
        hops += plan.hops
        for hop in plan.hops:
            allowed = encoded("allowance(address,address)", str(through.chain.executor), hop.pool.address)
            assert await rates.operator.read(hop.token_in, allowed, "uint256") == (0,)
    assert {hop.pool.kind for hop in hops} >= {PoolKind.CURVE, PoolKind.VAULT}
    assert {hop.token_in == share for hop in hops} == {hop.token_out == share for hop in hops} == {True, False}


async def test_a_stake_is_unwrapped_but_for_its_last_transfers_units_and_cannot_be_sold(
    adapter_fixture: AdapterFixture,
) -> None:
    """It is sent in whole shares: one or two units stay behind, and the Executor refuses less than was told."""
    rates = await with_rates(adapter_fixture)
    through, amount = rates.adapter.by_plan(), 12_345_678_901_234_567_890
    quote = await through.quote("WSTK", "STK", amount, STRANGER)
    assert isinstance(quote.payload, SwapPlan)
    assert {hop.pool.kind for hop in quote.payload.hops} == {PoolKind.STAKE}
    mark = await through.rpc.call("evm_snapshot", [])
    gained, _ = await through.swap(replace(quote, output_amount=quote.output_amount - 2))
    assert quote.output_amount - 2 <= gained <= quote.output_amount
    await go_back(through.rpc, mark)
    quote = await through.quote("STK", "WSTK", amount, STRANGER)
    with pytest.raises(RpcError, match=selector("AmountUnavailable(uint256,address,uint256,uint256)").hex()):
        await through.swap(quote)


async def test_without_the_diamond_they_are_not_used(adapter_fixture: AdapterFixture) -> None:
    """A wallet calls SwapRouter02, which knows Uniswap's own factories alone."""
    rates = await with_rates(adapter_fixture)
    quote = await rates.adapter.quote("USDC", "DAI", 700_000 * 10**6)
    assert isinstance(quote.payload, SwapPlan)
    assert {hop.pool.kind for hop in quote.payload.hops} <= {PoolKind.V2, PoolKind.V3}
