"""How far a key was read outlives restarts and is moved by one worker."""

import asyncio

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from tests.tracking.conftest import kept
from tests.tracking.svm.conftest import catch_up, chain_indexer, keep
from tests.tracking.svm.solana_orders import SolanaOrders
from tests.tracking.svm.test_indexer import FINAL, spam


@pytest.mark.parametrize("steps", range(1, 12, 3))
async def test_a_restart_loses_and_doubles_nothing(solana: SolanaOrders, store_engine: AsyncEngine, steps: int) -> None:
    orders = [solana.swap(nonce) for nonce in range(3)]
    await keep(store_engine, *orders)
    sent = [await solana.send(*orders[0].calls)]
    spam(solana, 150)
    sent.append(await solana.send(*orders[1].calls))
    solana.chain.advance(FINAL)
    spam(solana, 30)
    sent.append(await solana.send(*orders[2].calls))
    for _ in range(steps):
        # Another process each time.
        await chain_indexer(solana, store_engine).step()
    await catch_up(chain_indexer(solana, store_engine))
    assert [record.origin_tx_hash for record in await kept(store_engine)] == sent


async def test_two_workers_do_it_once(solana: SolanaOrders, store_engine: AsyncEngine) -> None:
    orders = [solana.swap(nonce) for nonce in range(4)]
    await keep(store_engine, *orders)
    sent = [await solana.send(*order.calls) for order in orders]
    sent += [await solana.send(*orders[0].calls) for _ in range(3)]
    solana.chain.advance(FINAL)
    workers = [chain_indexer(solana, store_engine) for _ in range(2)]
    await asyncio.gather(*(catch_up(each) for each in workers))
    found = await kept(store_engine)
    # Three of the first order, which was sent four times.
    assert [record.origin_tx_hash for record in found] == sent[:-1]
    assert sorted(record.use for record in found) == [1, 1, 1, 1, 2, 3]
