"""How far a chain was read is moved by one, and kept in bounded number."""

import asyncio

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.domain.clock import system_clock
from rhumbline.tracking.evm.indexer import Indexer, IndexingSettings
from rhumbline.tracking.evm.positions import blocks, cursors
from tests.tracking.conftest import (
    KEY,
    Record,
    SecondStore,
    catch_up,
    fresh_index,
    indexer,
    new_id,
    records,
)
from tests.tracking.evm.test_reorganisations import trade
from tests.tracking.market import Market
from tests.tracking.node import Node


async def test_a_position_that_somebody_else_moved_is_left_alone(
    market: Market, store_engine: AsyncEngine, second_store: SecondStore
) -> None:
    """A worker that lost the lead in the middle of a step must not write what it saw on a branch that is gone."""
    mark = await market.snapshot()
    await trade(market, 0)
    meanwhile: list[Record] = []

    async def keys_after_a_long_pause() -> tuple[bytes, ...]:
        await market.revert(mark)
        await trade(market, 1)
        await trade(market, 2)
        await catch_up(indexer(market, store_engine))
        meanwhile.extend(await records(store_engine))
        return (KEY,)

    settings = IndexingSettings(market.first_block)
    slow = Indexer(market.chain, market.rpc, store_engine, keys_after_a_long_pause, system_clock, settings)
    await slow.step()
    await slow.step()
    assert len(meanwhile) == 2
    assert await records(store_engine) == meanwhile == await fresh_index(market, second_store)
    async with store_engine.connect() as connection:
        after = (await connection.execute(select(cursors.c.next_block))).scalar_one()
    assert after == await market.rpc.block_number() + 1


async def test_two_indexers_at_once_agree(market: Market, store_engine: AsyncEngine, second_store: SecondStore) -> None:
    for n in range(12):
        await trade(market, n)
    chain_indexers = [indexer(market, store_engine, block_range=span) for span in (1, 2, 3)]
    await asyncio.gather(*(catch_up(chain_indexer) for chain_indexer in chain_indexers))
    assert await records(store_engine) == await fresh_index(market, second_store)


async def test_it_goes_on_where_it_stopped(market: Market, store_engine: AsyncEngine, node: Node) -> None:
    await market.swap(new_id(market.accounts[0]))
    await catch_up(indexer(market, store_engine))
    head = await market.rpc.block_number()
    await market.swap(new_id(market.accounts[0], nonce=1))
    await catch_up(indexer(market, store_engine, rpc=node.rpc, start_block=0))
    assert len(await records(store_engine)) == 2
    ranges = [params[0] for method, params in node.calls if method == "eth_getLogs"]
    # The second look begins with what was read before.
    assert [item["fromBlock"] for item in ranges if isinstance(item, dict)] == [hex(head + 1), hex(head)]


async def test_the_number_of_kept_blocks_is_bounded(market: Market, store_engine: AsyncEngine) -> None:
    await market.mine(30)
    await catch_up(indexer(market, store_engine, block_range=1, checkpoints=5))
    async with store_engine.connect() as connection:
        kept = (await connection.execute(select(blocks.c.number).order_by(blocks.c.number))).scalars().all()
    head = await market.rpc.block_number()
    assert list(kept) == [market.first_block - 1, *range(head - 4, head + 1)]
