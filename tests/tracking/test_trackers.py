"""The loop that never dies, and who leads it."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from rhumbline.domain.clock import system_clock
from rhumbline.gateways.nodes.evm.rpc import EvmRpc
from rhumbline.gateways.postgres.engine import create_engine
from rhumbline.gateways.postgres.leases import LeaseLost, Leases
from rhumbline.tracking.evm.indexer import Indexer, IndexingSettings
from rhumbline.tracking.evm.wallet_calls import WalletCalls
from rhumbline.tracking.issued_transactions import IssuedTransactions
from rhumbline.tracking.leadership import Loop, lease_name
from rhumbline.tracking.trackers import Tracker, run_trackers
from tests.gateways.postgres.lease_times import run_out
from tests.tracking.conftest import KEY, catch_up, enricher, indexer, new_id, records
from tests.tracking.crossings import DEPOSIT, PAGES, Crossing
from tests.tracking.market import Market
from tests.tracking.node import PASS, Node


def tracker(market: Market, engine: AsyncEngine, rpc: EvmRpc | None = None) -> Tracker:
    return Tracker(indexer(market, engine, rpc), enricher(market, engine, rpc), poll_s=0.02)


@asynccontextmanager
async def running(work: Tracker, engine: AsyncEngine) -> AsyncIterator[None]:
    stop = asyncio.Event()
    task = asyncio.create_task(run_trackers([work], engine, stop))
    try:
        yield
    finally:
        stop.set()
        await asyncio.wait_for(task, 60)


async def until(condition: Callable[[], Awaitable[bool]], seconds: float = 10) -> None:
    for _ in range(int(seconds / 0.02)):
        if await condition():
            return
        await asyncio.sleep(0.02)
    pytest.fail(f"not within {seconds} s")


def count_is(engine: AsyncEngine, count: int) -> Callable[[], Awaitable[bool]]:
    async def check() -> bool:
        found = await records(engine)
        return len(found) == count and all(record["source_gas_fee"] for record in found)

    return check


async def test_swaps_are_followed_and_completed(market: Market, store_engine: AsyncEngine) -> None:
    async with running(tracker(market, store_engine), store_engine):
        for n in range(3):
            await market.swap(new_id(market.accounts[0], nonce=n))
            await until(count_is(store_engine, n + 1))


async def test_an_outage_of_the_node_is_survived(market: Market, store_engine: AsyncEngine, node: Node) -> None:
    async with running(tracker(market, store_engine, node.rpc), store_engine):
        await market.swap(new_id(market.accounts[0]))
        await until(count_is(store_engine, 1))
        node.down = True
        await market.swap(new_id(market.accounts[0], nonce=1))
        await asyncio.sleep(0.3)
        node.down = False
        await until(count_is(store_engine, 2))


async def test_a_store_that_cuts_every_connection_is_survived(market: Market, store_engine: AsyncEngine) -> None:
    async with running(tracker(market, store_engine), store_engine):
        for n in range(3):
            await market.swap(new_id(market.accounts[0], nonce=n))
            await until(unless_cut(count_is(store_engine, n + 1)))
            await cut(store_engine)


async def test_calls_of_wallets_are_looked_for_beside_the_events(
    market: Market, store_engine: AsyncEngine, node: Node
) -> None:
    """A node that refuses whole blocks holds up no swap; when it gives them, the call is found."""
    crossing = Crossing(market, nonce=7)
    await IssuedTransactions(store_engine).keep(crossing.build(wallet_call=True, to=DEPOSIT, data=b"\xab\xcd"))
    await market.send(crossing.sender, DEPOSIT, b"\xab\xcd", crossing.amount)
    refused = asyncio.Event()

    def answer(method: str, params: list[object]) -> object:
        if method != "eth_getBlockByNumber" or params[1] is False:
            return PASS
        refused.set()
        return {"error": {"code": -32000, "message": "too much"}}

    node.answer = answer
    search = WalletCalls(market.chain, node.rpc, store_engine, system_clock, PAGES)
    work = replace(tracker(market, store_engine, node.rpc), wallet_calls=search)

    async def is_found(protocols: list[str]) -> bool:
        return sorted(str(record["protocol"]) for record in await records(store_engine)) == protocols

    async with running(work, store_engine):
        await asyncio.wait_for(refused.wait(), 10)
        await market.swap(new_id(market.accounts[0]))
        await until(lambda: is_found(["GENERIC_SWAP"]))
        node.answer = lambda method, params: PASS
        await until(lambda: is_found(["GENERIC_SWAP", "TOYBRIDGE"]), 40)


def unless_cut(condition: Callable[[], Awaitable[bool]]) -> Callable[[], Awaitable[bool]]:
    """A connection that was cut may fail this test's own question as well."""

    async def check() -> bool:
        try:
            return await condition()
        except DBAPIError:
            return False

    return check


async def cut(engine: AsyncEngine) -> None:
    """Ends every session of the database but this one, the one with the locks too."""
    async with engine.connect() as connection:
        await connection.execute(
            text(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
        )


async def test_a_fault_of_any_kind_is_survived(market: Market, store_engine: AsyncEngine) -> None:
    faults = [ValueError("one"), KeyError("two")]

    async def keys() -> tuple[bytes, ...]:
        if faults:
            raise faults.pop()
        return (KEY,)

    settings = IndexingSettings(market.first_block)
    chain_indexer = Indexer(market.chain, market.rpc, store_engine, keys, system_clock, settings)
    async with running(Tracker(chain_indexer, enricher(market, store_engine), 0.02), store_engine):
        await market.swap(new_id(market.accounts[0]))
        await until(count_is(store_engine, 1))
    assert faults == []


async def test_cancelling_gives_up_the_lead(market: Market, store_engine: AsyncEngine) -> None:
    task = asyncio.create_task(run_trackers([tracker(market, store_engine)], store_engine, asyncio.Event()))
    await market.swap(new_id(market.accounts[0]))
    await until(count_is(store_engine, 1))
    heir, name = Leases(store_engine), lease_name(market.chain.id, Loop.EVENTS)
    assert await heir.take(name) is False
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await until(lambda: heir.take(name), 2)
    await heir.release()


async def test_one_waits_while_another_leads(market: Market, store_engine: AsyncEngine) -> None:
    leader = Leases(store_engine)
    assert await leader.take(lease_name(market.chain.id, Loop.EVENTS))
    async with running(tracker(market, store_engine), store_engine):
        await market.swap(new_id(market.accounts[0]))
        await asyncio.sleep(0.2)
        assert await records(store_engine) == []
        await leader.release()
        await until(count_is(store_engine, 1))


async def test_a_leader_that_sleeps_in_the_middle_of_a_write_writes_nothing_and_holds_up_nobody(
    market: Market, store_dsn: str, store_engine: AsyncEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It sleeps within the transaction that writes its records, with the lease's row and the position locked."""
    monkeypatch.setattr("rhumbline.gateways.postgres.engine.IDLE_TRANSACTION_S", 0.5)
    name, asleep, awake = lease_name(market.chain.id, Loop.EVENTS), asyncio.Event(), asyncio.Event()
    frozen_engine = create_engine(store_dsn)
    frozen, heir = Leases(frozen_engine), Leases(store_engine)
    settings = IndexingSettings(market.first_block)

    async def service_keys() -> tuple[bytes, ...]:
        return (KEY,)

    async def sleep(connection: AsyncConnection) -> None:
        await frozen.fence(name)(connection)
        await connection.execute(text("SELECT 1 FROM cursors FOR UPDATE"))
        asleep.set()
        await awake.wait()

    made = partial(Indexer, market.chain, market.rpc)
    begun = made(store_engine, service_keys, system_clock, settings, fence=heir.fence(name))
    sleeping = made(frozen_engine, service_keys, system_clock, settings, fence=sleep)
    assert await heir.take(name)
    await catch_up(begun)
    await heir.release()
    assert await frozen.take(name)
    await market.swap(new_id(market.accounts[0]))
    writing = asyncio.create_task(sleeping.step())
    await asyncio.wait_for(asleep.wait(), 10)
    assert not await heir.take(name), "its row is locked"
    await run_out(store_engine)
    await until(lambda: heir.take(name))
    await catch_up(begun)
    assert len(await records(store_engine)) == 1
    awake.set()
    with pytest.raises((DBAPIError, OSError)):
        await writing
    await market.swap(new_id(market.accounts[0], nonce=1))
    with pytest.raises(LeaseLost):
        await made(frozen_engine, service_keys, system_clock, settings, fence=frozen.fence(name)).step()
    assert len(await records(store_engine)) == 1
    for each in (frozen, heir):
        await each.release()
    await frozen_engine.dispose()


async def test_who_looks_for_wallets_calls_while_another_takes_in_the_blocks_looks_on_a_clock(
    market: Market, store_engine: AsyncEngine
) -> None:
    looked = 0

    class Search:
        async def step(self) -> bool:
            nonlocal looked
            looked += 1
            return False

    async def has_looked_again() -> bool:
        return looked > 1

    leader = Leases(store_engine)
    assert await leader.take(lease_name(market.chain.id, Loop.EVENTS))
    async with running(replace(tracker(market, store_engine), wallet_calls=Search()), store_engine):
        await until(has_looked_again, 15)
    await leader.release()
