"""After any reorganisation the store holds what somebody sees who reads the chain for the first time."""

import asyncio
import random
from contextlib import suppress

import pytest
from sqlalchemy import update
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.domain.errors import NodeUnavailable
from rhumbline.gateways.nodes.evm.rpc import RpcError
from rhumbline.tracking.evm.positions import blocks
from tests.tracking.conftest import SecondStore, catch_up, fresh_index, indexer, new_id, records
from tests.tracking.market import Market
from tests.tracking.mortal import Mortal
from tests.tracking.node import PASS, Node


async def trade(market: Market, nonce: int) -> str:
    return await market.swap(new_id(market.accounts[0], nonce=nonce))


@pytest.mark.parametrize("depth", range(1, 13))
async def test_another_branch_of_any_depth(
    market: Market, store_engine: AsyncEngine, second_store: SecondStore, depth: int
) -> None:
    """The other branch has other swaps, is first shorter than the old one, then longer."""
    chain_indexer = indexer(market, store_engine)
    marks = []
    for n in range(13):
        marks.append(await market.snapshot())
        await trade(market, n)
        await catch_up(chain_indexer)
    before = await records(store_engine)
    await market.revert(marks[-depth])
    for n in range(depth + 2):
        await trade(market, 100 + n)
        with suppress(NodeUnavailable):
            await chain_indexer.step()
    await catch_up(chain_indexer)
    after = await records(store_engine)
    assert after == await fresh_index(market, second_store)
    assert len(after) == 13 + 2
    assert after[: 13 - depth] == before[: 13 - depth]
    assert not {r["id"] for r in after[13 - depth :]} & {r["id"] for r in before}


@pytest.mark.parametrize("depth", [1, 5, 12])
async def test_blocks_replaced_by_empty_ones(
    market: Market, store_engine: AsyncEngine, second_store: SecondStore, depth: int
) -> None:
    chain_indexer = indexer(market, store_engine)
    for n in range(12):
        await trade(market, n)
        await chain_indexer.step()
    await market.rpc.call("anvil_reorg", [depth, []])
    await market.mine(1)
    await catch_up(chain_indexer)
    found = await records(store_engine)
    assert found == await fresh_index(market, second_store)
    assert len(found) == 12 - depth


async def test_a_swap_that_moves_to_another_block(
    market: Market, store_engine: AsyncEngine, second_store: SecondStore
) -> None:
    chain_indexer = indexer(market, store_engine)
    mark = await market.snapshot()
    first = await trade(market, 0)
    await catch_up(chain_indexer)
    before = await records(store_engine)
    await market.revert(mark)
    await market.mine(2)
    again = await trade(market, 0)
    assert again == first
    await catch_up(chain_indexer)
    (after,) = await records(store_engine)
    assert after["id"] == before[0]["id"]
    assert after["source_block_hash"] != before[0]["source_block_hash"]
    assert [after] == await fresh_index(market, second_store)


async def test_a_reorganisation_across_large_ranges(
    market: Market, store_engine: AsyncEngine, second_store: SecondStore
) -> None:
    """The fork lies inside a range that was taken in as a whole: its hash alone is known."""
    chain_indexer = indexer(market, store_engine, block_range=8)
    for n in range(20):
        if n == 11:
            mark = await market.snapshot()
        await trade(market, n)
    await catch_up(chain_indexer)
    await market.revert(mark)
    for n in range(14):
        await trade(market, 50 + n)
    await catch_up(chain_indexer)
    found = await records(store_engine)
    assert found == await fresh_index(market, second_store)
    assert len(found) == 11 + 14


async def test_a_fork_deeper_than_what_is_kept(
    market: Market, store_engine: AsyncEngine, second_store: SecondStore
) -> None:
    chain_indexer = indexer(market, store_engine, checkpoints=3)
    marks = []
    for n in range(10):
        marks.append(await market.snapshot())
        await trade(market, n)
        await catch_up(chain_indexer)
    await market.revert(marks[2])
    for n in range(9):
        await trade(market, 100 + n)
    await catch_up(chain_indexer)
    found = await records(store_engine)
    assert found == await fresh_index(market, second_store)
    assert len(found) == 2 + 9


async def test_a_chain_that_was_begun_anew(
    market: Market, store_engine: AsyncEngine, second_store: SecondStore
) -> None:
    """Nothing of what is known is there any more: everything is read again, and the old records are gone."""
    chain_indexer = indexer(market, store_engine)
    await trade(market, 0)
    await catch_up(chain_indexer)
    async with store_engine.begin() as connection:
        await connection.execute(update(blocks).values(hash="0x" + "00" * 32))
    await trade(market, 1)
    await catch_up(chain_indexer)
    found = await records(store_engine)
    assert found == await fresh_index(market, second_store)
    assert len(found) == 2


async def test_a_second_fork_above_one_below_everything_known(
    market: Market, store_engine: AsyncEngine, second_store: SecondStore
) -> None:
    """Followed from the head on. What was read after the first fork, in one range, must not be lost to the second."""
    beginning = await market.snapshot()
    await market.mine(4)
    chain_indexer = indexer(market, store_engine, start_block=None)
    began = await market.rpc.block_number()
    await catch_up(chain_indexer)
    await trade(market, 0)
    await catch_up(chain_indexer)
    assert len(await records(store_engine)) == 1

    await market.revert(beginning)
    for n in range(8):
        if n == 6:
            again = await market.snapshot()
        await trade(market, 100 + n)
    await catch_up(chain_indexer)
    first = await records(store_engine)
    # It goes on from the first block that it knew, one below where it began.
    assert [record["source_block_number"] for record in first] == list(range(began - 1, market.first_block + 8))

    await market.revert(again)
    for n in range(4):
        await trade(market, 200 + n)
    await catch_up(chain_indexer)
    found = await records(store_engine)
    assert [record["source_block_number"] for record in found] == list(range(began - 1, market.first_block + 10))
    assert found[:-4] == first[:-2]
    async with second_store() as engine:
        await catch_up(indexer(market, engine, start_block=began - 1))
        assert found == await records(engine)


async def test_a_fork_below_everything_known_with_the_start_above_the_new_head(
    market: Market, store_engine: AsyncEngine
) -> None:
    """The start was set higher since. What is gone is withdrawn at once, and the start is awaited."""
    beginning = await market.snapshot()
    await trade(market, 0)
    await catch_up(indexer(market, store_engine))
    async with store_engine.begin() as connection:
        await connection.execute(update(blocks).values(hash="0x" + "00" * 32))
    await market.revert(beginning)
    await trade(market, 1)
    start = market.first_block + 4
    chain_indexer = indexer(market, store_engine, start_block=start)
    await catch_up(chain_indexer)
    assert await records(store_engine) == []
    await market.mine(3)
    await trade(market, 2)
    await trade(market, 3)
    await catch_up(chain_indexer)
    assert [record["source_block_number"] for record in await records(store_engine)] == [start, start + 1]


async def test_a_chain_that_reorganises_while_it_is_read(
    market: Market, store_engine: AsyncEngine, second_store: SecondStore
) -> None:
    """Random swaps and reverts while another task follows all the time."""
    chance = random.Random(7)
    chain_indexer, done = indexer(market, store_engine), asyncio.Event()

    async def follow() -> None:
        while not done.is_set():
            # A node may refuse a block that it has just taken back; the next step asks anew, as the loop in use does.
            with suppress(NodeUnavailable, RpcError):
                await chain_indexer.step()
            await asyncio.sleep(0)

    task = asyncio.create_task(follow())
    marks = [await market.snapshot()]
    for n in range(40):
        if chance.random() < 0.2:
            place = max(0, len(marks) - chance.randint(1, 6))
            await market.revert(marks[place])
            del marks[place:]
            marks.append(await market.snapshot())
        await trade(market, n)
        marks.append(await market.snapshot())
        await asyncio.sleep(chance.random() / 100)
    # Longer than any branch before it, so that no old block is left above the head.
    for n in range(8):
        await trade(market, 200 + n)
    done.set()
    await task
    await catch_up(chain_indexer)
    found = await records(store_engine)
    assert found == await fresh_index(market, second_store)
    assert len(found) >= 8


async def test_a_lagging_node_that_answers_no_logs_loses_nothing(
    market: Market, store_engine: AsyncEngine, node: Node
) -> None:
    """The node that answers the logs has not the block yet, another one behind the same URL has."""
    await trade(market, 0)
    asked: list[str] = []

    def answer(method: str, params: list[object]) -> object:
        asked.append(method)
        if method == "eth_getLogs":
            return {"result": []}
        return {"result": None} if asked[-2:] == ["eth_getLogs", "eth_getBlockByNumber"] else PASS

    node.answer = answer
    chain_indexer = indexer(market, store_engine, rpc=node.rpc)
    with pytest.raises(NodeUnavailable, match="the node has no block"):
        await catch_up(chain_indexer)
    node.answer = lambda method, _: PASS
    await catch_up(chain_indexer)
    assert len(await records(store_engine)) == 1


@pytest.mark.parametrize("kept", [7, 5, 2])
async def test_a_range_that_was_read_ahead_and_is_gone_when_its_turn_comes(
    market: Market, store_engine: AsyncEngine, second_store: SecondStore, kept: int
) -> None:
    """Of ten swaps the first five are taken in and the others read; then those after the first ``kept`` are others."""
    chain_indexer = indexer(market, store_engine, block_range=5)
    marks = []
    for n in range(10):
        marks.append(await market.snapshot())
        await trade(market, n)
    await chain_indexer.step()
    assert await chain_indexer.step()
    assert len(await records(store_engine)) == 5
    await market.revert(marks[kept])
    for n in range(12 - kept):
        await trade(market, 100 + n)
    await catch_up(chain_indexer)
    after = await records(store_engine)
    assert after == await fresh_index(market, second_store)
    assert len(after) == 12


async def header(market: Market, number: int) -> object:
    return await market.rpc.call("eth_getBlockByNumber", [hex(number), False])


async def test_a_chain_that_forks_after_the_last_block_was_compared(
    market: Market, store_engine: AsyncEngine, second_store: SecondStore, node: Node
) -> None:
    """The block that was taken in last still looks the same, but the next one does not continue it."""
    mark = await market.snapshot()
    await trade(market, 0)
    old = await header(market, market.first_block)
    chain_indexer = indexer(market, store_engine, rpc=node.rpc)
    await catch_up(chain_indexer)
    before = await records(store_engine)
    await market.revert(mark)
    await trade(market, 1)
    await trade(market, 2)

    def answer(method: str, params: list[object]) -> object:
        stale = method == "eth_getBlockByNumber" and params[0] == hex(market.first_block)
        return {"result": old} if stale else PASS

    node.answer = answer
    with pytest.raises(NodeUnavailable, match="contradict each other"):
        await chain_indexer.step()
    assert await records(store_engine) == before
    node.answer = lambda method, _: PASS
    await catch_up(chain_indexer)
    assert await records(store_engine) == await fresh_index(market, second_store)


async def test_steps_cancelled_at_any_moment_lose_and_double_nothing(market: Market, second_store: SecondStore) -> None:
    """Each chain_indexer is a process that dies at a random moment; the next one goes on from the store alone."""
    chance = random.Random(11)
    for n in range(30):
        await trade(market, n)
    expected = await fresh_index(market, second_store)
    async with second_store() as engine:
        whole = Mortal()
        assert await whole.run(catch_up(indexer(market, engine, block_range=3)))
    deaths = 0
    for _ in range(6):
        async with second_store() as engine:
            for _ in range(40):
                one = Mortal(chance.randint(1, whole.waits // 2))
                if await one.run(catch_up(indexer(market, engine, block_range=chance.randint(1, 6)))):
                    break
                deaths += 1
                partial_records = await records(engine)
                assert partial_records == expected[: len(partial_records)]
            await catch_up(indexer(market, engine))
            assert await records(engine) == expected
    assert deaths > 10
