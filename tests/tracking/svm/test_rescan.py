"""Solana's records are made again from the chain; what nothing that is kept vouches for is marked."""

import pytest
from sqlalchemy import delete
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.domain.errors import InvalidRequest
from rhumbline.domain.tracking import TransferState
from rhumbline.gateways.nodes.svm.rpc import SvmRpc
from rhumbline.tracking.rescan import Rescanned
from rhumbline.tracking.store import transactions
from rhumbline.tracking.svm.records import RecordBuilder
from rhumbline.tracking.svm.rescan import QUOTE_LOST, SvmRescan
from tests.tracking.conftest import kept, records, service_keys
from tests.tracking.dumps import dumped
from tests.tracking.node import PASS, Node
from tests.tracking.svm.conftest import catch_up, chain_indexer, keep, through
from tests.tracking.svm.solana_orders import KNOWN, SOLANA, STRANGER, SolanaOrders, dust
from tests.tracking.svm.test_indexer import FINAL, spam


async def rescanned(
    solana: SolanaOrders, engine: AsyncEngine, first: int = 0, last: int | None = None, rpc: SvmRpc | None = None
) -> Rescanned:
    builder = RecordBuilder(SOLANA, engine, solana.clock, KNOWN)
    return await SvmRescan(builder, rpc or solana.rpc, service_keys, ask_again_s=0).run(first, last)


async def test_after_a_restoration_the_records_are_those_before(
    solana: SolanaOrders, store_engine: AsyncEngine
) -> None:
    """Of what was handed out after the dump nothing vouches: it is there, marked, until the store knows it again."""
    old, young, lost = (solana.swap(nonce) for nonce in range(3))
    await keep(store_engine, old, young)
    following = chain_indexer(solana, store_engine)
    await solana.send(*old.calls)
    await catch_up(following)
    restore = await dumped(store_engine)
    await solana.send(*young.calls)
    await keep(store_engine, lost)
    signature = await solana.send(*lost.calls)
    solana.chain.advance(FINAL)
    await catch_up(following)
    before = await records(store_engine)
    await restore()
    following = chain_indexer(solana, store_engine)
    await catch_up(following)
    assert await records(store_engine) == before[:2]
    done = await rescanned(solana, store_engine)
    assert (done.found, done.added, done.unknown, done.unread) == (2, 0, 1, 0)
    *known, marked = await kept(store_engine)
    assert len(known) == 2
    assert (marked.origin_tx_hash, marked.sender) == (signature, lost.issued.sender)
    assert (marked.status, marked.substatus, marked.integrator) == (TransferState.UNKNOWN, QUOTE_LOST, None)
    await keep(store_engine, lost)
    assert (await rescanned(solana, store_engine)).added == 1
    assert await records(store_engine) == before


async def test_what_is_missing_of_these_slots_is_added(
    solana: SolanaOrders, store_engine: AsyncEngine, between: Node
) -> None:
    orders = [solana.swap(nonce) for nonce in range(5)]
    await keep(store_engine, *orders)
    for order in orders:
        await solana.send(*order.calls)
        spam(solana, 30)
    solana.chain.advance(FINAL)
    await catch_up(chain_indexer(solana, store_engine))
    before, whole = await records(store_engine), await kept(store_engine)
    async with store_engine.begin() as connection:
        await connection.execute(delete(transactions))
    refused = {"error": {"code": -32005, "message": "busy"}}
    answers = iter([refused])
    between.answer = lambda method, params: next(answers, PASS) if method == "getSignaturesForAddress" else PASS
    first, last = whole[1].origin_block_number, whole[3].origin_block_number
    done = await rescanned(solana, store_engine, first, last, through(between, solana))
    assert (done.found, done.added, done.unknown) == (3, 3, 0)
    assert await records(store_engine) == before[1:4]
    assert (await rescanned(solana, store_engine, first, last)).added == 0


async def test_what_no_node_shows_is_sought_by_the_service(
    solana: SolanaOrders, store_engine: AsyncEngine, between: Node
) -> None:
    orders = [solana.swap(nonce) for nonce in range(2)]
    await keep(store_engine, *orders)
    sent = [await solana.send(*order.calls) for order in orders]
    solana.chain.advance(FINAL)
    null = {"result": None}
    between.answer = lambda method, params: null if method == "getTransaction" and params[0] == sent[0] else PASS
    done = await rescanned(solana, store_engine, rpc=through(between, solana))
    assert (done.added, done.unread) == (1, 1)
    solana.chain.advance(100)
    await catch_up(chain_indexer(solana, store_engine))
    assert [each.origin_tx_hash for each in await kept(store_engine)] == sent


async def test_strangers_are_no_records(solana: SolanaOrders, store_engine: AsyncEngine) -> None:
    await solana.send(dust(1), signers=(STRANGER,))
    solana.chain.advance(FINAL)
    assert (await rescanned(solana, store_engine)).unknown == 0
    assert await kept(store_engine) == []


async def test_slots_to_come_are_refused(solana: SolanaOrders, store_engine: AsyncEngine) -> None:
    with pytest.raises(InvalidRequest, match="the newest final slot"):
        await rescanned(solana, store_engine, 0, 10**9)
