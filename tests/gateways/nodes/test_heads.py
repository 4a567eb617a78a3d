"""Heads are announced, and whoever announces them is believed in nothing but that it is time to look."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import pytest

from rhumbline.domain.errors import NodeRefused, NodeUnavailable
from rhumbline.gateways.nodes.evm.heads import EvmHeads
from rhumbline.gateways.nodes.heads import Heads, OtherChain
from rhumbline.gateways.nodes.websocket import LARGEST_MESSAGE_BYTES, RpcSocket
from rhumbline.tracking.loops import unless
from tests.gateways.nodes.node_socket import CHAIN_ID, KEY, SILENCE, SUBSCRIPTION, NodeSocket, announcement, node_socket

PATIENCE_S = 20.0
LONG_S = 3600.0
SHORT_S = 0.05


def heads_of(node: NodeSocket, silence_s: float = LONG_S, answer_s: float = PATIENCE_S) -> Heads:
    return EvmHeads(RpcSocket(node.url, "sea", answer_s), CHAIN_ID, silence_s)


@asynccontextmanager
async def listening(node: NodeSocket, heads: Heads) -> AsyncIterator[asyncio.Task[None]]:
    """Yield when it has subscribed, and end it afterwards; it may have ended by itself."""
    async with asyncio.timeout(PATIENCE_S):
        task = asyncio.create_task(heads.listen())
        try:
            await until(heads, node.head)
            yield task
        finally:
            task.cancel()
            with suppress(asyncio.CancelledError, NodeUnavailable, NodeRefused):
                await task


async def until(heads: Heads, number: int) -> None:
    while not heads.newest_is(number):
        heads.bell.clear()
        await heads.bell.wait()


async def ends(task: asyncio.Task[None]) -> str:
    """What it ends of; nothing of the address may be in it."""
    with pytest.raises((NodeUnavailable, NodeRefused)) as caught:
        await task
    assert KEY not in f"{caught.value!r} {caught.value} {caught.value.__cause__}"
    return str(caught.value)


async def vain(heads: Heads) -> str:
    async with asyncio.timeout(PATIENCE_S):
        return await ends(asyncio.create_task(heads.listen()))


async def test_each_head_rings_and_is_the_newest() -> None:
    async with node_socket() as node:
        heads = heads_of(node)
        assert not heads.newest_is(None)
        assert not heads.newest_is(100)
        async with listening(node, heads):
            assert node.asked == ["eth_chainId", "eth_subscribe", "eth_blockNumber"]
            for number in (101, 105, 103, 2**200):
                await node.announce(number)
                await until(heads, number)
            assert not heads.newest_is(105)
            assert not heads.newest_is(None)
        assert not heads.newest_is(2**200)
        assert heads.bell.is_set()


async def test_a_head_announced_again_rings_again() -> None:
    """A reorganisation ends at the same number."""
    async with node_socket() as node:
        heads = heads_of(node)
        async with listening(node, heads):
            for _ in range(3):
                heads.bell.clear()
                await node.announce(100)
                await heads.bell.wait()


async def test_heads_of_others_are_passed_over() -> None:
    async with node_socket() as node:
        heads = heads_of(node)
        async with listening(node, heads) as task:
            others: tuple[object, ...] = ("0x1", "", None, 5, [SUBSCRIPTION], {})
            for other in others:
                await node.say(announcement("0x3e8", other))
            await node.announce(101)
            await until(heads, 101)
            assert not task.done()


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ("", "sent invalid JSON"),
        ("[", "sent invalid JSON"),
        ("[" * 10_000, "sent invalid JSON"),
        ('{"a":1,"a":2}', "sent invalid JSON"),
        ('{"a":NaN}', "sent invalid JSON"),
        (b"\xff\x00", "sent invalid JSON"),
        ("[]", "something other than JSON-RPC"),
        ("null", "something other than JSON-RPC"),
        ("{}", "an unexpected message"),
        ('{"jsonrpc":"2.0","id":77,"result":"0x1"}', "an unexpected message"),
        ('{"method":"eth_subscription"}', "an unexpected message"),
        ('{"method":"eth_subscription","params":[]}', "an unexpected message"),
        (json.dumps({"method": "eth_subscription", "params": {"subscription": SUBSCRIPTION}}), "not a quantity"),
        (announcement(None), "not a quantity"),
        (announcement(101), "not a quantity"),
        (announcement("101"), "not a quantity"),
        (announcement("0x"), "not a quantity"),
        (announcement("-0x1"), "not a quantity"),
        (announcement("0x" + "1" * 65), "not a quantity"),
        (announcement({"toString": "0x1"}), "not a quantity"),
        (announcement("0x65", extraData="0x" + "00" * LARGEST_MESSAGE_BYTES), f"more than {LARGEST_MESSAGE_BYTES}"),
    ],
)
async def test_what_is_no_head_ends_it(said: str | bytes, reason: str) -> None:
    async with node_socket() as node:
        heads = heads_of(node)
        async with listening(node, heads) as task:
            await node.say(said)
            assert reason in await ends(task)
            assert not heads.newest_is(100)
            assert heads.bell.is_set()
        async with asyncio.timeout(PATIENCE_S):
            await node.left.wait()


async def test_a_node_on_another_chain_is_refused() -> None:
    async with node_socket() as node:
        node.chain_id = 5
        heads = heads_of(node)
        assert await vain(heads) == "sea: the node's socket is on chain 5, the settings say 900001"
        assert "eth_subscribe" not in node.asked
        with pytest.raises(OtherChain):
            await heads.try_out()


async def test_a_node_that_moves_to_another_chain_is_noticed() -> None:
    async with node_socket() as node:
        heads = heads_of(node, SHORT_S)
        async with listening(node, heads) as task:
            node.chain_id = 5
            assert "is on chain 5" in await ends(task)


@pytest.mark.parametrize("method", ["eth_chainId", "eth_subscribe", "eth_blockNumber"])
async def test_a_node_that_does_not_answer(method: str) -> None:
    async with node_socket() as node:
        node.answer = lambda asked: SILENCE if asked == method else None
        assert "does not answer (no answer in time)" in await vain(heads_of(node, answer_s=0.2))


@pytest.mark.parametrize(
    ("method", "answer", "reason"),
    [
        ("eth_chainId", {"result": 900_001}, "not a quantity"),
        ("eth_subscribe", {"result": 5}, "answered no subscription"),
        ("eth_subscribe", {"nothing": 5}, "neither result nor error"),
        (
            "eth_subscribe",
            {"error": {"code": -32601, "message": f"no eth_subscribe at wss://x/{KEY}"}},
            "no eth_subscr",
        ),
        ("eth_subscribe", {"error": {"code": -32601, "message": f"{KEY} is over its quota"}}, "over its quota"),
        ("eth_blockNumber", {"result": None}, "not a quantity"),
    ],
)
async def test_a_node_that_answers_something_else(method: str, answer: object, reason: str) -> None:
    async with node_socket() as node:
        node.answer = lambda asked: answer if asked == method else None
        heads = heads_of(node)
        assert reason in await vain(heads)
        assert not heads.newest_is(100)


async def test_a_node_that_hangs_up() -> None:
    async with node_socket() as node:
        heads = heads_of(node)
        async with listening(node, heads) as task:
            await node.hang_up()
            assert await ends(task) == "sea: the node closed its socket"
            assert not heads.newest_is(100)
        async with listening(node, heads):
            assert heads.newest_is(100)


async def test_a_socket_gone_silent_is_noticed_whatever_pings_it_sends() -> None:
    async with node_socket() as node:
        heads = heads_of(node, silence_s=0.2, answer_s=0.2)
        async with listening(node, heads) as task:
            node.answer = lambda asked: SILENCE
            while not task.done():
                await node.ping()
                await asyncio.sleep(0.01)
            assert "does not answer (no answer in time)" in await ends(task)


async def test_a_chain_at_rest_is_silent_and_trusted() -> None:
    async with node_socket() as node:
        heads = heads_of(node, SHORT_S)
        async with listening(node, heads) as task:
            await node.was_asked("eth_chainId", 5)
            assert not task.done()
            assert heads.newest_is(100)
        assert node.connections == 1


async def test_a_chain_that_was_set_back_announces_nothing_and_is_trusted() -> None:
    async with node_socket() as node:
        heads = heads_of(node, SHORT_S)
        async with listening(node, heads):
            node.head = 90
            await until(heads, 90)
        assert node.connections == 1


async def test_a_subscription_that_announces_nothing_is_doubted_until_it_does() -> None:
    async with node_socket() as node:
        heads = heads_of(node, SHORT_S, 0.5)
        async with listening(node, heads) as task:
            node.head = 101
            assert "announces no heads" in await ends(task)
        task = asyncio.create_task(heads.listen())
        async with asyncio.timeout(PATIENCE_S):
            await node.was_asked("eth_blockNumber", 4)
            assert not heads.newest_is(101)
            await node.announce(102)
            await until(heads, 102)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("/v2/", "/v3/", "is no websocket, HTTP 404"),
        ("/v2/", "/led/", "is no websocket, HTTP 307"),
        ("ws:", "wss:", "it does not speak TLS"),
        ("127.0.0.1", "no.such.host.invalid", "no such host is known"),
    ],
)
async def test_what_is_no_websocket(old: str, new: str, reason: str) -> None:
    async with node_socket() as node:
        node.url = node.url.replace(old, new)
        assert reason in await vain(heads_of(node))
        assert node.connections == 0


async def test_nobody_listens_there() -> None:
    node = NodeSocket(url=f"ws://127.0.0.1:1/v2/{KEY}")
    assert "nothing listens there" in await vain(heads_of(node))


async def test_who_is_not_wanted_any_more_leaves() -> None:
    async with node_socket() as node:
        heads, wanted = heads_of(node, SHORT_S), [True]
        task = asyncio.create_task(heads.listen(lambda: wanted[0]))
        async with asyncio.timeout(PATIENCE_S):
            await until(heads, 100)
            wanted.clear()
            wanted.append(False)
            await task
        assert not heads.newest_is(100)


async def test_trying_out_subscribes_and_leaves() -> None:
    async with node_socket() as node:
        heads = heads_of(node)
        await heads.try_out()
        assert node.asked == ["eth_chainId", "eth_subscribe"]
        assert not heads.newest_is(100)


def test_the_address_is_not_shown() -> None:
    assert KEY not in repr(RpcSocket(f"wss://node.example/{KEY}"))


async def test_work_ends_when_it_is_stopped_and_what_it_raises_is_raised() -> None:
    stop, ended = asyncio.Event(), asyncio.Event()

    async def work() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    async def fail() -> None:
        raise KeyError("one")

    task = asyncio.create_task(unless(stop, work()))
    await asyncio.sleep(0)
    stop.set()
    await asyncio.wait_for(task, PATIENCE_S)
    assert ended.is_set()
    with pytest.raises(KeyError):
        await unless(asyncio.Event(), fail())
