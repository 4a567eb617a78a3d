"""What is taken in from a chain, and for whom it counts."""

from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.domain.errors import NodeUnavailable
from rhumbline.gateways.http.client import HttpClient
from rhumbline.gateways.nodes.endpoint import EndpointTerms, Use
from rhumbline.gateways.nodes.endpoints import reading
from rhumbline.gateways.nodes.evm.endpoints import evm_endpoints
from rhumbline.gateways.nodes.evm.rpc import RpcError, quantity
from rhumbline.tracking.evm.indexer import Indexer, WrongChain
from rhumbline.tracking.evm.positions import cursors
from rhumbline.tracking.store import transactions
from tests.gateways.nodes.lying_node import Lie, lying_node, refused, said
from tests.tracking.conftest import SERVICE_WALLET, WALLETS, catch_up, indexer, new_id, records
from tests.tracking.market import Market
from tests.tracking.node import PASS, Node


async def next_block(engine: AsyncEngine) -> int:
    async with engine.connect() as connection:
        return int((await connection.execute(select(cursors.c.next_block))).scalar_one())


async def test_a_swap_becomes_a_record(market: Market, store_engine: AsyncEngine) -> None:
    sender, receiver = market.accounts[:2]
    identifier = market.identifier(new_id(sender), 10_000, receiver)
    fees = [(WALLETS["acme"], "integrator", 30), (SERVICE_WALLET, "service", 10)]
    tx_hash = await market.swap(identifier, amount=10_000, fees=fees, receiver=receiver)
    chain_indexer = indexer(market, store_engine)
    await catch_up(chain_indexer)
    (record,) = await records(store_engine)
    receipt = await market.receipt(tx_hash)
    logs = receipt["logs"]
    assert isinstance(logs, list)
    assert record["source_tx_hash"] == record["dest_tx_hash"] == tx_hash.lower()
    assert record["source_block_hash"] == receipt["blockHash"]
    assert record["source_log_index"] == quantity(logs[-1]["logIndex"])
    assert record["transaction_id"] == "0x" + identifier.hex()
    assert (record["sender"], record["receiver"], record["integrator"]) == (sender, receiver, "acme")
    assert record["input"] == {"address": NATIVE_EVM, "raw": "10000"}
    assert record["output"] == {"address": market.weth, "raw": "9960"}
    assert record["integrator_fee"] == {"address": NATIVE_EVM, "paid": [[WALLETS["acme"], "30"]]}
    assert record["service_fee"] == {"address": NATIVE_EVM, "paid": [[SERVICE_WALLET, "10"]]}
    assert (record["protocol"], record["route_type"], record["has_dest_call"]) == ("GENERIC_SWAP", "swap", False)
    assert (record["status"], record["substatus"], record["status_source"]) == ("success", None, "analytics")
    assert await chain_indexer.step() is False
    assert await records(store_engine) == [record]


async def test_confirmations_hold_a_swap_back(market: Market, store_engine: AsyncEngine) -> None:
    chain_indexer = indexer(market, store_engine, chain=replace(market.chain, confirmations=3))
    await market.swap(new_id(market.accounts[0]))
    for _ in range(3):
        await catch_up(chain_indexer)
        assert await records(store_engine) == []
        await market.mine(1)
    await catch_up(chain_indexer)
    assert len(await records(store_engine)) == 1


@pytest.mark.parametrize("block_range", [1, 2, 7, 2000])
async def test_the_past_is_read_from_the_configured_block(
    market: Market, store_engine: AsyncEngine, block_range: int
) -> None:
    sent = []
    for n in range(9):
        sent.append(await market.swap(new_id(market.accounts[0], nonce=n)))
        await market.mine(n % 3)
    head = await market.rpc.block_number()
    chain_indexer = indexer(market, store_engine, block_range=block_range, start_block=market.first_block + 1)
    await catch_up(chain_indexer)
    assert [r["source_tx_hash"] for r in await records(store_engine)] == sent[1:]
    assert await next_block(store_engine) == head + 1


async def test_without_a_start_it_begins_at_the_head(market: Market, store_engine: AsyncEngine) -> None:
    await market.swap(new_id(market.accounts[0]))
    await market.mine(1)
    chain_indexer = indexer(market, store_engine, start_block=None)
    await catch_up(chain_indexer)
    sent = await market.swap(new_id(market.accounts[0], nonce=1))
    await catch_up(chain_indexer)
    assert [r["source_tx_hash"] for r in await records(store_engine)] == [sent]


async def test_a_start_in_the_future_is_awaited(market: Market, store_engine: AsyncEngine) -> None:
    chain_indexer = indexer(market, store_engine, start_block=market.first_block + 3)
    await catch_up(chain_indexer)
    await market.swap(new_id(market.accounts[0]))
    await market.mine(2)
    sent = await market.swap(new_id(market.accounts[0], nonce=1))
    await catch_up(chain_indexer)
    assert [r["source_tx_hash"] for r in await records(store_engine)] == [sent]


async def test_the_whole_chain_from_block_zero(market: Market, store_engine: AsyncEngine) -> None:
    sent = await market.swap(new_id(market.accounts[0]))
    await catch_up(indexer(market, store_engine, start_block=0, block_range=13))
    assert [r["source_tx_hash"] for r in await records(store_engine)] == [sent]


async def test_ranges_shrink_until_the_node_answers_and_grow_again(
    market: Market, store_engine: AsyncEngine, node: Node
) -> None:
    limit, spans = 10, []

    def refuse(method: str, params: list[object]) -> object:
        wanted = params[0] if params else None
        if method != "eth_getLogs" or not isinstance(wanted, dict):
            return PASS
        span = int(wanted["toBlock"], 16) - int(wanted["fromBlock"], 16) + 1
        spans.append(span)
        return {"error": {"code": -32005, "message": "query returned too much"}} if span > limit else PASS

    node.answer = refuse
    sent = []
    for n in range(6):
        sent.append(await market.swap(new_id(market.accounts[0], nonce=n)))
        await market.mine(30)
    await catch_up(indexer(market, store_engine, rpc=node.rpc, block_range=100))
    assert [r["source_tx_hash"] for r in await records(store_engine)] == sent
    assert spans[0] == 100
    answered = [span for span in spans if span <= limit]
    assert max(answered) >= 8
    assert len(spans) < 2 * len(answered)


async def test_each_range_is_read_once_and_the_next_one_while_it_is_written(
    market: Market, store_engine: AsyncEngine, node: Node
) -> None:
    for n in range(20):
        await market.swap(new_id(market.accounts[0], nonce=n))
    chain_indexer = indexer(market, store_engine, node.rpc, block_range=5)

    def ranges() -> list[int]:
        asked = [params[0] for method, params in node.calls if method == "eth_getLogs"]
        return [int(str(each["fromBlock"]), 16) for each in asked if isinstance(each, dict)]

    await chain_indexer.step()
    assert await chain_indexer.step()
    assert ranges() == [market.first_block, market.first_block + 5]
    await catch_up(chain_indexer)
    assert ranges()[:4] == [market.first_block + 5 * n for n in range(4)]
    assert len(await records(store_engine)) == 20


async def test_a_node_that_refuses_every_range_is_an_error_that_moves_nothing(
    market: Market, store_engine: AsyncEngine, node: Node
) -> None:
    await market.swap(new_id(market.accounts[0]))
    await market.mine(20)
    node.answer = lambda method, _: {"error": {"code": -1, "message": "no"}} if method == "eth_getLogs" else PASS
    chain_indexer = indexer(market, store_engine, rpc=node.rpc)
    with pytest.raises(RpcError):
        await catch_up(chain_indexer)
    assert await next_block(store_engine) == market.first_block
    node.answer = lambda method, _: PASS
    await catch_up(chain_indexer)
    assert len(await records(store_engine)) == 1


async def test_a_node_that_is_down_moves_nothing(market: Market, store_engine: AsyncEngine, node: Node) -> None:
    chain_indexer = indexer(market, store_engine, rpc=node.rpc)
    await catch_up(chain_indexer)
    await market.swap(new_id(market.accounts[0]))
    node.down = True
    with pytest.raises(NodeUnavailable):
        await chain_indexer.step()
    node.down = False
    await catch_up(chain_indexer)
    assert len(await records(store_engine)) == 1


async def test_another_chain_behind_the_url_is_refused(market: Market, store_engine: AsyncEngine, node: Node) -> None:
    await market.swap(new_id(market.accounts[0]))
    chain_indexer = indexer(market, store_engine, rpc=node.rpc)
    await catch_up(chain_indexer)
    before = await records(store_engine)
    node.answer = lambda method, _: {"result": "0x1"} if method == "eth_chainId" else PASS
    with pytest.raises(WrongChain, match="the node is on chain 1, the settings say 900001"):
        await chain_indexer.step()
    assert await records(store_engine) == before


async def test_many_swaps_are_written_at_once(market: Market, store_engine: AsyncEngine) -> None:
    sender, receiver = market.multicall, market.accounts[3]
    for part in range(4):
        ids = [new_id(sender, nonce=n + 100 * part) for n in range(10)]
        await market.swap_several([market.swap_data(i, 1000, receiver) for i in ids], 1000)
    assert await catch_up(indexer(market, store_engine)) <= 3
    async with store_engine.connect() as connection:
        assert (await connection.execute(select(func.count()).select_from(transactions))).scalar_one() == 40


def behind(by: int) -> Lie:
    def lie(call: dict[str, Any], answer: dict[str, Any]) -> dict[str, Any] | None:
        return said(answer, hex(int(answer["result"], 16) - by)) if call["method"] == "eth_blockNumber" else None

    return lie


def capped(call: dict[str, Any], answer: dict[str, Any]) -> dict[str, Any] | None:
    if call["method"] != "eth_getLogs":
        return None
    first, last = (int(call["params"][0][name], 16) for name in ("fromBlock", "toBlock"))
    return refused(answer, -32005, "at most 2 blocks, and you pay for this answer") if last - first > 1 else None


@pytest.mark.parametrize("trouble", ["away", "every third", "capped", "behind", "another chain", "silent"])
async def test_records_are_taken_in_whatever_one_of_two_endpoints_does(
    market: Market, store_engine: AsyncEngine, http: HttpClient, trouble: str
) -> None:
    """By turns the first and the second one, while nobody waits for it to be over."""
    async with lying_node(market.rpc.url) as first, lying_node(market.rpc.url) as second:
        given = [(each.url, EndpointTerms(name)) for name, each in (("1", first), ("2", second))]
        patience_s = 1.0 if trouble == "silent" else 5.0
        rpc = evm_endpoints("sbxa", market.chain.id, given, http, timeout_s=patience_s).of(Use.TRACKING)
        chain_indexer, sent = indexer(market, store_engine, rpc), 0
        for bad in (first, second, first):
            bad.status = 503 if trouble == "away" else 200
            bad.every = 3 if trouble == "every third" else 1
            if trouble == "silent":
                bad.silent.set()
            if trouble == "capped":
                bad.lie = capped
            elif trouble == "behind":
                bad.lie = behind(50)
            elif trouble == "another chain":
                bad.lie = lambda call, answer: said(answer, "0x5") if call["method"] == "eth_chainId" else None
            for _ in range(2):
                await market.swap(new_id(market.accounts[0], nonce=sent))
                await market.mine(3)
                sent += 1
                await settled(chain_indexer)
            bad.status, bad.every, bad.lie = 200, 1, lambda call, answer: None
            bad.silent.clear()
            for _, each in rpc.each():
                assert each.endpoints is not None
                each.endpoints.every[0].set_aside = None
        await settled(chain_indexer)
        assert len(await records(store_engine)) == sent


async def settled(chain_indexer: Indexer) -> None:
    """Take in what there is as a tracker does: what fails is tried again, from one endpoint each time."""
    for _ in range(30):
        with suppress(NodeUnavailable, RpcError), reading():
            if not await chain_indexer.step():
                return
