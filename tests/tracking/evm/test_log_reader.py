"""An answer without events is believed where the blocks' filters say so, and asked for in another way where not."""

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.domain.metrics import NoMetrics
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.nodes.endpoint import EndpointTerms
from rhumbline.gateways.nodes.evm.endpoints import evm_endpoints
from rhumbline.tracking.evm.log_bloom import SIZE
from rhumbline.tracking.evm.log_reader import SHORT, LogReader
from tests.gateways.nodes.lying_node import lying_node, refused, said
from tests.tracking.conftest import catch_up, indexer, new_id, records
from tests.tracking.market import Market
from tests.tracking.node import PASS, Node

NO_METHOD = {"error": {"code": -32601, "message": "the method does not exist"}}
Answer = Callable[[str, list[object]], object]


class Gaps(NoMetrics):
    def __init__(self) -> None:
        self.counts: list[int] = []

    def found_gap(self, chain: str, count: int, /) -> None:
        self.counts.append(count)


def without_logs(method: str, params: list[object]) -> object:
    return {"result": []} if method == "eth_getLogs" else PASS


def without_ranges(method: str, params: list[object]) -> object:
    """Neither logs of a range nor receipts; logs of a block are told."""
    if method == "eth_getBlockReceipts":
        return NO_METHOD
    return {"result": []} if method == "eth_getLogs" and "fromBlock" in str(params) else PASS


async def trades(market: Market, count: int = SHORT, first: int = 0) -> list[str]:
    return [await market.swap(new_id(market.accounts[0], nonce=first + number)) for number in range(count)]


@pytest.mark.parametrize("lie", [without_logs, without_ranges])
async def test_a_node_alone_that_answers_no_events_is_asked_for_the_blocks(
    market: Market, node: Node, lie: Answer
) -> None:
    sent, node.answer, gaps = await trades(market), lie, Gaps()
    reader = LogReader(market.chain, node.rpc, gaps)
    found = await reader.read(market.first_block, market.first_block + SHORT - 1, None)
    assert [log.tx_hash for log in found.logs] == sent
    assert gaps.counts == [SHORT]


async def test_events_of_some_blocks_are_missed(market: Market, store_engine: AsyncEngine, node: Node) -> None:
    sent = await trades(market, 3)

    wanted = {"fromBlock": hex(market.first_block), "toBlock": "latest", "address": market.chain.diamond}
    whole = await market.rpc.call("eth_getLogs", [wanted])
    assert isinstance(whole, list)
    node.answer = lambda method, params: {"result": whole[:1]} if method == "eth_getLogs" else PASS
    await catch_up(indexer(market, store_engine, rpc=node.rpc))
    assert [each["source_tx_hash"] for each in await records(store_engine)] == sent


async def test_another_endpoint_is_asked_for_the_blocks(market: Market, http: HttpClient) -> None:
    def empty(call: dict[str, Any], answer: dict[str, Any]) -> dict[str, Any] | None:
        if call["method"] == "eth_getBlockReceipts":
            return refused(answer, -32601, "no such method")
        return said(answer, []) if call["method"] == "eth_getLogs" else None

    sent = await trades(market)
    async with lying_node(market.rpc.url) as first, lying_node(market.rpc.url) as second:
        given = [(each.url, EndpointTerms(name)) for name, each in (("1", first), ("2", second))]
        rpc = evm_endpoints("sbxa", market.chain.id, given, http, timeout_s=5.0)
        for liar in (first, second):
            first.lie = second.lie = lambda call, answer: None
            liar.lie = empty
            found = await LogReader(market.chain, rpc).read(market.first_block, market.first_block + SHORT - 1, None)
            assert [log.tx_hash for log in found.logs] == sent


@pytest.mark.parametrize("bloom", [b"\0" * SIZE, b"\xff" * SIZE, b""], ids=["zeros", "ones", "none"])
async def test_headers_that_tell_nothing_cost_nothing(market: Market, node: Node, bloom: bytes) -> None:
    """As on chains that make no filters: what is told is taken in, and nothing more is asked for."""
    (sent,) = await trades(market, 1)
    await market.mine(2)
    headers = {
        hex(number): await market.rpc.call("eth_getBlockByNumber", [hex(number), False])
        for number in range(market.first_block, market.first_block + 3)
    }

    def answer(method: str, params: list[object]) -> object:
        if method != "eth_getBlockByNumber":
            return PASS
        told = headers[str(params[0])]
        assert isinstance(told, dict)
        return {"result": {**told, "logsBloom": "0x" + bloom.hex()}}

    node.answer = answer
    found = await LogReader(market.chain, node.rpc).read(market.first_block, market.first_block + 2, None)
    assert [log.tx_hash for log in found.logs] == [sent]
    assert [method for method, _ in node.calls] == ["eth_getLogs", *["eth_getBlockByNumber"] * 3]


async def test_blocks_whose_filters_are_others_cost_nothing(market: Market, node: Node) -> None:
    await market.mine(2)
    found = await LogReader(market.chain, node.rpc).read(market.first_block, market.first_block + 1, None)
    assert found.logs == ()
    assert len(node.calls) == 3
