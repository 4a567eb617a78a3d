"""While a transaction may be mined its chain is looked at often; a chain that nobody waits for costs little."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial

import pytest
from sqlalchemy import event
from sqlalchemy.ext.asyncio import AsyncEngine
from structlog.testing import capture_logs

from rhumbline.gateways.nodes.evm.heads import EvmHeads
from rhumbline.gateways.nodes.websocket import RpcSocket
from rhumbline.tracking.awaited import SPARE, Awaited
from rhumbline.tracking.cadence import Cadence, Pace
from rhumbline.tracking.evm.positions import block_times
from rhumbline.tracking.issued_transactions import LATEST
from tests.tracking.conftest import catch_up, indexer, new_id
from tests.tracking.market import Market
from tests.tracking.node import Node
from tests.tracking.test_trackers import count_is, running, tracker, until

TTL = timedelta(minutes=20)
BLOCK_S = 2


def soon() -> datetime:
    return datetime.now(UTC) + TTL


async def test_what_was_handed_out_is_awaited_until_it_cannot_be_mined(store_engine: AsyncEngine) -> None:
    one, other, expires_at = Awaited(store_engine), Awaited(store_engine), soon()
    assert await one.left_s(1) == 0
    one.note(1, expires_at, False)
    other.note(1, expires_at - TTL, False)
    one.note(2, expires_at, True)
    one.note(3, expires_at - 2 * TTL, False)
    for each in (one, other):
        await each.close()
    wanted = [expires_at + SPARE, expires_at + LATEST + SPARE]
    for chain, until_when in zip((1, 2), wanted, strict=True):
        left = timedelta(seconds=await other.left_s(chain))
        assert abs(datetime.now(UTC) + left - until_when) < timedelta(seconds=10)
    assert await other.left_s(3) == 0


@contextmanager
def writes(engine: AsyncEngine) -> Iterator[list[str]]:
    seen: list[str] = []

    def note(*given: object) -> None:
        seen.extend(["write"] * str(given[2]).startswith("INSERT INTO awaited"))

    event.listen(engine.sync_engine, "before_cursor_execute", note)
    yield seen
    event.remove(engine.sync_engine, "before_cursor_execute", note)


async def test_many_quotes_are_one_write(store_engine: AsyncEngine) -> None:
    handed_out, expires_at = Awaited(store_engine), soon()
    with writes(store_engine) as seen:
        for seconds in range(200):
            handed_out.note(1, expires_at + timedelta(seconds=seconds), False)
        await handed_out.close()
    assert len(seen) == 2


async def test_what_the_store_does_not_take_is_noted_with_the_next_quote(store_engine: AsyncEngine) -> None:
    handed_out, broken, expires_at = Awaited(store_engine), [True], soon()

    def fail(*_: object) -> None:
        if broken[0]:
            raise OSError("gone")

    event.listen(store_engine.sync_engine, "before_cursor_execute", fail)
    with capture_logs() as lines:
        handed_out.note(1, expires_at, False)
        await handed_out.close()
    broken[0] = False
    assert [line["event"] for line in lines] == ["not noted what was handed out"]
    handed_out.note(1, expires_at, False)
    await handed_out.close()
    assert await handed_out.left_s(1) > 0
    event.remove(store_engine.sync_engine, "before_cursor_execute", fail)


@pytest.mark.parametrize(("announced", "most"), [(False, 40), (True, 10)])
async def test_an_idle_minute_of_blocks_costs_few_calls(
    market: Market, store_engine: AsyncEngine, node: Node, announced: bool, most: int
) -> None:
    following = indexer(market, store_engine, node.rpc)
    await catch_up(following)
    node.calls.clear()
    cadence, seconds, mined = Cadence(1.0, 20.0), 0.0, 0
    while seconds < 60:
        seconds += cadence.idle_rest_s(announced=announced)
        count, mined = int(seconds / BLOCK_S) - mined, int(seconds / BLOCK_S)
        await market.rpc.call("anvil_mine", [hex(count), hex(BLOCK_S)])
        while await following.step():
            pass
    assert mined == 30
    assert len(node.calls) <= most
    await market.swap(new_id(market.accounts[0]))
    await catch_up(following)
    assert [number for number, _ in await block_times(store_engine, market.chain.id, 1)] == [following.head]


@pytest.mark.parametrize("announced", [False, True])
async def test_a_chain_at_rest_is_looked_at_when_a_transaction_is_handed_out(
    market: Market, store_engine: AsyncEngine, node: Node, announced: bool
) -> None:
    """Nobody would look for a minute, or half of one."""
    awaited, looked = Awaited(store_engine), [0]

    async def left_s() -> float:
        looked[0] += 1
        return await awaited.left_s(market.chain.id)

    heads = None
    if announced:
        heads = EvmHeads(RpcSocket(market.rpc.url.replace("http", "ws", 1), "sbxa", 1.0), market.chain.id)
    work = replace(tracker(market, store_engine, node.rpc), heads=heads, pace=Pace(Cadence(0.02, 60.0), left_s))

    async def rests() -> bool:
        before = looked[0], len(node.calls)
        await asyncio.sleep(0.3)
        return before == (looked[0], len(node.calls)) and before[0] > 0

    async with running(work, store_engine):
        await until(rests)
        await market.swap(new_id(market.accounts[0]))
        assert await rests()
        awaited.note(market.chain.id, soon(), False)
        await until(count_is(store_engine, 1))
        await market.swap(new_id(market.accounts[0], nonce=1))
        await until(count_is(store_engine, 2))
    await awaited.close()


async def test_who_begins_while_a_transaction_is_awaited_looks_at_once(
    market: Market, store_engine: AsyncEngine
) -> None:
    """Of a process that was killed, or of another one."""
    before = Awaited(store_engine)
    before.note(market.chain.id, soon(), False)
    await before.close()
    pace = Pace(Cadence(0.02, 60.0), partial(Awaited(store_engine).left_s, market.chain.id))
    work = replace(tracker(market, store_engine), pace=pace)
    async with running(work, store_engine):
        for nonce in range(3):
            await market.swap(new_id(market.accounts[0], nonce=nonce))
            await until(count_is(store_engine, nonce + 1))
