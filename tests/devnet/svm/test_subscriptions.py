"""What clients are told without asking again."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import Any

import aiohttp
import pytest

from rhumbline.devnet.svm.chains import RunningSolana
from tests.devnet.svm.calls import BASE64, FRIEND, SOL, given


@pytest.fixture
async def session() -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession() as opened:
        yield opened


async def test_a_websocket_tells_what_it_was_asked_to(still: RunningSolana, session: aiohttp.ClientSession) -> None:
    chain = still.server.chain
    transaction = given(str(chain.blockhash()))
    async with session.ws_connect(still.server.ws_url) as socket:

        async def call(method: str, *params: object) -> Any:
            await socket.send_json({"jsonrpc": "2.0", "id": 3, "method": method, "params": list(params)})
            return (await heard())["result"]

        async def heard() -> Any:
            return await asyncio.wait_for(socket.receive_json(), 10)

        done = await call("signatureSubscribe", str(transaction.signatures[0]), {"commitment": "confirmed"})
        changed = await call("accountSubscribe", str(FRIEND), {"commitment": "confirmed", **BASE64})
        chain.send(transaction)
        still.server.notify()
        notice = await heard()
        assert (notice["method"], notice["params"]["subscription"]) == ("accountNotification", changed)
        assert notice["params"]["result"]["value"]["lamports"] == SOL
        slots = await call("slotSubscribe")
        chain.advance()
        still.server.notify()
        first, second = await heard(), await heard()
        assert first["method"] == "signatureNotification"
        assert first["params"]["subscription"] == done
        assert first["params"]["result"]["value"] == {"err": None}
        assert second["params"] == {
            "subscription": slots,
            "result": {"slot": chain.slots.slot, "parent": chain.slots.slot - 1, "root": chain.slots.slot - 32},
        }
        assert await call("slotUnsubscribe", slots) is True
        # Told once, the signature's is over by itself.
        await socket.send_json({"jsonrpc": "2.0", "id": 4, "method": "signatureUnsubscribe", "params": [done]})
        assert (await heard())["error"]["code"] == -32602
        await socket.send_json({"jsonrpc": "2.0", "id": 5, "method": "blockSubscribe", "params": ["all"]})
        assert (await heard())["error"]["code"] == -32601
        await socket.send_str("{")
        assert (await heard())["error"]["code"] == -32700
        chain.advance()
        still.server.notify()
        assert await call("slotSubscribe") > slots


async def test_a_client_that_does_not_listen_is_left(still: RunningSolana, session: aiohttp.ClientSession) -> None:
    async with session.ws_connect(still.server.ws_url) as socket:
        await socket.send_json({"jsonrpc": "2.0", "id": 1, "method": "slotSubscribe"})
        await socket.receive_json()
        for _ in range(1002):
            still.server.chain.advance()
            still.server.notify()
        messages = [message.type async for message in socket]
        assert len(messages) <= 1001
        assert socket.closed


async def test_logs_of_transactions_that_name_an_address(still: RunningSolana, session: aiohttp.ClientSession) -> None:
    chain = still.server.chain
    async with session.ws_connect(still.server.ws_url) as socket:

        async def call(*params: object) -> Any:
            await socket.send_json({"jsonrpc": "2.0", "id": 3, "method": "logsSubscribe", "params": list(params)})
            return await asyncio.wait_for(socket.receive_json(), 10)

        async def told() -> Sequence[str]:
            found = [(await asyncio.wait_for(socket.receive_json(), 10))["params"] for _ in range(2)]
            assert {each["subscription"] for each in found} == {subscribed}
            assert all(each["result"]["value"]["err"] is None for each in found)
            assert all(each["result"]["value"]["logs"][-1].endswith("success") for each in found)
            return [each["result"]["value"]["signature"] for each in found]

        mentions, confirmed = {"mentions": [str(FRIEND)]}, {"commitment": "confirmed"}
        for wanted, options in [("all", {}), ({"mentions": []}, {}), (mentions, {"commitment": "processed"})]:
            assert (await call(wanted, options))["error"]["code"] == -32602
        chain.send(given(str(chain.blockhash())))
        chain.advance()
        subscribed = (await call(mentions, confirmed))["result"]
        for lamports in ((2, 3), (4, 5)):
            marked = chain.snapshot()
            sent = [chain.send(given(str(chain.blockhash()), SOL * each)).signature for each in lamports]
            still.server.notify()
            chain.advance()
            still.server.notify()
            assert await told() == sent
            chain.restore(marked)
            still.server.notify()
