"""Calls of bridges that wallets made themselves: found, told apart, and never in the way of the chain's events."""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.domain.chain import NATIVE_EVM
from rhumbline.domain.clock import system_clock
from rhumbline.domain.errors import NodeUnavailable
from rhumbline.domain.transfer import IssuedTransaction
from rhumbline.gateways.nodes.evm.rpc import EvmRpc, RpcError
from rhumbline.tracking.evm.wallet_calls import WalletCalls
from rhumbline.tracking.issued_transactions import IssuedTransactions
from rhumbline.tracking.transfers import transfer_of
from tests.tracking.conftest import catch_up, kept, records
from tests.tracking.crossings import DEPOSIT, PAGES, Crossing
from tests.tracking.market import Market
from tests.tracking.node import PASS, Node
from tests.tracking.test_transfers import indexer_of


def looker_of(market: Market, engine: AsyncEngine, rpc: EvmRpc | None = None) -> WalletCalls:
    return WalletCalls(market.chain, rpc or market.rpc, engine, system_clock, PAGES)


async def look(market: Market, engine: AsyncEngine, **changes: Any) -> None:
    """Take in what the chain has, then look through it."""
    await catch_up(indexer_of(market, engine, **changes))
    await look_through(looker_of(market, engine))


async def look_through(looker: WalletCalls) -> int:
    steps = 1
    while await looker.step():
        steps += 1
        assert steps < 1000
    return steps


def direct(crossing: Crossing, **changes: Any) -> IssuedTransaction:
    return crossing.build(wallet_call=True, to=DEPOSIT, data=b"\xab\xcd", **changes)


async def test_a_call_that_the_wallet_makes_itself_is_found(market: Market, store_engine: AsyncEngine) -> None:
    crossing = Crossing(market)
    await IssuedTransactions(store_engine).keep(direct(crossing))
    await market.mine(3)
    tx_hash = await market.send(crossing.sender, DEPOSIT, b"\xab\xcd", crossing.amount)
    await market.mine(30)
    chain_indexer, looker = indexer_of(market, store_engine), looker_of(market, store_engine)
    await catch_up(chain_indexer)
    await look_through(looker)
    (record,) = await records(store_engine)
    assert (record["source_tx_hash"], record["source_log_index"]) == (tx_hash, -1)
    assert (record["status"], record["protocol"], record["integrator"]) == ("bridge_pending", "TOYBRIDGE", "acme")
    assert [transfer_of(each).log_index for each in await kept(store_engine)] == [-1]
    again = await market.send(crossing.sender, DEPOSIT, b"\xab\xcd", crossing.amount)
    await catch_up(chain_indexer)
    await look_through(looker)
    assert [record["source_tx_hash"] for record in await records(store_engine)] == [tx_hash, again]
    third, _ = [await market.send(crossing.sender, DEPOSIT, b"\xab\xcd", crossing.amount) for _ in range(2)]
    await catch_up(chain_indexer)
    await look_through(looker)
    assert [record["source_tx_hash"] for record in await records(store_engine)] == [tx_hash, again, third]


async def test_a_chain_without_a_diamond_is_followed_for_such_calls(market: Market, store_engine: AsyncEngine) -> None:
    crossing = Crossing(market)
    await IssuedTransactions(store_engine).keep(direct(crossing))
    await market.send(crossing.sender, DEPOSIT, b"\xab\xcd", crossing.amount)
    await look(market, store_engine, diamond=None, executor=None)
    assert [record["protocol"] for record in await records(store_engine)] == ["TOYBRIDGE"]


async def test_a_call_that_came_too_late_is_not_looked_for(market: Market, store_engine: AsyncEngine) -> None:
    crossing = Crossing(market)
    long_ago = datetime.now(UTC) - timedelta(days=2)
    await IssuedTransactions(store_engine).keep(direct(crossing, expires_at=long_ago))
    await market.send(crossing.sender, DEPOSIT, b"\xab\xcd", crossing.amount)
    await look(market, store_engine)
    assert await records(store_engine) == []


async def test_a_call_that_a_reorganisation_takes_back_is_gone(market: Market, store_engine: AsyncEngine) -> None:
    crossing = Crossing(market)
    await IssuedTransactions(store_engine).keep(direct(crossing))
    chain_indexer, looker = indexer_of(market, store_engine), looker_of(market, store_engine)
    await catch_up(chain_indexer)
    await look_through(looker)
    mark = await market.snapshot()
    await market.send(crossing.sender, DEPOSIT, b"\xab\xcd", crossing.amount)
    await catch_up(chain_indexer)
    await look_through(looker)
    assert len(await records(store_engine)) == 1
    await market.revert(mark)
    await market.mine(3)
    await catch_up(chain_indexer)
    await look_through(looker)
    assert await records(store_engine) == []


async def test_what_the_bridge_does_not_take_never_left_the_wallet(market: Market, store_engine: AsyncEngine) -> None:
    crossing = Crossing(market)
    await IssuedTransactions(store_engine).keep(direct(crossing, input_amount=crossing.amount + 999))
    await market.send(crossing.sender, DEPOSIT, b"\xab\xcd", crossing.amount)
    await look(market, store_engine)
    (record,) = await records(store_engine)
    assert record["input"] == {"address": NATIVE_EVM, "raw": str(crossing.amount)}


async def test_two_workers_write_it_once(market: Market, store_engine: AsyncEngine) -> None:
    crossing = Crossing(market)
    await IssuedTransactions(store_engine).keep(direct(crossing))
    await market.send(crossing.sender, DEPOSIT, b"\xab\xcd", crossing.amount)
    await catch_up(indexer_of(market, store_engine))
    lookers = [looker_of(market, store_engine) for _ in range(3)]
    await asyncio.gather(*(look_through(looker) for looker in lookers))
    assert len(await records(store_engine)) == 1


def refusing(method: str, whole: bool = False) -> Callable[[str, list[object]], object]:
    def answer(asked: str, params: list[object]) -> object:
        refused = asked == method and (not whole or params[1] is True)
        return {"error": {"code": -32000, "message": "not here"}} if refused else PASS

    return answer


def whole_blocks(node: Node) -> int:
    return sum(method == "eth_getBlockByNumber" and params[1] is True for method, params in node.calls)


async def test_a_node_that_refuses_whole_blocks_holds_up_nothing_else(
    market: Market, store_engine: AsyncEngine, node: Node
) -> None:
    crossing = Crossing(market)
    await IssuedTransactions(store_engine).keep(direct(crossing))
    await market.send(crossing.sender, DEPOSIT, b"\xab\xcd", crossing.amount)
    await IssuedTransactions(store_engine).keep(Crossing(market, nonce=1).build())
    await Crossing(market, nonce=1).send()
    node.answer = refusing("eth_getBlockByNumber", whole=True)
    await catch_up(indexer_of(market, store_engine, node.rpc))
    assert [record["source_log_index"] for record in await records(store_engine)] != [-1]
    looker = looker_of(market, store_engine, node.rpc)
    with pytest.raises(RpcError, match="not here"):
        await look_through(looker)
    assert len(await records(store_engine)) == 1
    node.answer = lambda method, params: PASS
    await look_through(looker)
    assert sorted(str(record["source_log_index"]) for record in await records(store_engine))[0] == "-1"
    assert len(await records(store_engine)) == 2


async def test_where_no_wallet_calls_a_bridge_itself_no_node_is_asked(
    market: Market, store_engine: AsyncEngine, node: Node
) -> None:
    await IssuedTransactions(store_engine).keep(Crossing(market).build())
    await catch_up(indexer_of(market, store_engine))
    await market.mine(5)
    await catch_up(indexer_of(market, store_engine))
    assert await look_through(looker_of(market, store_engine, node.rpc)) == 1
    assert node.calls == []


async def test_history_is_not_read_for_what_was_handed_out_today(
    market: Market, store_engine: AsyncEngine, node: Node
) -> None:
    """A chain that is read from far behind: no call can be in blocks that are older than its quote."""
    crossing = Crossing(market)
    await market.mine(200)
    later = datetime.now(UTC) + timedelta(hours=6)
    await IssuedTransactions(store_engine).keep(
        direct(crossing, created_at=later, expires_at=later + timedelta(minutes=20))
    )
    chain_indexer, looker = indexer_of(market, store_engine), looker_of(market, store_engine, node.rpc)
    await catch_up(chain_indexer)
    assert await look_through(looker) == 1
    assert whole_blocks(node) == 0
    await market.rpc.call("evm_setNextBlockTimestamp", [int(later.timestamp()) + 60])
    await market.mine(1)
    await market.send(crossing.sender, DEPOSIT, b"\xab\xcd", crossing.amount)
    await catch_up(chain_indexer)
    await look_through(looker)
    assert len(await records(store_engine)) == 1
    assert whole_blocks(node) == 1


async def test_a_node_on_another_branch_is_not_believed(market: Market, store_engine: AsyncEngine, node: Node) -> None:
    crossing = Crossing(market)
    await IssuedTransactions(store_engine).keep(direct(crossing))
    await market.send(crossing.sender, DEPOSIT, b"\xab\xcd", crossing.amount)
    chain_indexer = indexer_of(market, store_engine)
    await catch_up(chain_indexer)
    top = await market.rpc.block_number()
    other = await market.rpc.call("eth_getBlockByNumber", [hex(top), False])
    assert isinstance(other, dict)
    node.answer = lambda method, params: (
        {"result": {**other, "hash": "0x" + "ab" * 32}} if params == [hex(top), False] else PASS
    )
    with pytest.raises(NodeUnavailable, match="another branch"):
        await look_through(looker_of(market, store_engine, node.rpc))
    assert await records(store_engine) == []
    await look_through(looker_of(market, store_engine))
    assert len(await records(store_engine)) == 1
