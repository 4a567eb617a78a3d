"""Exact output on a chain: the input that is found gives what was wanted, and a unit less does not."""

import time
from dataclasses import replace

import pytest

from rhumbline.domain.errors import NoRoute
from rhumbline.liquidity.chain_pools import chain_pools
from rhumbline.liquidity.engine import Liquidity
from rhumbline.liquidity.execution import output_of, run_again
from tests.adapters.onchain.adapter_fixture import AdapterFixture


@pytest.mark.parametrize(
    ("sold", "bought", "wanted"),
    [("WETH", "USDC", 30_000 * 10**6), ("USDT", "WBTC", 10**7), ("WETH", "DAI", 900_000 * 10**18)],
)
async def test_an_exact_output_costs_the_least_input(
    adapter_fixture: AdapterFixture, sold: str, bought: str, wanted: int
) -> None:
    liquidity = Liquidity(chain_pools(adapter_fixture.rpc, adapter_fixture.deployment, time.monotonic))
    request = adapter_fixture.by_plan().request(sold, bought, 1)
    ends = request.origin_token.address, request.destination_token.address
    split = await liquidity.exact_output(request, *ends, wanted, forks=True)
    assert split.plan.output >= wanted
    less = run_again(split.market, split.plan.hops, split.terms.amount - 1)
    assert not less or output_of(less) < wanted
    again = await liquidity.split(replace(request, amount=split.terms.amount), *ends, forks=True)
    assert again.plan.output == pytest.approx(wanted, rel=1e-4)
    with pytest.raises(NoRoute, match="gives so much"):
        await liquidity.exact_output(request, *ends, 10**60, forks=True)
