"""At most three records of one transaction ID, by the store's own constraint."""

import asyncio
from dataclasses import asdict

import pytest
from sqlalchemy import func, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.domain.tracking import RecordAmount, TransferTerms, UncheckedFee
from rhumbline.tracking.store import MOST_USES, add_records, read_records, transactions
from tests.tracking.conftest import catch_up, indexer, new_id, records
from tests.tracking.market import Market
from tests.tracking.test_listing import NOON, hash_of, row

ID = hash_of(7)


async def uses(engine: AsyncEngine) -> list[tuple[object, object]]:
    return [(record["source_tx_hash"], record["use"]) for record in await records(engine)]


async def test_of_four_sends_of_one_call_three_are_records(market: Market, store_engine: AsyncEngine) -> None:
    """Each is a record of its own; the next ID has three places again."""
    given = new_id(market.accounts[0])
    sent = [await market.swap(given, amount=1000) for _ in range(4)]
    other = await market.swap(new_id(market.accounts[0], nonce=1), amount=1000)
    await catch_up(indexer(market, store_engine))
    assert await uses(store_engine) == [(sent[0], 1), (sent[1], 2), (sent[2], 3), (other, 1)]


async def test_three_places_are_there_however_the_sends_are_read(market: Market, store_engine: AsyncEngine) -> None:
    """One block at a time, each with two sends in one transaction, by Multicall3."""
    given = new_id(market.multicall)
    call = market.swap_data(given, 1000, market.multicall)
    sent = [await market.swap_several([call, call], 1000) for _ in range(3)]
    await catch_up(indexer(market, store_engine, block_range=1))
    assert await uses(store_engine) == [(sent[0], 1), (sent[0], 2), (sent[1], 3)]


async def test_a_flood_under_one_id_leaves_three_records(store_engine: AsyncEngine) -> None:
    flood = [row(number, transaction_id=ID) for number in range(2500)]
    async with store_engine.begin() as connection:
        assert await add_records(connection, reversed(flood)) == (3, 2497)
        assert await add_records(connection, flood) == (0, 2497)
    assert [record["id"] for record in await records(store_engine)] == [flood[number].id for number in range(3)]


async def test_records_are_read_as_they_were_added(store_engine: AsyncEngine) -> None:
    """Of those that are added together each has fields that others have not."""
    terms = TransferTerms("ACROSS", "r", "s", 2**255, "o", 7, None)
    added = [
        row(0),
        row(1, input=RecordAmount("é\u2028", 2**200), terms=terms, next_bridge_check_at=NOON),
        row(2, service_fee=UncheckedFee("t", (("w", 5),)), raw_bridge_status={"code": 2**70}, substatus="x"),
    ]
    async with store_engine.begin() as connection:
        await add_records(connection, added)
        assert await read_records(connection, select(transactions).order_by(transactions.c.id)) == added


async def test_a_reorganisation_frees_the_place(market: Market, store_engine: AsyncEngine) -> None:
    """Of what is sent again the earliest three count anew."""
    given, chain_indexer = new_id(market.accounts[0]), indexer(market, store_engine)
    kept = await market.swap(given, amount=1000)
    await catch_up(chain_indexer)
    mark = await market.snapshot()
    lost = [await market.swap(given, amount=1000) for _ in range(3)]
    await catch_up(chain_indexer)
    assert await uses(store_engine) == [(kept, 1), (lost[0], 2), (lost[1], 3)]
    await market.revert(mark)
    await market.mine(1)
    await market.swap(new_id(market.accounts[0], nonce=9), amount=500)
    again = [await market.swap(given, amount=1000) for _ in range(3)]
    await catch_up(chain_indexer)
    assert [found for found in await uses(store_engine) if found[0] in {kept, *again}] == [
        (kept, 1), (again[0], 2), (again[1], 3),
    ]  # fmt: skip


async def test_two_workers_leave_three_records_whoever_is_first(market: Market, store_engine: AsyncEngine) -> None:
    given = new_id(market.accounts[0])
    sent = [await market.swap(given, amount=1000) for _ in range(5)]
    workers = [indexer(market, store_engine, block_range=1) for _ in range(2)]
    for _ in range(200):
        ends = await asyncio.gather(*(worker.step() for worker in workers))
        if not any(ends):
            break
    assert await uses(store_engine) == [(sent[0], 1), (sent[1], 2), (sent[2], 3)]


async def test_two_that_write_at_once_never_share_a_place(store_engine: AsyncEngine) -> None:
    """Without the lock that they hold else: one of them fails as a whole, and finds on trying again what is there."""

    async def write(first: int) -> bool:
        try:
            async with store_engine.begin() as connection:
                await add_records(connection, [row(first + number, transaction_id=ID) for number in range(2)])
                await asyncio.sleep(0.05)
        except IntegrityError:
            return False
        return True

    written = await asyncio.gather(*(write(10 * worker) for worker in range(4)))
    assert any(written)
    for worker, done in enumerate(written):
        assert done or await write(10 * worker)
    async with store_engine.connect() as connection:
        places = (await connection.execute(select(transactions.c.use).order_by(transactions.c.use))).scalars().all()
    assert places == [1, 2, 3]


@pytest.mark.parametrize("use", [0, 1, 2, 3, 4])
async def test_the_store_itself_refuses_a_fourth_record(store_engine: AsyncEngine, use: int) -> None:
    async with store_engine.begin() as connection:
        await add_records(connection, [row(number, transaction_id=ID) for number in range(MOST_USES)])
    with pytest.raises(IntegrityError):
        async with store_engine.begin() as connection:
            await connection.execute(transactions.insert(), [asdict(row(9, transaction_id=ID, use=use))])
    async with store_engine.begin() as connection:
        # Records without an ID have no places, and another chain's ID is another ID.
        await add_records(connection, [row(number, transaction_id=None) for number in range(20, 25)])
        await add_records(connection, [row(30, transaction_id=ID, origin_chain_id=10)])
        count = select(func.count()).select_from(transactions)
        assert (await connection.execute(count)).scalar_one() == MOST_USES + 6
