"""Orders through pools of Uniswap V4, in tokens and in native itself: delivered is what was quoted, to the wei."""

from dataclasses import replace

import pytest

from rhumbline.liquidity.discovery import PoolFinder
from rhumbline.liquidity.kinds.pools import PoolKind
from rhumbline.liquidity.kinds.v4 import V4NativePool, V4Pool
from rhumbline.liquidity.paths import pairs_on
from rhumbline.liquidity.snapshots import PoolBook
from tests.adapters.onchain.adapter_fixture import AdapterFixture
from tests.adapters.onchain.delivered import delivered_as_quoted
from tests.adapters.onchain.v4_fixture import POOLS, with_v4
from tests.liquidity.test_lens import Altering, without_either

ONE = 10**18
ORDERS = [
    ("ETH", "USDC", 30 * ONE),
    ("WETH", "USDC", 30 * ONE),
    ("USDC", "ETH", 90_000 * 10**6),
    ("USDC", "WETH", 90_000 * 10**6),
    ("DAI", "WBTC", 50_000 * ONE),
    ("ETH", "DAI", 40 * ONE),
    ("DAI", "ETH", 100_000 * ONE),
    ("WBTC", "USDC", 10**8),
]


@pytest.mark.parametrize("alone", [True, False], ids=["V4 alone", "all kinds"])
async def test_what_is_quoted_is_delivered(adapter_fixture: AdapterFixture, alone: bool) -> None:
    through = (await with_v4(adapter_fixture, alone=alone)).by_plan()
    async for plan, gas in delivered_as_quoted(through, ORDERS):
        kinds = {hop.pool.kind for hop in plan.hops}
        assert PoolKind.V4 in kinds
        assert (kinds == {PoolKind.V4}) is alone
        assert 0.8 < gas < 1.4


async def test_every_pool_is_found_and_read_in_any_way(adapter_fixture: AdapterFixture) -> None:
    """By the lens and by Multicall3, with more ticks too; no pool of another key, nor of a manager that is none."""
    fixture = await with_v4(adapter_fixture, alone=True)
    tokens = {token.address for symbol, token in fixture.tokens.items() if symbol != "ETH"}
    pairs = pairs_on((a, b) for a in tokens for b in tokens if a != b)
    found = await PoolFinder(fixture.rpc, fixture.deployment, lambda: 0.0).find(pairs)
    pools = [pool for each in found.values() for pool in each]
    assert sorted((pool.fee, pool.spacing, pool.native) for pool in pools) == sorted(
        (fee, spacing, "ETH" in pair) for *pair, fee, spacing in POOLS
    )
    async with Altering(without_either) as http:
        rpcs = fixture.rpc, replace(fixture.rpc, http=http)
        books = [PoolBook(rpc, fixture.deployment, lambda: 0.0) for rpc in rpcs]
        snapshots = [await book.newest(pools) for book in books]
        for pool in pools:
            states = []
            for book, snapshot in zip(books, snapshots, strict=True):
                live = snapshot.states[pool.key]
                assert type(live) is (V4NativePool if pool.native else V4Pool)
                wide = (await book.widen(snapshot, [(pool, live, True)]))[pool.key]
                assert type(wide) is type(live)
                states.append((live.state, wide.state))
            assert states[0] == states[1]
            assert len(states[0][0].ticks) > 1

    source = replace(fixture.deployment.sources[0], factory=fixture.tokens["DAI"].address)
    nothing = replace(fixture.deployment, sources=(source,))
    assert not any((await PoolFinder(fixture.rpc, nothing, lambda: 0.0).find(pairs)).values())
