"""What a quote asks of a node: two requests in a row when nothing is known, none when its pools are followed."""

import time
from dataclasses import replace
from typing import Any

from rhumbline.adapters.onchain.adapter import OnchainAdapter
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.http.connection import Reply
from rhumbline.liquidity.chain_pools import chain_pools
from rhumbline.liquidity.live_snapshot import LiveRules
from tests.adapters.onchain.adapter_fixture import AdapterFixture
from tests.patience import until

ONE = 10**18
FOR_EVER = LiveRules(fresh_s=3600.0, oldest_s=3600.0)


class Counting(HttpClient):
    """Counts requests, and how many were made after one another."""

    requests = in_a_row = 0
    flying = 0

    async def ask(self, *what: Any, **more: Any) -> Reply:
        self.requests += 1
        self.in_a_row += self.flying == 0
        self.flying += 1
        try:
            return await super().ask(*what, **more)
        finally:
            self.flying -= 1


async def test_a_followed_pair_costs_no_request(adapter_fixture: AdapterFixture) -> None:
    http = Counting()
    async with http:
        pools = chain_pools(
            replace(adapter_fixture.rpc, http=http), adapter_fixture.deployment, time.monotonic, FOR_EVER
        )
        adapter = OnchainAdapter({adapter_fixture.chain.id: pools})
        following = replace(adapter_fixture, adapter=adapter)
        cold = await following.quote("WETH", "USDC", ONE)
        assert (http.requests, http.in_a_row) == (3, 2)
        for amount in (ONE // 7, ONE, 3 * ONE):
            await following.quote("WETH", "USDC", amount)
            await following.quote("USDC", "WETH", amount // 10**9)
        assert http.requests == 3
        assert cold.output_amount == (await adapter_fixture.quote("WETH", "USDC", ONE)).output_amount
        await pools.close()


async def test_a_followed_pair_moves_on_with_the_chain(adapter_fixture: AdapterFixture) -> None:
    """The live notices a new block by itself: what was read of the one before is not quoted any longer."""
    rules = LiveRules(fresh_s=0.2, oldest_s=3600.0, wait_s=3600.0)
    pools = chain_pools(adapter_fixture.rpc, adapter_fixture.deployment, time.monotonic, rules)
    following = replace(adapter_fixture, adapter=OnchainAdapter({adapter_fixture.chain.id: pools}))
    before = await following.quote("WETH", "USDC", ONE)
    await adapter_fixture.mint("WETH", 50 * ONE)
    gained, _ = await adapter_fixture.swap(await adapter_fixture.quote("WETH", "USDC", 50 * ONE))
    assert gained > 0
    expected = (await adapter_fixture.quote("WETH", "USDC", ONE)).output_amount
    assert expected < before.output_amount

    async def is_newest() -> bool:
        return (await following.quote("WETH", "USDC", ONE)).output_amount == expected

    await until(is_newest)
    await pools.close()
