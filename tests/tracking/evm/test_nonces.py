"""Nonces tell in which blocks a wallet sent something."""

from random import Random

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.tracking.evm.blocks import read_block
from rhumbline.tracking.evm.nonces import blocks_with
from rhumbline.tracking.evm.positions import Checkpoint
from rhumbline.tracking.issued_transactions import IssuedTransactions
from tests.tracking.conftest import catch_up, records
from tests.tracking.crossings import DEPOSIT, OUTPUT, Crossing
from tests.tracking.evm.test_wallet_calls import direct, look_through, looker_of, refusing, whole_blocks
from tests.tracking.market import Market
from tests.tracking.node import Node
from tests.tracking.test_transfers import indexer_of


async def test_only_blocks_in_which_the_wallet_sent_something_are_read(
    market: Market, store_engine: AsyncEngine, node: Node
) -> None:
    crossing = Crossing(market)
    await IssuedTransactions(store_engine).keep(direct(crossing))
    await market.mine(100)
    await market.send(crossing.sender, DEPOSIT, b"\xab\xcd", crossing.amount)
    await market.mine(100)
    await market.send(market.accounts[1], DEPOSIT, b"\xab\xcd", crossing.amount)
    await catch_up(indexer_of(market, store_engine))
    assert await look_through(looker_of(market, store_engine, node.rpc)) == 1
    assert len(await records(store_engine)) == 1
    assert whole_blocks(node) == 1


async def test_a_node_that_forgets_old_nonces_is_asked_for_the_blocks(
    market: Market, store_engine: AsyncEngine, node: Node
) -> None:
    crossing = Crossing(market)
    await IssuedTransactions(store_engine).keep(direct(crossing))
    await market.mine(50)
    await market.send(crossing.sender, DEPOSIT, b"\xab\xcd", crossing.amount)
    node.answer = refusing("eth_getTransactionCount")
    await catch_up(indexer_of(market, store_engine))
    await look_through(looker_of(market, store_engine, node.rpc))
    assert len(await records(store_engine)) == 1
    assert whole_blocks(node) >= 51


@pytest.mark.parametrize("seed", range(3))
async def test_nonces_tell_every_block_in_which_somebody_sent_something(market: Market, seed: int) -> None:
    random, first = Random(seed), market.first_block
    expected = set()
    for _ in range(12):
        await market.mine(random.randint(0, 9))
        sender = random.choice(market.accounts[:4])
        tx_hash = await market.send(sender, OUTPUT, b"", 1)
        number = int(str((await market.receipt(tx_hash))["blockNumber"]), 16)
        expected |= {number} if sender in market.accounts[:2] else set()
    await market.mine(random.randint(0, 3))
    last = await market.rpc.block_number()
    block = await read_block(market.rpc, last)
    top = Checkpoint(block.number, block.hash, block.time)
    assert await blocks_with(market.rpc, market.accounts[:2], first, last, top) == expected
