"""A chain whose node announces its heads is looked at when there is one; whatever the socket does, nothing is lost."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from rhumbline.gateways.nodes.evm.heads import EvmHeads
from rhumbline.gateways.nodes.websocket import RpcSocket
from rhumbline.tracking import trackers as running_module
from rhumbline.tracking.trackers import Tracker
from tests.gateways.nodes.node_socket import SILENCE, NodeSocket, node_socket
from tests.tracking.conftest import enricher, indexer, new_id
from tests.tracking.market import Market
from tests.tracking.node import Node
from tests.tracking.test_trackers import count_is, running, until

NEVER_S = 3600.0
"""A rest that no test outlives: whoever looks before was told, or goes by the clock."""
POLL_S = 0.02


def listener(market: Market, node: Node, engine: AsyncEngine, url: str, poll_s: float = POLL_S) -> Tracker:
    heads = EvmHeads(RpcSocket(url, "sbxa", 0.3), market.chain.id, NEVER_S)
    return Tracker(indexer(market, engine, node.rpc), enricher(market, engine, node.rpc), poll_s, heads=heads)


def socket_of(market: Market) -> str:
    return market.rpc.url.replace("http", "ws", 1)


def looks(node: Node) -> int:
    return [method for method, _ in node.calls].count("eth_blockNumber")


def at_rest(work: Tracker) -> Callable[[], Awaitable[bool]]:
    async def check() -> bool:
        return work.heads is not None and work.heads.newest_is(work.indexer.head)

    return check


def not_at_rest(work: Tracker) -> Callable[[], Awaitable[bool]]:
    async def check() -> bool:
        return not await at_rest(work)()

    return check


@pytest.fixture
def no_safety_look(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running_module, "LONGEST_REST_S", NEVER_S)


@pytest.mark.usefixtures("no_safety_look")
async def test_a_head_wakes_whoever_sleeps(market: Market, store_engine: AsyncEngine, node: Node) -> None:
    work = listener(market, node, store_engine, socket_of(market))
    async with running(work, store_engine):
        for n in range(3):
            await until(at_rest(work))
            before = looks(node)
            # By the clock there would be fifty.
            await asyncio.sleep(50 * POLL_S)
            assert looks(node) - before <= 3
            await market.swap(new_id(market.accounts[0], nonce=n))
            await until(count_is(store_engine, n + 1))


@pytest.mark.usefixtures("no_safety_look")
async def test_a_node_that_announces_sooner_than_it_answers_is_looked_at_by_the_clock(
    market: Market, store_engine: AsyncEngine, node: Node
) -> None:
    async with node_socket() as told:
        told.head = await market.rpc.block_number()
        work = listener(market, node, store_engine, told.url)
        async with running(work, store_engine):
            await until(at_rest(work))
            await told.announce(told.head + 1_000_000)
            await market.swap(new_id(market.accounts[0]))
            await until(count_is(store_engine, 1))


Misdeed = Callable[[NodeSocket], Awaitable[object]]


async def closes(told: NodeSocket) -> None:
    told.answer = lambda method: SILENCE
    await told.hang_up()


async def talks_garbage(told: NodeSocket) -> None:
    told.answer = lambda method: {"error": {"code": -32601, "message": "no"}}
    await told.say("{")


async def moves_away(told: NodeSocket) -> None:
    told.chain_id = 5
    await told.hang_up()


@pytest.mark.usefixtures("no_safety_look")
@pytest.mark.parametrize("misdeed", [closes, talks_garbage, moves_away])
async def test_without_the_socket_the_clock_takes_over(
    market: Market, store_engine: AsyncEngine, node: Node, misdeed: Misdeed
) -> None:
    async with node_socket() as told:
        told.head = await market.rpc.block_number()
        work = listener(market, node, store_engine, told.url)
        async with running(work, store_engine):
            await until(at_rest(work))
            await misdeed(told)
            await market.swap(new_id(market.accounts[0]))
            await until(count_is(store_engine, 1))


@pytest.mark.usefixtures("no_safety_look")
async def test_a_socket_that_never_was_changes_nothing(market: Market, store_engine: AsyncEngine, node: Node) -> None:
    work = listener(market, node, store_engine, "ws://127.0.0.1:1")
    async with running(work, store_engine):
        await market.swap(new_id(market.accounts[0]))
        await until(count_is(store_engine, 1))


@pytest.mark.usefixtures("no_safety_look")
async def test_a_lost_connection_is_made_anew(market: Market, store_engine: AsyncEngine, node: Node) -> None:
    async with node_socket() as told:
        told.head = await market.rpc.block_number()
        work = listener(market, node, store_engine, told.url)
        async with running(work, store_engine):
            for connections in (1, 2, 3):
                await until(at_rest(work))
                assert told.connections == connections
                told.left.clear()
                await told.hang_up()
                await told.left.wait()
                await until(not_at_rest(work))


async def test_a_socket_that_keeps_silent_is_found_out_by_the_safety_look(
    market: Market, store_engine: AsyncEngine, node: Node, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From then on the clock is trusted: the socket's head is an old one."""
    monkeypatch.setattr(running_module, "LONGEST_REST_S", 0.3)
    async with node_socket() as told:
        told.head = await market.rpc.block_number()
        work = listener(market, node, store_engine, told.url)
        async with running(work, store_engine):
            await until(at_rest(work))
            await market.swap(new_id(market.accounts[0]))
            await until(count_is(store_engine, 1))
            monkeypatch.setattr(running_module, "LONGEST_REST_S", NEVER_S)
            for n in (1, 2):
                await market.swap(new_id(market.accounts[0], nonce=n))
                await until(count_is(store_engine, n + 1))


@pytest.mark.usefixtures("no_safety_look")
async def test_a_flood_of_heads_causes_no_more_looks_than_the_clock(
    market: Market, store_engine: AsyncEngine, node: Node
) -> None:
    seconds = asyncio.get_running_loop().time
    async with node_socket() as told:
        told.head = await market.rpc.block_number()
        work = listener(market, node, store_engine, told.url, 0.1)
        async with running(work, store_engine):
            await until(at_rest(work))
            began, before = seconds(), looks(node)
            for n in range(500):
                await told.announce(told.head + n % 2)
            await asyncio.sleep(0.5)
            assert looks(node) - before <= (seconds() - began) / 0.1 + 2


@pytest.mark.usefixtures("no_safety_look")
async def test_only_who_leads_subscribes(market: Market, store_engine: AsyncEngine, node: Node) -> None:
    async with node_socket() as told:
        told.head = await market.rpc.block_number()
        first, second = (listener(market, node, store_engine, told.url) for _ in range(2))
        async with running(first, store_engine):
            await until(at_rest(first))
            async with running(replace(second, indexer=indexer(market, store_engine)), store_engine):
                await asyncio.sleep(1)
                assert told.connections == 1
