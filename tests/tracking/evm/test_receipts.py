"""What EVM transactions cost, by their receipts."""

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.gateways.nodes.evm.rpc import quantity
from tests.tracking.conftest import enricher
from tests.tracking.market import Market
from tests.tracking.node import PASS, Node
from tests.tracking.test_enrichment import found, native, seen


async def test_the_l1_part_of_a_rollups_fee_counts(market: Market, store_engine: AsyncEngine, node: Node) -> None:
    tx_hash = await seen(market, store_engine)
    receipt = await market.receipt(tx_hash)
    gas = quantity(receipt["gasUsed"]) * quantity(receipt["effectiveGasPrice"])
    with_l1 = {"result": receipt | {"l1Fee": "0x64"}}
    node.answer = lambda method, _: with_l1 if method == "eth_getTransactionReceipt" else PASS
    await enricher(market, store_engine, node.rpc).enrich()
    assert (await found(market, store_engine, tx_hash)).origin_gas_fee == native(gas + 100)


@pytest.mark.parametrize(
    "change", [{"blockHash": "0x" + "00" * 32}, {"blockHash": None}, {"gasUsed": "many"}, {"effectiveGasPrice": None}]
)
async def test_a_receipt_that_does_not_fit_is_none(
    market: Market, store_engine: AsyncEngine, node: Node, change: dict[str, object]
) -> None:
    tx_hash = await seen(market, store_engine)
    wrong = {"result": await market.receipt(tx_hash) | change}
    node.answer = lambda method, _: wrong if method == "eth_getTransactionReceipt" else PASS
    await enricher(market, store_engine, node.rpc).enrich()
    record = await found(market, store_engine, tx_hash)
    assert record.origin_gas_fee is None
    assert record.output is not None
