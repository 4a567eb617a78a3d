"""Pools that were found are there for the next process, unless their source is gone."""

from dataclasses import replace

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.domain.errors import NodeUnavailable, StoreUnavailable
from rhumbline.gateways.postgres.engine import create_engine
from rhumbline.liquidity.discovery import PoolFinder
from rhumbline.liquidity.kinds.pools import Pool, PoolKind, PoolSource, pair_of
from rhumbline.liquidity.pool_store import StoredPools
from tests.adapters.onchain.adapter_fixture import AdapterFixture
from tests.patience import until

FACTORY, OTHER = "0x" + "F0" * 20, "0x" + "F1" * 20
SOURCES = (
    PoolSource("UNISWAP_V2", PoolKind.V2, FACTORY, fee=3000),
    PoolSource("UNISWAP_V3", PoolKind.V3, OTHER, ((500, 10),)),
)
PAIR = ("0x" + "11" * 20, "0x" + "22" * 20)
PAIR_POOL = Pool(PoolKind.V2, "0x" + "33" * 20, *PAIR, 3000, source="UNISWAP_V2")
TIER_POOL = Pool(PoolKind.V3, "0x" + "44" * 20, *PAIR, 500, 10, "UNISWAP_V3")


async def test_what_was_found_is_found_again(store_engine: AsyncEngine) -> None:
    store = StoredPools(store_engine, 1, SOURCES)
    assert await store.load() == []
    await store.save([PAIR_POOL, TIER_POOL])
    await store.save([PAIR_POOL])
    assert set(await store.load()) == {PAIR_POOL, TIER_POOL}
    assert await StoredPools(store_engine, 2, SOURCES).load() == []


async def test_pools_of_a_source_that_is_gone_or_has_another_factory_are_not_believed(
    store_engine: AsyncEngine,
) -> None:
    await StoredPools(store_engine, 1, SOURCES).save([PAIR_POOL, TIER_POOL])
    moved = (SOURCES[0], replace(SOURCES[1], factory="0x" + "F2" * 20))
    assert await StoredPools(store_engine, 1, moved).load() == [PAIR_POOL]
    assert await StoredPools(store_engine, 1, SOURCES[1:]).load() == [TIER_POOL]
    assert await StoredPools(store_engine, 1, ()).load() == []


async def test_a_row_of_another_release_is_passed_over(store_engine: AsyncEngine) -> None:
    store = StoredPools(store_engine, 1, SOURCES)
    await store.save([PAIR_POOL, TIER_POOL])
    async with store_engine.begin() as connection:
        await connection.execute(text("UPDATE pools SET pool = pool - 'spacing' WHERE pool->>'kind' = 'v3'"))
    assert await store.load() == [PAIR_POOL]


async def test_a_store_that_is_away_is_told() -> None:
    nowhere = create_engine("postgresql://nobody@127.0.0.1:1/none", connect_timeout_s=0.5)
    with pytest.raises(StoreUnavailable):
        await StoredPools(nowhere, 1, SOURCES).load()
    await nowhere.dispose()


async def test_a_new_process_asks_no_factory_for_what_is_kept(
    adapter_fixture: AdapterFixture, store_engine: AsyncEngine
) -> None:
    """It quotes with what is in the store at once, and looks for new pools meanwhile."""
    chain, place = adapter_fixture.chain.id, adapter_fixture.deployment
    store = StoredPools(store_engine, chain, place.sources)
    pair = pair_of(*(adapter_fixture.tokens[symbol].address for symbol in ("WETH", "USDC")))
    first = PoolFinder(adapter_fixture.rpc, place, lambda: 0.0, store=store)
    found = await first.find([pair])

    async def is_kept() -> bool:
        return len(await store.load()) == len(found[pair])

    await until(is_kept)
    # A deployment without a router, whose factories need not be asked for, and a node that is away.
    rpc, alone = replace(adapter_fixture.rpc, url="http://127.0.0.1:9"), replace(place, router=None)
    second = PoolFinder(rpc, alone, lambda: 0.0, store=store)
    assert set((await second.find([pair]))[pair]) == set(found[pair])
    with pytest.raises(NodeUnavailable):
        await PoolFinder(rpc, alone, lambda: 0.0).find([pair])
    await first.close()
    await second.close()
