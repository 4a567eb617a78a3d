"""The pools that a quote names are those that it trades with."""

from fractions import Fraction

from rhumbline.adapters.onchain.plans import SwapPlan
from tests.adapters.onchain.adapter_fixture import AdapterFixture


async def test_a_quote_names_its_pools_and_bounds(adapter_fixture: AdapterFixture) -> None:
    quote = await adapter_fixture.by_plan().quote("ETH", "DAI", 300 * 10**18)
    plan, payload = quote.pool_plan, quote.payload
    assert plan is not None
    assert isinstance(payload, SwapPlan)
    assert [(each.pool, each.amount_in, each.amount_out) for each in plan.trades] == [
        (hop.pool.address, hop.amount_in, hop.amount_out) for hop in payload.hops
    ]
    assert (plan.block, plan.block_hash) == (payload.block, payload.block_hash)
    assert {each.source for each in plan.trades} == {"UNISWAP_V2", "UNISWAP_V3"}
    assert {each.fee for each in plan.trades} <= {Fraction(fee, 10**6) for fee in (100, 500, 3000, 10000)}
    tokens = adapter_fixture.tokens
    assert plan.tokens.items() >= {tokens[name].address: tokens[name] for name in ("WETH", "DAI")}.items()
    for token in {each.token_in for each in plan.trades}:
        assert sum(each.share for each in plan.trades if each.token_in == token) == 1
    assert plan.input == quote.request.amount
    assert plan.net < plan.output == quote.output_amount <= plan.bound
    assert plan.net <= plan.net_bound < plan.bound


async def test_what_wraps_has_no_pools(adapter_fixture: AdapterFixture) -> None:
    assert (await adapter_fixture.quote("ETH", "WETH", 10**18)).pool_plan is None
