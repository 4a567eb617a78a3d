"""What a node leaves out of a long range, and tells of later, is found by itself, counted and logged."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine
from structlog.testing import capture_logs

from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.nodes.endpoint import EndpointTerms
from rhumbline.gateways.nodes.endpoints import reading
from rhumbline.gateways.nodes.evm.endpoints import evm_endpoints
from rhumbline.gateways.nodes.evm.rpc import EvmRpc
from rhumbline.tracking.evm.indexer import Indexer, IndexingSettings
from rhumbline.tracking.evm.log_reader import SHORT
from rhumbline.tracking.evm.positions import read_second_look
from rhumbline.tracking.evm.second_look import LOOK_EVERY, LOOK_SELDOM, TOLD_LATE
from tests.gateways.nodes.lying_node import lying_node, said
from tests.tracking.conftest import catch_up, new_id, records, service_keys
from tests.tracking.evm.test_log_reader import Gaps, trades, without_logs
from tests.tracking.market import Market
from tests.tracking.node import PASS, Node

LONG = SHORT + 2


class Following:
    """An indexer whose clock stands still until it is told otherwise."""

    def __init__(self, market: Market, engine: AsyncEngine, rpc: EvmRpc, block_range: int = 2000) -> None:
        self.now, self.gaps = datetime.now(UTC), Gaps()
        settings = IndexingSettings(market.first_block, block_range)
        self.indexer = Indexer(market.chain, rpc, engine, service_keys, lambda: self.now, settings, self.gaps)

    async def after(self, time: timedelta = timedelta()) -> None:
        self.now += time
        with reading():
            await catch_up(self.indexer)


@pytest.mark.parametrize("restarted", [False, True])
async def test_what_a_node_alone_left_out_is_found_when_it_is_told(
    market: Market, store_engine: AsyncEngine, node: Node, *, restarted: bool
) -> None:
    sent = await trades(market, LONG)
    following = Following(market, store_engine, node.rpc)
    node.answer = without_logs
    await following.after()
    assert await records(store_engine) == []
    node.answer = lambda method, params: PASS
    following = Following(market, store_engine, node.rpc) if restarted else following
    with capture_logs() as lines:
        await following.after(LOOK_EVERY)
    assert [each["source_tx_hash"] for each in await records(store_engine)] == sent
    assert following.gaps.counts == [LONG]
    assert [line["count"] for line in lines if line["event"] == "events had been left out"] == [LONG]
    before = await records(store_engine)
    await following.after(LOOK_EVERY)
    assert await records(store_engine) == before


async def test_a_list_that_was_cut_short_is_completed(market: Market, store_engine: AsyncEngine, node: Node) -> None:
    sent = await trades(market, LONG)
    wanted = {"fromBlock": hex(market.first_block), "toBlock": "latest", "address": market.chain.diamond}
    whole = await market.rpc.call("eth_getLogs", [wanted])
    assert isinstance(whole, list)
    node.answer = lambda method, params: {"result": whole[:3]} if method == "eth_getLogs" else PASS
    following = Following(market, store_engine, node.rpc)
    await following.after()
    assert 0 < len(await records(store_engine)) < LONG
    node.answer = lambda method, params: PASS
    await following.after(LOOK_EVERY)
    assert [each["source_tx_hash"] for each in await records(store_engine)] == sent


async def test_another_endpoint_is_looked_at(market: Market, store_engine: AsyncEngine, http: HttpClient) -> None:
    """While the first one keeps lying, and the second one fails for a while."""

    def empty(call: dict[str, Any], answer: dict[str, Any]) -> dict[str, Any] | None:
        return said(answer, []) if call["method"] == "eth_getLogs" else None

    sent = await trades(market, LONG)
    async with lying_node(market.rpc.url) as first, lying_node(market.rpc.url) as second:
        given = [
            (each.url, EndpointTerms(name, order=order)) for order, name, each in ((0, "1", first), (1, "2", second))
        ]
        rpc = evm_endpoints("sbxa", market.chain.id, given, http, timeout_s=5.0)
        first.lie, second.status = empty, 503
        following = Following(market, store_engine, rpc)
        await following.after()
        assert await records(store_engine) == []
        await following.after(LOOK_EVERY)
        second.status = 200
        await following.after(LOOK_EVERY)
        assert [each["source_tx_hash"] for each in await records(store_engine)] == sent


async def test_what_is_old_is_not_looked_at_again(market: Market, store_engine: AsyncEngine, node: Node) -> None:
    await trades(market, LONG)
    following = Following(market, store_engine, node.rpc)
    await following.after()
    await following.after(TOLD_LATE + LOOK_EVERY)
    async with store_engine.connect() as connection:
        assert await read_second_look(connection, market.chain.id) == market.first_block + LONG
    node.calls.clear()
    await following.after(LOOK_EVERY)
    assert "eth_getLogs" not in [method for method, _ in node.calls]
    assert (await read_again(following, node)) == 0


async def read_again(following: Following, node: Node) -> int:
    node.calls.clear()
    await following.after(LOOK_EVERY)
    return [method for method, _ in node.calls].count("eth_getLogs")


async def test_a_chain_that_is_read_in_many_ranges_is_looked_at_seldom(
    market: Market, store_engine: AsyncEngine, node: Node
) -> None:
    sent = await trades(market, LONG)
    following = Following(market, store_engine, node.rpc, block_range=2)
    node.answer = lambda method, params: {"result": []} if method in ("eth_getLogs", "eth_getBlockReceipts") else PASS
    await following.after()
    node.answer = lambda method, params: PASS
    assert await read_again(following, node) == 0
    await following.after(LOOK_SELDOM)
    assert [each["source_tx_hash"] for each in await records(store_engine)] == sent


async def test_a_node_that_refused_ranges_for_a_while_is_looked_at_as_often_as_before(
    market: Market, store_engine: AsyncEngine, node: Node
) -> None:
    await trades(market, LONG)
    following = Following(market, store_engine, node.rpc)
    await following.after()
    refusal = {"error": {"code": -32000, "message": "range too large"}}
    node.answer = lambda method, params: refusal if method == "eth_getLogs" else PASS
    await following.after(LOOK_EVERY)
    node.answer = lambda method, params: PASS
    assert await read_again(following, node) > 1
    await trades(market, LONG, first=LONG)
    node.answer = without_logs
    await following.after()
    assert len(await records(store_engine)) == LONG
    node.answer = lambda method, params: PASS
    await following.after(LOOK_EVERY)
    assert len(await records(store_engine)) == 2 * LONG


async def test_a_look_that_fails_holds_up_nothing(market: Market, store_engine: AsyncEngine, node: Node) -> None:
    await trades(market, LONG)
    following = Following(market, store_engine, node.rpc)
    await following.after()
    sent = await market.swap(new_id(market.accounts[0], nonce=LONG))
    first = hex(market.first_block)
    refusal = {"error": {"code": -32000, "message": "no"}}

    def answer(method: str, params: list[Any]) -> object:
        return refusal if method == "eth_getLogs" and params[0]["fromBlock"] == first else PASS

    node.answer = answer
    await following.after(LOOK_EVERY)
    assert [each["source_tx_hash"] for each in await records(store_engine)][-1] == sent
