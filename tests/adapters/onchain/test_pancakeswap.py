"""Orders through PancakeSwap's own V3 pools by the Executor, whose callback has another name there."""

from dataclasses import replace

from rhumbline.adapters.onchain.plans import SwapPlan
from rhumbline.devnet.evm.operator import encoded, unlocked
from rhumbline.devnet.evm.pools import raw_amount, sqrt_price_x96
from rhumbline.liquidity.kinds.pools import PoolKind, PoolSource
from tests.adapters.onchain.adapter_fixture import STRANGER, AdapterFixture
from tests.liquidity.exact.chain import BareChain, genuine_codes
from tests.liquidity.exact.positions import Position
from tests.liquidity.exact.v3_venue import pancakeswap

FEE, SPACING = 2500, 50
ONE = 10**18


async def test_what_is_quoted_of_pancakeswap_is_delivered(adapter_fixture: AdapterFixture) -> None:
    operator = await unlocked(adapter_fixture.rpc, adapter_fixture.account, 10**7 * ONE)
    venue = await pancakeswap(BareChain(adapter_fixture.rpc, operator, await genuine_codes()))
    first, second = sorted(("WETH", "DAI"), key=lambda symbol: int(adapter_fixture.tokens[symbol].address, 16))
    tokens = adapter_fixture.tokens[first].address, adapter_fixture.tokens[second].address
    for symbol, token in zip((first, second), tokens, strict=True):
        await adapter_fixture.mint(symbol, 10**24)
        await operator.send(token, encoded("approve(address,uint256)", venue.manager, 2**255))
    price = sqrt_price_x96(first, second, 0, first_is_token0=True)
    liquidity = raw_amount(second, 10**6) * 2**96 // price
    middle = {"DAI": -80_100, "WETH": 80_050}[first]
    spans = [(middle - width * SPACING, middle + width * SPACING) for width in (10, 100, 400)]
    await venue.open(tokens, FEE, price, [Position(*span, liquidity) for span in spans])

    source = PoolSource("PANCAKESWAP_V3", PoolKind.V3, venue.factory, tuple(venue.spacings.items()))
    through = adapter_fixture.choosing_from(replace(adapter_fixture.deployment, sources=(source,))).by_plan()
    for origin, destination, amount in (("WETH", "DAI", 40 * ONE), ("DAI", "ETH", 90_000 * ONE)):
        quote = await through.quote(origin, destination, amount, STRANGER)
        assert isinstance(quote.payload, SwapPlan)
        assert [(hop.pool.fee, hop.pool.source) for hop in quote.payload.hops] == [(FEE, "PANCAKESWAP_V3")]
        gained, _ = await through.swap(quote)
        assert gained == quote.output_amount > 0
