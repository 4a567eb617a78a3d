"""What gas costs is read from the node, once for all who ask together."""

import asyncio
from typing import Any

import pytest

from rhumbline.domain.errors import NodeUnavailable
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.nodes.evm.rpc import EvmRpc
from rhumbline.simulation.evm.gas_price import GasPrice, GasReader
from tests.routing.quote_fixture import QuoteFixture
from tests.simulation.nodes import lacking, node_before


async def test_gas_terms(quotes: QuoteFixture) -> None:
    price = await GasReader(quotes.rpc).read()
    assert price.base_fee is not None
    terms = price.terms(21_000)
    assert (terms.gas_price, terms.limit) == (None, 21_000)
    assert terms.max_fee == 2 * price.base_fee + price.tip
    assert terms.max_priority_fee == price.tip
    assert price.now == price.base_fee + price.tip


async def test_gas_terms_of_a_chain_without_base_fee(quotes: QuoteFixture) -> None:
    async def answer(call: dict[str, Any]) -> object | None:
        if call["method"] == "eth_getBlockByNumber":
            return {"result": {"gasLimit": "0x1c9c380"}}
        return {"result": "0x5"} if call["method"] == "eth_gasPrice" else None

    async with node_before(quotes.rpc, answer) as rpc:
        price = await GasReader(rpc).read()
    assert price == GasPrice(None, 5, 30_000_000)
    terms = price.terms()
    assert (terms.gas_price, terms.max_fee, terms.max_priority_fee) == (5, None, None)


async def test_a_node_without_a_tip_of_its_own(quotes: QuoteFixture) -> None:
    async def history(call: dict[str, Any]) -> object | None:
        if call["method"] == "eth_feeHistory":
            return {"result": {"reward": [["0x1"], ["0x9"], ["0x5"]]}}
        return await lacking("eth_maxPriorityFeePerGas")(call)

    async with node_before(quotes.rpc, history) as rpc:
        assert (await GasReader(rpc).read()).tip == 5
    async with node_before(quotes.rpc, lacking("eth_maxPriorityFeePerGas", "eth_feeHistory")) as rpc:
        assert (await GasReader(rpc).read()).tip == 10**9


async def test_gas_is_read_once_for_all_who_ask_together(quotes: QuoteFixture) -> None:
    asked: list[str] = []
    now = 0.0

    async def listen(call: dict[str, Any]) -> None:
        asked.append(call["method"])

    async with node_before(quotes.rpc, listen) as rpc:
        reader = GasReader(rpc, lambda: now)
        await asyncio.gather(*(reader.read() for _ in range(20)))
        assert len(asked) == 3
        now = 2.0
        await reader.read()
        assert asked[3:] == ["eth_getBlockByNumber", "eth_maxPriorityFeePerGas"]


async def test_gas_of_a_node_that_is_gone(http: HttpClient) -> None:
    with pytest.raises(NodeUnavailable):
        await GasReader(EvmRpc("http://127.0.0.1:9", http, "gone")).read()
