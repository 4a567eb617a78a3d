"""Slots are announced, and what announces something else is left; how heads are heard is tested with those of EVM."""

import asyncio
import json

import pytest

from rhumbline.domain.errors import NodeRefused, NodeUnavailable
from rhumbline.gateways.nodes.svm.heads import FAR, SvmHeads
from rhumbline.gateways.nodes.websocket import RpcSocket
from tests.gateways.nodes.node_socket import KEY, SILENCE, NodeSocket, node_socket
from tests.gateways.nodes.svm.node import node

SLOT, SUBSCRIPTION = 435_888_000, 0
PATIENCE_S = 20.0


def announcement(slot: object, subscription: object = SUBSCRIPTION) -> str:
    params = {"result": {"slot": slot, "parent": 1, "root": 1}, "subscription": subscription}
    return json.dumps({"jsonrpc": "2.0", "method": "slotNotification", "params": params})


async def after(told: NodeSocket, *said: str, subscribed: object = None) -> str:
    """Listen to a node that says these once it is subscribed to; return what it ends of."""
    told.answer = lambda _: {"result": SUBSCRIPTION} if subscribed is None else subscribed
    async with node(SLOT) as (rpc, _), asyncio.timeout(PATIENCE_S):
        heads = SvmHeads(RpcSocket(told.url, "sea", 0.5), rpc)
        task = asyncio.create_task(heads.listen())
        await told.was_asked("slotSubscribe")
        for each in said:
            await told.say(each)
        with pytest.raises((NodeUnavailable, NodeRefused)) as caught:
            await task
        assert not heads.newest_is(SLOT)
        assert KEY not in f"{caught.value!r} {caught.value.__cause__}"
        return str(caught.value)


@pytest.mark.parametrize("slot", [None, "5", -1, True, 2**64, 1.5, [5], {"slot": 5}])
@pytest.mark.parametrize("before", [(), (announcement(SLOT),)])
async def test_what_is_no_slot_ends_it(slot: object, before: tuple[str, ...]) -> None:
    async with node_socket() as told:
        assert "is not a slot" in await after(told, *before, announcement(slot))


@pytest.mark.parametrize("slot", [SLOT - FAR - 1, SLOT + FAR + 1, 0, 2**63 - 1])
async def test_a_slot_far_from_the_nodes_is_of_another_chain(slot: int) -> None:
    async with node_socket() as told:
        found = await after(told, announcement(slot))
        assert found == f"sea: the node's socket is on another chain: at slot {slot}, chains.rpc at {SLOT}"


@pytest.mark.parametrize(
    ("said", "subscribed", "reason"),
    [
        ((), None, "announces no heads"),
        ((announcement(SLOT, 7),), None, "announces no heads"),
        (("{",), None, "sent invalid JSON"),
        ((), {"result": "0x1"}, "is not a subscription"),
        ((), {"error": {"code": -32601, "message": f"no slotSubscribe at wss://x/{KEY}"}}, "no slotSubscribe"),
        ((), SILENCE, "does not answer (no answer in time)"),
    ],
)
async def test_what_announces_no_slots(said: tuple[str, ...], subscribed: object, reason: str) -> None:
    async with node_socket() as told:
        assert reason in await after(told, *said, subscribed=subscribed)


@pytest.mark.parametrize("near", [-FAR, 0, FAR])
async def test_the_first_slot_tells_the_chain(near: int) -> None:
    async with node_socket() as told, node(SLOT) as (rpc, asked), asyncio.timeout(PATIENCE_S):
        told.answer = lambda _: {"result": SUBSCRIPTION}
        heads = SvmHeads(RpcSocket(told.url, "sea"), rpc)
        trying = asyncio.create_task(heads.try_out())
        await told.was_asked("slotSubscribe")
        await told.say(announcement(SLOT + near))
        await trying
        assert asked.params == [{"commitment": "processed"}]
        assert told.asked == ["slotSubscribe"]
