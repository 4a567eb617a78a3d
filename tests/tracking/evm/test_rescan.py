"""What is missing of an EVM chain's records is added by reading it again, whatever happens meanwhile."""

import asyncio

import pytest
from sqlalchemy import delete, update
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.domain.errors import InvalidRequest
from rhumbline.tracking.evm.positions import (
    move_wallet_calls,
    read_wallet_call_position,
)
from rhumbline.tracking.evm.rescan import rescan_evm
from rhumbline.tracking.store import transactions
from tests.tracking.conftest import catch_up, indexer, new_id, records
from tests.tracking.dumps import dumped
from tests.tracking.evm.test_log_reader import trades
from tests.tracking.market import Market
from tests.tracking.node import PASS, Node


async def test_after_a_restoration_the_records_are_those_before(market: Market, store_engine: AsyncEngine) -> None:
    following = indexer(market, store_engine)
    await trades(market, 3)
    await catch_up(following)
    restore = await dumped(store_engine)
    for nonce in range(3, 6):
        await market.swap(new_id(market.accounts[0], nonce=nonce))
    await catch_up(following)
    before = await records(store_engine)
    await restore()
    assert len(await records(store_engine)) == 3
    await catch_up(indexer(market, store_engine))
    assert await records(store_engine) == before


@pytest.mark.parametrize("widest", [1, 2, 2000])
async def test_what_is_missing_is_added_and_what_is_there_stays(
    market: Market, store_engine: AsyncEngine, node: Node, widest: int
) -> None:
    sent, following = await trades(market, 6), indexer(market, store_engine)
    await catch_up(following)
    before = await records(store_engine)
    async with store_engine.begin() as connection:
        await connection.execute(delete(transactions).where(transactions.c.origin_tx_hash.in_(sent[1:4])))
        changed = update(transactions).where(transactions.c.origin_tx_hash == sent[0])
        await connection.execute(changed.values(substatus="AS IT WAS"))
        await move_wallet_calls(connection, market.chain.id, market.first_block + 5)
    refused = {"error": {"code": -32005, "message": "at most two blocks"}}
    node.answer = lambda method, params: refused if method == "eth_getLogs" and _width(params) > 2 else PASS
    done = await rescan_evm(following.sightings, node.rpc, market.first_block, None, widest)
    assert (done.found, done.added) == (6, 3)
    assert done.last == market.first_block + 5
    again = await rescan_evm(following.sightings, market.rpc, market.first_block + 1, done.last, widest)
    assert (again.found, again.added) == (5, 0)
    after = await records(store_engine)
    assert after == [{**before[0], "substatus": "AS IT WAS"}, *before[1:]]
    async with store_engine.connect() as connection:
        assert await read_wallet_call_position(connection, market.chain.id) == market.first_block


def _width(params: list[object]) -> int:
    (wanted,) = params
    assert isinstance(wanted, dict)
    return int(wanted["toBlock"], 16) - int(wanted["fromBlock"], 16) + 1


async def test_beside_the_service_nothing_is_doubled(market: Market, store_engine: AsyncEngine) -> None:
    await trades(market, 6)
    following = indexer(market, store_engine, block_range=1)
    await following.step()
    await following.step()
    scans = (rescan_evm(following.sightings, market.rpc, market.first_block, None, 1) for _ in range(3))
    _, done = await asyncio.gather(catch_up(following), asyncio.gather(*scans))
    assert sum(each.added for each in done) <= 6
    assert len(await records(store_engine)) == 6


async def test_what_a_reorganisation_took_back_stays_away(
    market: Market, store_engine: AsyncEngine, node: Node
) -> None:
    """It comes between the reading and the writing: what was read counts no more, and is read anew."""
    mark = await market.snapshot()
    await trades(market, 2)
    following = indexer(market, store_engine)
    await catch_up(following)
    answered = asyncio.Event()

    def answer(method: str, params: list[object]) -> object:
        answered.set()
        return PASS

    node.answer = answer
    async with store_engine.begin() as connection:
        await connection.execute(delete(transactions))
    reading = asyncio.create_task(rescan_evm(following.sightings, node.rpc, market.first_block, None, 1))
    await answered.wait()
    await market.revert(mark)
    await market.mine(3)
    await catch_up(following)
    await reading
    assert await records(store_engine) == []


async def test_a_range_that_was_not_followed_is_refused(market: Market, store_engine: AsyncEngine) -> None:
    following = indexer(market, store_engine)
    with pytest.raises(InvalidRequest, match="was not followed yet"):
        await rescan_evm(following.sightings, market.rpc, 1, None, 10)
    await catch_up(following)
    for first, last in ((-1, None), (5, 4), (1, 10**9)):
        with pytest.raises(InvalidRequest, match="must be from 0 to"):
            await rescan_evm(following.sightings, market.rpc, first, last, 10)
