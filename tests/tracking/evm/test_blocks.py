"""Blocks are believed only where they fit together."""

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.domain.errors import NodeUnavailable
from rhumbline.tracking.evm.log_reader import SHORT
from tests.tracking.conftest import SecondStore, catch_up, fresh_index, indexer, records
from tests.tracking.evm.test_reorganisations import header, trade
from tests.tracking.market import Market
from tests.tracking.node import PASS, Node


async def test_a_node_that_lags_withdraws_nothing(market: Market, store_engine: AsyncEngine, node: Node) -> None:
    chain_indexer = indexer(market, store_engine, rpc=node.rpc)
    for n in range(5):
        await trade(market, n)
        await catch_up(chain_indexer)
    before = await records(store_engine)
    head = await market.rpc.block_number()
    node.answer = lambda method, _: {"result": hex(head - 3)} if method == "eth_blockNumber" else PASS
    assert await chain_indexer.step() is False
    assert await records(store_engine) == before
    node.answer = lambda method, _: {"result": None} if method == "eth_getBlockByNumber" else PASS
    with pytest.raises(NodeUnavailable):
        await chain_indexer.step()
    assert await records(store_engine) == before


async def test_logs_of_another_branch_than_the_headers_are_not_believed(
    market: Market, store_engine: AsyncEngine, second_store: SecondStore, node: Node
) -> None:
    """Two nodes behind one URL: one on the old branch answers the logs, one on the new branch the blocks."""
    mark = await market.snapshot()
    await trade(market, 0)
    head = hex(await market.rpc.block_number())
    wanted = {"address": market.diamond, "fromBlock": hex(market.first_block), "toBlock": head}
    stale = await market.rpc.call("eth_getLogs", [wanted])
    await market.revert(mark)
    await trade(market, 1)
    node.answer = lambda method, _: {"result": stale} if method == "eth_getLogs" else PASS
    chain_indexer = indexer(market, store_engine, rpc=node.rpc)
    with pytest.raises(NodeUnavailable, match="contradict each other"):
        await catch_up(chain_indexer)
    assert await records(store_engine) == []
    node.answer = lambda method, _: PASS
    await catch_up(chain_indexer)
    assert await records(store_engine) == await fresh_index(market, second_store)


async def test_logs_of_a_node_on_another_branch_that_has_none(
    market: Market, store_engine: AsyncEngine, node: Node
) -> None:
    """The headers come from a node on the right branch, the empty answer and its header from one on the other."""
    mark = await market.snapshot()
    await market.mine(SHORT + 1)
    other = await header(market, market.first_block + SHORT)
    await market.revert(mark)
    await trade(market, 0)
    await market.mine(SHORT)
    asked: list[str] = []

    def answer(method: str, params: list[object]) -> object:
        asked.append(method)
        if method == "eth_getLogs":
            return {"result": []}
        return {"result": other} if asked[-2:] == ["eth_getLogs", "eth_getBlockByNumber"] else PASS

    node.answer = answer
    chain_indexer = indexer(market, store_engine, rpc=node.rpc)
    with pytest.raises(NodeUnavailable, match="contradict each other"):
        await catch_up(chain_indexer)
    node.answer = lambda method, _: PASS
    await catch_up(chain_indexer)
    assert len(await records(store_engine)) == 1
